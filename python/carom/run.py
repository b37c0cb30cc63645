"""What a run has left: named arrays, impacts, the summary, any time in between, its folder."""

from __future__ import annotations

import difflib
import html
import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.arguments import flag, is_text, number, refuse, text, whole
from carom.errors import FolderError

if TYPE_CHECKING:
    from carom.derivatives import Jacobian
    from carom.system import System

Array = npt.NDArray[np.float64]
Records = np.recarray[Any, np.dtype[Any]]


class State(NamedTuple):
    """The state at a time, or at several: then a row of q, v and p for each."""

    t: Any
    q: Array
    v: Array
    p: Array


class Run(Mapping[str, Array]):
    """A run's arrays by name, a row for each recorded grid point. They are the core's memory: not copied, not writable.

    >>> import carom
    >>> run = carom.scenario("double-pendulum-in-formulas").simulate(end=5.0)
    >>> run["a"].shape == run.t.shape and run["v.b"].shape == run["H"].shape
    True
    >>> run.impacts.contact.tolist()
    ['wall', 'wall', 'wall']
    >>> run.summary.impacts.count
    3

    A number of a row goes by its name as in the program's files: t, H, work, q.x or x alone, v.x, p.x, gaps.floor,
    momenta.L, forces.floor, and quantities by their own; a column by its own (run["q"], run["gaps"]). list(run) has all.
    """

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self._rows: dict[str, Array] = core.rows
        self._summary: SimpleNamespace | None = None
        self._impacts: Records | None = None
        self._contacts: Records | None = None
        self._dense: _core.Dense | None = None

    # --- arrays -------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Array:
        if name in self._rows:
            return self._rows[name]
        column = self._core.column(name) if is_text(name) else None
        if column is None and name == "energy":
            return self.energy
        if column is None:
            close = difflib.get_close_matches(name, [*self, "energy"], 1) if isinstance(name, str) else []
            hint = f'; did you mean "{close[0]}"?' if close else ""
            raise KeyError(f"{name!r}: the run has {', '.join(self)}{hint}")
        return cast(Array, column)

    def __iter__(self) -> Iterator[str]:
        yield from self._rows
        names = self._core.names
        for column in ("q", "quantities"):
            for name in names.get(column, ()):
                if name not in self._rows and self._core.column(name) is not None:
                    yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    @property
    def t(self) -> Array:
        return self._rows["t"]

    @property
    def q(self) -> Array:
        return self._rows["q"]

    @property
    def v(self) -> Array:
        return self._rows["v"]

    @property
    def p(self) -> Array:
        return self._rows["p"]

    @property
    def energy(self) -> Array:
        """The Hamiltonian, which also goes by the names H and energy."""
        return self._rows["H"]

    @property
    def gaps(self) -> Array:
        return self._rows["gaps"]

    @property
    def forces(self) -> Array:
        """The force of every contact that lasts; steppers that carry such contacts know it."""
        if "forces" not in self._rows:
            raise AttributeError('this run has no forces: its stepper carries no contacts; stepper="contact" does')
        return self._rows["forces"]

    @property
    def coordinates(self) -> list[str]:
        return self._core.names["q"]

    def parts(self, column: str) -> list[str]:
        """The names of the numbers in a column: run.parts("gaps") are the contacts."""
        return self._core.names.get(column, [])

    # --- events -------------------------------------------------------------------------------------------------

    @property
    def impacts(self) -> Records:
        """The impacts: t, step, contact, q, p_before, p_after, impulse, rate_before, rate_after."""
        if self._impacts is None:
            self._impacts = _events(self._core.impacts, self._core.impact_contacts, {})
        return self._impacts

    @property
    def contacts(self) -> Records:
        """When contacts begin to last and are released: t, step, contact, event, settled."""
        if self._contacts is None:
            words = np.array(["released", "begins", "sticks", "slides forward", "slides backward", "slides"])
            self._contacts = _events(self._core.changes, self._core.change_contacts, {"begins": ("event", words)})
        return self._contacts

    # --- what is known of the whole -----------------------------------------------------------------------------

    @property
    def summary(self) -> SimpleNamespace:
        """What summary.json says, as attributes: run.summary.energy.max_abs_error."""
        if self._summary is None:
            text = self._core.summary or '{"status": "killed", "reason": "the run was killed", "warnings": []}'
            self._summary = cast(SimpleNamespace, json.loads(text, object_hook=lambda table: SimpleNamespace(**table)))
        return self._summary

    @property
    def status(self) -> str:
        """completed, stopped or failed."""
        return cast(str, self.summary.status)

    @property
    def reason(self) -> str:
        """Why it was stopped or failed; "" where it was completed."""
        return self.summary.reason or ""

    @property
    def warnings(self) -> list[str]:
        return cast("list[str]", self.summary.warnings)

    @property
    def system(self) -> System:
        """The system, with the start, method and time of this run."""
        from carom.system import System

        return System.from_toml(self.to_toml())

    def to_toml(self) -> str:
        """The effective scenario: running it again gives the same run, bit for bit. A force in Python is refused by name."""
        if self._core.forced:
            refuse("Run", "force", "a function in Python", "cannot be written down; what this run has left can be, by save()")
        return self._core.toml

    def __repr__(self) -> str:
        reached = f"{len(self.t)} rows" + (f" until t = {self.t[-1]:.10g}" if len(self.t) else "")
        return f"Run({self.status}, {reached}, {len(self.impacts)} impacts)"

    # --- derivatives --------------------------------------------------------------------------------------------

    def jacobian(self, by: Sequence[str] | None = None) -> Jacobian:
        """Derivatives of the end of this run and of its impacts' times, by its start and by parameters, through its impacts.

        `by` names parameters, and "restitution"; without it they are all that a system in formulas has. See `carom sensitivity`.
        """
        from carom.derivatives import slopes_of

        return slopes_of(self.system, [], None, by)

    def gradient(self, of: str, by: Sequence[str] | None = None) -> Jacobian:
        """The same of one number alone, such as "q.x" or a quantity: backwards, at a cost that does not grow with the columns."""
        from carom.derivatives import slopes_of

        return slopes_of(self.system, [], text("gradient()", "of", of), by)

    # --- in between ---------------------------------------------------------------------------------------------

    def __call__(self, t: Any, side: str = "right") -> State:
        """The state at a time, or at each of several. At an impact p jumps: `side` says which value is meant.

        Between records it is the cubic through places and velocities; impacts are knots of it.

        >>> import carom
        >>> run = carom.System("cart-pendulum").simulate(end=2.0)
        >>> hit = run.impacts[0]
        >>> bool((run(hit.t, "left").p == hit.p_before).all()), bool((run(hit.t).p == hit.p_after).all())
        (True, True)
        """
        if not isinstance(side, str) or side not in ("left", "right"):
            raise ValueError(f'side = {side!r}: must be "left" or "right"')
        try:
            times = np.asarray(t)
            times = times.astype(float) if times.dtype.kind in "biuf" else np.array(None)
        except (TypeError, ValueError):
            times = np.array(None)
        if times.dtype.kind != "f":
            refuse("run()", "t", t, "must be a time, or an array of times")
        q, v, p = self.dense.at(times.ravel(), side == "left", self.q.shape[1])
        shape = times.shape + (self.q.shape[1],)
        return State(t, q.reshape(shape), v.reshape(shape), p.reshape(shape))

    @property
    def dense(self) -> _core.Dense:
        """The core's dense output, made when it is first asked for."""
        if self._dense is None:
            self._dense = self._core.dense()
        return self._dense

    # --- its folder, its looks ----------------------------------------------------------------------------------

    def save(self, folder: str | pathlib.Path, force: bool = False) -> pathlib.Path:
        """Writes the folder that the program would have left, report included.

        That of a run with a force in Python can be looked at and loaded; the program neither repeats it nor goes on with it.
        """
        if not isinstance(folder, (str, os.PathLike)) or "\0" in os.fspath(folder) or not is_text(str(folder)):
            refuse("save()", "folder", folder, "must be the path of a folder")
        path = pathlib.Path(folder)
        if not flag("save()", "force", force) and path.is_dir() and any(path.iterdir()):
            raise FolderError(f"save(): '{path}': exists already; choose another folder, or force=True to overwrite its run")
        try:
            self._core.save(str(path), bool(force))
        except FolderError as error:
            raise FolderError(str(error).replace("--out ", "save(): ")) from None
        return path

    def report(self) -> str:
        """The text of report.html: one page with the animation and all plots, without network."""
        with tempfile.TemporaryDirectory() as folder:
            return (self.save(folder, force=True) / "report.html").read_text(encoding="utf-8")

    def _repr_html_(self) -> str:
        page = html.escape(self.report(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border: 0"></iframe>'

    def plot(self, *names: str, axes: Any = None, ax: Any = None) -> Any:
        """Plots columns over time by matplotlib, impacts as thin lines; coordinates and energy where none are named.

        Each name has axes of its own, `axes`, or all go into one, `ax`; they are returned. Of many coordinates the first
        few are drawn, and it is said so.
        """
        from carom.plotting import plot

        if ax is not None and axes is not None:
            refuse("plot()", "ax", ax, "goes without axes")
        return plot(self, names, axes if ax is None else ax)

    def animate(self, path: str | pathlib.Path, width: int = 640, fps: int = 30, speed: float = 1.0) -> pathlib.Path:
        """Writes the report's animation as .mp4 or .gif: `speed` is how much time passes in a second of it.

        It needs chromium and ffmpeg, both from Debian; which of them is lacking is said.
        """
        from carom.animation import animate

        if not isinstance(path, (str, os.PathLike)):
            refuse("animate()", "path", path, "must be the path of a file")
        rate = number("animate()", "speed", speed)
        if rate <= 0:
            refuse("animate()", "speed", speed, "must be above 0")
        wide, often = whole("animate()", "width", width, 16, 7680), whole("animate()", "fps", fps, 1, 240)
        return animate(self, pathlib.Path(path), wide, often, rate)

    def __reduce__(self) -> tuple[Callable[..., Run], tuple[Any, ...]]:
        self.to_toml()  # or why there is none
        return _restored, self._core.state


def _restored(*state: Any) -> Run:
    return Run(_core.restored(*state))


def _events(columns: dict[str, Array], contacts: list[str], words: dict[str, tuple[str, Any]]) -> Records:
    """A record array of a table of events; numbers of words become these."""
    fields: dict[str, npt.NDArray[Any]] = {}
    for name, column in columns.items():
        own, texts = words.get(name, (name, None))
        fields[own] = texts[column.astype(int)] if texts is not None else column.astype(int) if name == "step" else column
        if name == "step":
            fields["contact"] = np.array(contacts, dtype=str)
    rows = len(columns["t"])
    made = np.empty(rows, dtype=[(name, x.dtype, x.shape[1:]) for name, x in fields.items()])
    for name, x in fields.items():
        made[name] = x
    made.flags.writeable = False
    return made.view(np.recarray)


def load(folder: str | pathlib.Path) -> Run:
    """The run that a folder holds, whatever its format, also while it goes on or after it was killed."""
    if not is_text(str(folder)):
        refuse("load()", "folder", folder, "must be the path of a folder")
    if not os.path.isdir(pathlib.Path(folder)):
        raise FolderError(f"'{folder}': is not a folder")
    return Run(_core.load(str(folder)))
