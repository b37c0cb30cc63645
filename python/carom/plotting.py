"""A run in a figure of matplotlib's."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from carom.arguments import refuse

if TYPE_CHECKING:
    from carom.run import Run

_MOST_COORDINATES, _MOST_CURVES = 8, 12


def plot(run: Run, names: Sequence[str], axes: Any = None) -> Any:
    """Axes for each of `names` over time, one below the other; the first 8 coordinates and the energy where none are named."""
    try:
        plt: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError as e:
        raise ImportError("plot() needs matplotlib, which Debian calls python3-matplotlib") from e
    shown = list(names) or [*run.coordinates[:_MOST_COORDINATES], "H"]
    columns = [run[name] if names or name == "H" else run[f"q.{name}"] for name in shown]
    axes = _axes(plt, axes, len(shown))
    for name, column, ax in zip(shown, columns, axes):
        _draw(run, name, column, ax)
        for t in run.impacts.t[:500]:
            ax.axvline(t, color="0.8", linewidth=0.6, zorder=0)
    shared = len({id(ax) for ax in axes}) < len(shown)
    if shared and len(shown) > 1:
        axes[0].set_ylabel("")
        axes[0].legend(fontsize="small")
    if not names and len(run.coordinates) > _MOST_COORDINATES:
        text = f"the first {_MOST_COORDINATES} of {len(run.coordinates)} coordinates; plot(name, ...) draws others"
        axes[0].set_title(text, fontsize="small")
    axes[-1].set_xlabel("t")
    return axes


def _axes(plt: Any, axes: Any, count: int) -> Any:
    if axes is None:
        figure, made = plt.subplots(count, 1, sharex=True, squeeze=False, figsize=(8, 1.2 + 1.6 * count))
        figure.align_ylabels()
        return made[:, 0]
    given = list(axes) if hasattr(axes, "__len__") else [axes] * count
    if len(given) < count or not all(hasattr(ax, "axvline") for ax in given):
        refuse("plot()", "axes", axes, f"must be axes of matplotlib, or {count} of them")
    return given[:count]


def _draw(run: Run, name: str, column: Any, ax: Any) -> None:
    """A number of each row as a curve, several as curves with a legend."""
    ax.set_ylabel("energy" if name == "H" else name)
    if column.ndim == 1:
        ax.plot(run.t, column, linewidth=1, label=name)
        return
    parts = run.parts(name)
    for k in range(min(column.shape[1], _MOST_CURVES)):
        ax.plot(run.t, column[:, k], linewidth=1, label=parts[k] if k < len(parts) else str(k))
    if column.shape[1] > _MOST_CURVES:
        ax.set_title(f"the first {_MOST_CURVES} of {column.shape[1]} in {name}", fontsize="small")
    if column.shape[1] > 1:
        ax.legend(fontsize="small", loc="upper right")
