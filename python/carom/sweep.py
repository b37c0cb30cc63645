"""Many runs at once: fields of their summaries as arrays over named axes."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.arguments import refuse, text, text_list, whole
from carom.formulas import as_formulas
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


class Ranks:
    """The processes of a communicator of mpi4py, as the core talks to them: bytes, without waiting."""

    def __init__(self, comm: Any) -> None:
        self._comm = comm
        self._sent: list[Any] = []
        self.rank = int(comm.Get_rank())
        self.size = int(comm.Get_size())

    def send(self, to: int, data: bytes) -> None:
        self._sent = [request for request in self._sent if not request.Test()]
        self._sent.append(self._comm.isend(data, dest=to))

    def receive(self) -> tuple[int, bytes] | None:
        mpi: Any = importlib.import_module("mpi4py.MPI")
        status = mpi.Status()
        if not self._comm.iprobe(status=status):
            return None
        source = status.Get_source()
        return source, self._comm.recv(source=source)

    def share(self, run: Callable[[], Any]) -> Any:
        """What rank 0 has in the end, on all of them; what it raises ends the others, too."""
        core, trouble = None, None
        try:
            core = run()
        except Exception as error:
            trouble = error
        for request in self._sent:
            request.Wait()
        core, failed = self._comm.bcast((core, str(trouble) if trouble else None), root=0)
        if trouble is not None:
            raise trouble
        if failed is not None:
            raise RuntimeError(f"sweep(): rank 0 failed: {failed}")
        return core


def _along(key: str, x: Any) -> Axis:
    """The values of an axis: numbers or words, all of a kind."""
    stated = as_formulas(list(x) if isinstance(x, Iterable) and not isinstance(x, (str, bytes, dict, np.ndarray)) else x, key)
    try:
        found: Axis = np.asarray(stated)
    except ValueError:
        found = np.array(None)
    if found.ndim != 1 or found.dtype.kind not in "biufU" or (found.dtype.kind == "U" and not all(isinstance(v, str) for v in stated)):
        refuse("sweep()", f"grid.{key}", x, "the values along an axis are a list of numbers, or of texts")
    return found


def sweep(
    system: System,
    grid: Mapping[str, Union[Sequence[Any], Axis]],
    fields: Sequence[str],
    *,
    threads: int = 0,
    progress: bool | Callable[[int, int, str], object] | None = None,
    comm: Any = None,
    **options: Any,
) -> Sweep:
    """A system run for the product of the values of some keys, by all cores or so many threads.

    Keys are those of a scenario: "initial.q.0", "system.parameters.m", "method.flow". Fields are numbers of a summary:
    "final.q.0", "impacts.count", "energy.max_abs_error". What else a run needs is an argument of System.simulate(), by name.
    A run that is refused or fails leaves NaN, its status and its reason. Ctrl-C ends the sweep: what was done is returned.

    Under mpirun `comm=MPI.COMM_WORLD`, of mpi4py, shares the runs among its processes; each gets all results.
    """
    if not isinstance(system, System):
        refuse("sweep()", "system", system, "must be a System; carom.scenario(name) makes one")
    if not isinstance(grid, Mapping):
        refuse("sweep()", "grid", grid, 'must be a table of keys and their values: {"initial.q.0": [1, 2]}')
    wanted = text_list("sweep()", "fields", fields)
    workers = whole("sweep()", "threads", threads, 0, 1024)
    if comm is not None and not hasattr(comm, "Get_rank"):
        refuse("sweep()", "comm", comm, "must be a communicator of mpi4py, such as MPI.COMM_WORLD")
    changes = system.changes(**options)
    values = {text("sweep()", "grid", key): _along(key, x) for key, x in grid.items()}
    with tempfile.TemporaryDirectory() as folder, listener(progress) as tell:
        pairs = [(key, x.tolist()) for key, x in values.items()]
        ranks = None if comm is None else Ranks(comm)

        def run() -> Any:
            return _core.sweep(system._core, changes, pairs, wanted, workers, folder, tell, ranks)

        core = run() if ranks is None else ranks.share(run)
    return Sweep(core, values)
