"""A run in a figure of matplotlib's."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom.run import Run


def plot(run: Run, names: Sequence[str], axes: Any = None) -> Any:
    """Axes for each of `names` over time, one below the other; at most 12 coordinates and the energy where none are named."""
    try:
        plt: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError as e:
        raise ImportError("plot() needs matplotlib, which Debian calls python3-matplotlib") from e
    shown = list(names) or [*run.coordinates[:12], "H"]
    columns = [run[name] for name in shown]
    if axes is None:
        figure, axes = plt.subplots(len(shown), 1, sharex=True, squeeze=False, figsize=(8, 1.2 + 1.6 * len(shown)))
        axes = axes[:, 0]
        figure.align_ylabels()
    elif not hasattr(axes, "__len__"):
        axes = [axes] * len(shown)
    for name, column, ax in zip(shown, columns, axes):
        ax.plot(run.t, column, linewidth=1)
        ax.set_ylabel("energy" if name == "H" else name)
        for t in run.impacts.t[:500]:
            ax.axvline(t, color="0.8", linewidth=0.6, zorder=0)
    axes[-1].set_xlabel("t")
    return axes
