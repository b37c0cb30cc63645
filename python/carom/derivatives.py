"""Derivatives of runs through their impacts, periodic orbits, Lyapunov exponents and optimal control."""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.arguments import number, refuse, text, text_list, whole
from carom.errors import RunFailed, ScenarioError
from carom.formulas import as_formulas

if TYPE_CHECKING:
    from carom.run import Run
    from carom.system import System

Array = npt.NDArray[np.float64]
Problem = Union[str, pathlib.Path, "System"]


@contextmanager
def _arguments(place: str) -> Iterator[None]:
    """What the core says of an option of the program is said of the argument of that name."""
    try:
        yield
    except ScenarioError as error:
        option = re.fullmatch(r"(?:derivatives: )?--(\w+)(?: =)? (.*?): (.*)", str(error), re.S)
        if option is None:
            raise
        key, value, why = option.groups()
        raise ScenarioError(f"{place}: {key} = {value}: {why}", key, value, why) from None


def _core_of(place: str, system: Any) -> _core.System:
    from carom.system import System

    if not isinstance(system, System):
        refuse(place, "system", system, "must be a System; carom.scenario(name) makes one")
    return system._core


@dataclass(frozen=True)
class Jacobian:
    """Slopes of numbers at the end of a run (`rows`) by its start and by parameters (`columns`), for one sequence of impacts.

    >>> import carom
    >>> ball = carom.System(coordinates=["y"], lagrangian="y'^2/2 - 10*y", gaps={"floor": "y"})
    >>> run = ball.simulate(q=[1.0], v=[0.0], end=1.0, step=0.01, method="svc", impact="continuous-energy")
    >>> round(run.jacobian()["q.y", "initial.v.y"], 6)
    0.105573
    """

    rows: list[str]
    columns: list[str]
    values: Array  # of the rows
    by: Array  # of the columns
    slopes: Array
    impacts: list[tuple[float, str]]  # the sequence that they hold for: times and contacts
    slowest_approach: float  # of an impact; slopes grow as its inverse, and there are none at a graze

    def __getitem__(self, place: tuple[str, str]) -> float:
        row, column = place
        return float(self.slopes[self.rows.index(row), self.columns.index(column)])


def slopes_of(system: System, changes: list[dict[str, Any]], of: str | None, by: Sequence[str] | None) -> Jacobian:
    """The derivatives of the run that the changes of the scenario ask for; of one number alone, if it is named."""
    if of == "":
        refuse("gradient()", "of", of, 'must be the name of a number at the end, such as "q.x"')
    names = None if by is None else text_list("jacobian()", "by", by)
    with _arguments("gradient()"):
        found = _core.slopes(system._core, changes, names, of or "")
    if found["failure"] is not None:
        raise RunFailed(found["failure"])
    return Jacobian(found["rows"], found["columns"], np.array(found["values"]), np.array(found["by"]), found["slopes"],
                    found["impacts"], found["slowest_approach"])  # fmt: skip


def objective(system: System, of: str, variables: Sequence[str], **simulate: Any) -> Callable[[Any], tuple[float, Array]]:
    """A function of numbers that gives one number at the end of a run, and its gradient, as scipy.optimize takes them.

    `variables` are "initial.q.x", "initial.v.x", "initial.p.x" or parameters; the rest is that of simulate(). What the variables leave
    open of the start is as `simulate` or the scenario says.
    """
    _core_of("objective()", system)
    text("objective()", "of", of)
    names = text_list("objective()", "variables", variables)
    parameters = [name for name in names if not name.startswith("initial.")]
    at = {name: k for k, name in enumerate(system.coordinates)}
    starts = {f"initial.{letter}.{name}": (letter, name) for letter in ("q", "v", "p") for name in at}
    for name in names:
        if name not in starts and name not in system.parameters:
            refuse("objective()", "variables", name, f"must be a parameter, or initial.q, initial.v or initial.p of {', '.join(at)}")

    def at_numbers(x: Any) -> tuple[float, Array]:
        try:
            x = np.asarray(x, dtype=float)
        except (TypeError, ValueError):
            refuse("objective()", "x", x, "must be numbers")
        if x.shape != (len(names),):
            refuse("objective()", "x", x, f"must be {len(names)} numbers, one for each variable")
        given = dict(zip(names, x.tolist()))
        own = system.with_parameters(**{name: given[name] for name in parameters}) if parameters else system
        start: dict[str, Any] = {name: simulate.get(name) for name in ("q", "v", "p") if simulate.get(name) is not None}
        for name, value in given.items():
            if name in parameters:
                continue
            letter, coordinate = starts[name]
            if isinstance(start.get(letter), Mapping):
                start[letter] = {**start[letter], coordinate: value}
                continue
            numbers = start[letter] if letter in start else _start_of(own, letter)
            start[letter] = [value if k == at[coordinate] else float(number) for k, number in enumerate(numbers)]
        rest = {key: value for key, value in simulate.items() if key not in ("q", "v", "p")}
        found = slopes_of(own, own.changes(**start, **rest), of, parameters)
        return float(found.values[0]), np.array([found.slopes[0, found.columns.index(name)] for name in names])

    return at_numbers


def _start_of(system: System, letter: str) -> Array:
    """The start that the scenario states."""
    state = system.stepper()
    return {"q": state.q, "v": state.v, "p": state.p}[letter]


@dataclass(frozen=True)
class Orbit:
    """A periodic orbit and its multipliers, the largest first."""

    q: Array
    p: Array
    period: float
    multipliers: npt.NDArray[np.complex128]
    stable: bool
    impacts: list[str]  # contacts that close in a period, in their order
    slowest_approach: float
    parameter: float | None  # along a branch


@dataclass(frozen=True)
class Branch:
    """Orbits along a parameter, and where it folds or doubles its period."""

    orbits: list[Orbit]
    events: list[tuple[str, Orbit]]
    ended: str


def orbit(
    system: System,
    *start: Any,
    period: str = "",
    along: str = "",
    to: float | None = None,
    by: float = 0.01,
    **simulate: Any,
) -> Branch:
    """The periodic orbit near a start, and its branch along a parameter; other arguments are those of simulate().

    Ctrl-C ends a branch, which is returned as far as it was followed.

    >>> import carom
    >>> swing = carom.System(coordinates=["a"], lagrangian="a'^2/2 + 9*cos(a)")
    >>> at = carom.orbit(swing, [0.1], [0.0], end=1.0, step=0.01, method="gauss").orbits[0]
    >>> [round(abs(m), 9) for m in at.multipliers], abs(at.q[0]) < 1e-9
    ([1.0, 1.0], True)
    """
    core = _core_of("orbit()", system)
    text("orbit()", "along", along, "the name of a parameter")
    if along and to is None:
        raise ScenarioError("orbit(): along asks for its end, as in to=2.7", "to", "", "must be given with along")
    formula = as_formulas(period, "period")
    if isinstance(formula, (int, float)) and not isinstance(formula, bool):
        formula = repr(float(formula))
    text("orbit()", "period", formula, "a formula of the parameters")
    until, step = number("orbit()", "to", 0.0 if to is None else to), number("orbit()", "by", by, "a number above 0")
    if step <= 0:
        refuse("orbit()", "by", by, "must be a number above 0")
    with _arguments("orbit()"):
        found = json.loads(_core.orbit(core, system.changes(*start, **simulate), formula, along, until, step))
    return Branch(
        [_orbit(o, along) for o in found["orbits"]],
        [(e["kind"], _orbit(e["at"], along)) for e in found["events"]],
        found.get("ended", ""),
    )


def _orbit(o: dict[str, Any], along: str) -> Orbit:
    slowest = o["slowest_approach"]
    return Orbit(np.array(o["q"]), np.array(o["p"]), o["period"], np.array([complex(*m) for m in o["multipliers"]]), o["stable"],
                 o["impacts"], np.inf if slowest is None else slowest, o[along] if along else None)  # fmt: skip


@dataclass(frozen=True)
class Spectrum:
    """Lyapunov exponents, the largest first, each with one standard error; sums of pairs vanish where the map is symplectic."""

    exponents: Array
    errors: Array
    pairs: Array
    pair_errors: Array
    time: float
    impacts: int
    status: str = "completed"  # or "stopped", by Ctrl-C: then this is what was known by that time


def lyapunov(system: System, *start: Any, every: int = 10, skip: float = 0.0, **simulate: Any) -> Spectrum:
    """All Lyapunov exponents of a run, whose arguments are those of simulate(); `skip` is a time left to the transient."""
    core = _core_of("lyapunov()", system)
    often, rest = whole("lyapunov()", "every", every, 1, 10**6), number("lyapunov()", "skip", skip, "a time, 0 or above")
    if rest < 0:
        refuse("lyapunov()", "skip", skip, "must be a time, 0 or above")
    with _arguments("lyapunov()"):
        found = json.loads(_core.lyapunov(core, system.changes(*start, **simulate), often, rest))
    if found["status"] == "failed":
        raise RunFailed(found["reason"])
    exponents, errors, pairs, pair_errors = (np.array(found[name]) for name in ("exponents", "errors", "pairs", "pair_errors"))
    return Spectrum(exponents, errors, pairs, pair_errors, found["time"], found["impacts"], found["status"])


@dataclass(frozen=True)
class Plan:
    """What optimal control has found: phases that end at impacts, each with its nodes and controls, and the run by these controls."""

    cost: float
    iterations: int
    seconds: float
    parameters: dict[str, float]
    phases: list[dict[str, Any]]
    run: Run

    def control(self, name: str) -> tuple[Array, Array]:
        """Times and values of a control at the nodes, of all phases."""
        times = [np.array(phase["control_times"]) for phase in self.phases]
        return np.concatenate(times), np.concatenate([np.array(phase["controls"][name]) for phase in self.phases])


def optimise(problem: Problem, *, iterations: int = 1000, **stated: Any) -> Plan:
    """Optimal control through impacts: of a problem's file, or of a system with the problem's keys by name.

    >>> import carom
    >>> ball = carom.scenario("juggled-ball")
    >>> plan = carom.optimise(ball, controls=["u"], steps=4, impacts=["table"], cost={"running": "u^2"}, end={"y": 1.5, "y'": 0.0})
    >>> round(plan.cost, 10), len(plan.run.impacts)
    (18.529304227, 1)

    A problem without a solution near its guess raises RunFailed, whose `plan` is what was reached, as a dictionary; so does one that
    Ctrl-C has stopped.
    """
    most = whole("optimise()", "iterations", iterations, 0, 10**9)
    if isinstance(problem, (str, pathlib.Path)):
        if stated:
            raise TypeError("the keys of a problem are for a system; its file has them")
        path = pathlib.Path(problem)
        return _planned(path.read_text(encoding="utf-8"), str(path), path.parent, most)
    _core_of("optimise()", problem)
    given = {key: as_formulas(value, key) for key, value in stated.items() if value is not None}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "scenario.toml").write_text(problem.to_toml(), encoding="utf-8")
        stated_as = "".join(f"{key} = {_toml(key, value)}\n" for key, value in {"scenario": "scenario.toml", **given}.items())
        return _planned(stated_as, "optimise()", pathlib.Path(folder), most)


def _planned(problem: str, name: str, folder: pathlib.Path, iterations: int) -> Plan:
    from carom.system import System

    told, scenario = _core.optimise(problem, name, str(folder), iterations)
    found = json.loads(told)
    if found["status"] != "solved":
        failure = RunFailed(found["reason"])
        failure.plan = found
        raise failure
    run = System.from_toml(scenario).simulate()
    return Plan(found["cost"], found["iterations"], found["seconds"], found["parameters"], found["phases"], run)


def _toml(key: str, value: Any) -> str:
    """A value as TOML; tables are those in braces."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(key, name)} = {_toml(f'{key}.{name}', x)}" for name, x in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_toml(f"{key}.{i}", x) for i, x in enumerate(value)) + "]"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, str):
        return json.dumps(text("optimise()", key, value), ensure_ascii=False).replace("\x7f", "\\u007f")
    refuse("optimise()", key, value, "must be a number, a text, a list or a table")
