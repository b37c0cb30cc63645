"""Many runs at once: fields of their summaries as arrays over named axes."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.progress import listener
from carom.system import System

Axis = npt.NDArray[Any]


class Sweep(Mapping[str, npt.NDArray[np.float64]]):
    """Arrays by the names of fields, an axis for each key that varies, in their order.

    >>> import carom
    >>> found = carom.sweep(carom.scenario("cart-pendulum"), {"initial.q.0": [4.0, 4.1, 4.2]}, ["impacts.count"])
    >>> found["impacts.count"].tolist(), found.dims, found.coords["initial.q.0"].tolist()
    ([3.0, 3.0, 3.0], ('initial.q.0',), [4.0, 4.1, 4.2])
    """

    def __init__(self, core: tuple[Any, ...], coords: dict[str, Axis]) -> None:
        shape, status, fields, reasons, self.stopped = core
        self.dims = tuple(coords)
        self.coords = coords
        self.status: npt.NDArray[np.int64] = status.reshape(shape)
        """0 completed, 2 refused, 3 failed, 130 stopped before it came about."""
        self.reasons: dict[tuple[int, ...], str] = {
            tuple(int(i) for i in np.unravel_index(member, shape)): why for member, why in reasons.items()
        }
        self._fields: dict[str, npt.NDArray[np.float64]] = {name: x.reshape(shape) for name, x in fields.items()}

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def to_xarray(self) -> Any:
        """The same as a Dataset of xarray's."""
        if importlib.util.find_spec("xarray") is None:
            raise ImportError("to_xarray() needs xarray, which Debian calls python3-xarray")
        xarray: Any = importlib.import_module("xarray")
        variables = {name: (self.dims, x) for name, x in [*self._fields.items(), ("status", self.status)]}
        return xarray.Dataset(variables, coords=self.coords)

    def __repr__(self) -> str:
        size = " x ".join(str(len(x)) for x in self.coords.values())
        return f"Sweep({size} runs over {', '.join(self.dims)}: {', '.join(self)})"


def sweep(
    system: System,
    grid: Mapping[str, Union[Sequence[Any], Axis]],
    fields: Sequence[str],
    *,
    threads: int = 0,
    progress: bool | Callable[[int, int, str], object] | None = None,
    **options: Any,
) -> Sweep:
    """A system run for the product of the values of some keys, by all cores or so many threads.

    Keys are those of a scenario: "initial.q.0", "system.parameters.m", "method.flow". Fields are numbers of a summary:
    "final.q.0", "impacts.count", "energy.max_abs_error". What else a run needs is an argument of System.simulate(), by name.
    A run that is refused or fails leaves NaN, its status and its reason. Ctrl-C ends the sweep: what was done is returned.
    """
    changes = system.changes(**options)
    values = {str(key): np.asarray(x) for key, x in grid.items()}
    for key, x in values.items():
        if x.ndim != 1:
            raise ValueError(f"{key}: the values along an axis are a list")
    with tempfile.TemporaryDirectory() as folder, listener(progress) as tell:
        pairs = [(key, x.tolist()) for key, x in values.items()]
        core = _core.sweep(system._core, changes, pairs, [str(field) for field in fields], int(threads), folder, tell)
    return Sweep(core, values)
