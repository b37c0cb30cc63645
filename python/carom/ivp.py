"""For people who come from scipy.integrate.solve_ivp: the same call for a system, and events of which none is missed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from carom.arguments import flag, number, refuse, whole
from carom.run import Run
from carom.system import Real, System

Array = npt.NDArray[np.float64]
Event = Callable[..., Any]
_HERE = "solve_ivp()"


@dataclasses.dataclass(frozen=True)
class Solution:
    """What solve_ivp returns: y has the coordinates, then the velocities, a column for each t. found["t"] is found.t."""

    t: Array
    y: Array
    t_events: list[Array]  # one for each event; none where none were given
    y_events: list[Array]
    sol: Callable[[Any], Array]  # any time; there without dense_output, too
    nfev: int  # rounds of the method's equations, over all stages each; 0 where it has none to solve
    status: int  # 0: the end was reached; 1: an event or the run's own condition ended it; -1: it failed or was stopped
    message: str
    success: bool
    run: Run

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys():
            raise KeyError(f"{name!r}: there are {', '.join(self.keys())}")
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        return [field.name for field in dataclasses.fields(self)]


@dataclasses.dataclass(frozen=True)
class _Dense:
    """A run as SciPy's dense output: y of t."""

    run: Run

    def __call__(self, t: Any) -> Array:
        state = self.run(t)
        return np.concatenate([state.q.T, state.v.T])


def solve_ivp(
    system: System,
    t_span: Sequence[Real],
    y0: Sequence[Real] | npt.NDArray[Any],
    method: str | None = None,
    t_eval: Sequence[Real] | npt.NDArray[Any] | None = None,
    dense_output: bool = False,
    events: Union[Event, Sequence[Event], None] = None,
    vectorized: bool = False,
    args: Sequence[Any] | None = None,
    *,
    rtol: Any = None,
    atol: Any = None,
    max_step: Real | None = None,
    samples: int = 8,
    **options: Any,
) -> Solution:
    """A system from t_span[0] to t_span[1], and where the functions `events` of (t, y) are zero.

    y0 and y are the coordinates, then the velocities. Events have `terminal`, which may be a count, and `direction` as
    SciPy's, and get `args`; the run goes to its end in any case, and is cut at a terminal one. Each stretch between two
    records is looked at `samples` times, and where a function dips in between. Other `options` are those of System.simulate().

    `rtol` or `atol`, the smaller one where both are given, is the `tolerance` of a step, relative to the size of the state;
    without either, steps are `step` long. `max_step` is the longest step. `dense_output` and `vectorized` change nothing:
    `sol` is always there, and there is no function of the right-hand side.

    SciPy's issue 9228, a cubic with three roots, of which scipy.integrate.solve_ivp finds one:

    >>> import carom
    >>> cubic = carom.System(coordinates=["y"], lagrangian="0.5*y'^2", force=["6*t + 12"])
    >>> found = carom.solve_ivp(cubic, (-8, 4), [-120, 92], events=lambda t, y: y[0], step=4.0, method="gauss")
    >>> found.t_events[0].round(9).tolist()
    [-6.0, -2.0, 2.0]
    """
    if not isinstance(system, System):
        why = "must be a System; SciPy's own solve_ivp takes a function" if callable(system) else "must be a System"
        refuse(_HERE, "system", system, why)
    begin, until = _span(t_span)
    start = _numbers("y0", y0)
    n = len(system.coordinates)
    if start.shape != (2 * n,):
        refuse(_HERE, "y0", y0, f"{n} coordinates and their velocities are {2 * n} numbers")
    asked = None if t_eval is None else _times(t_eval, begin, until)
    flag(_HERE, "dense_output", dense_output), flag(_HERE, "vectorized", vectorized)
    functions = _events(events, args)
    looks = whole(_HERE, "samples", samples, 2, 100_000)
    options = {**options, **_steps(system, rtol, atol, max_step, options)}
    run = system.simulate(start[:n], start[n:], start=begin, end=until, method=method, **options)

    sol = _Dense(run)
    status, end, message = _ended(run)
    t_events = [np.empty(0) for _ in functions]
    try:
        for i, event in enumerate(functions):
            t_events[i] = _roots(run, event, looks)
    except KeyboardInterrupt:
        status, message = -1, "stopped on request while events were looked for"
    for event, times in zip(functions, t_events):
        if event.terminal and len(times) >= event.terminal and times[event.terminal - 1] <= end:
            status, end, message = 1, float(times[event.terminal - 1]), "a terminal event was reached"
    t_events = [times[times <= end] for times in t_events]
    t = run.t[run.t <= end] if asked is None else asked[asked <= end]
    if asked is None and t[-1] < end:
        t = np.append(t, end)
    y_events = [np.array([sol(s) for s in times]).reshape(-1, 2 * n) for times in t_events]
    solves = int(run.summary.cost.newton_iterations)
    return Solution(t, sol(t), t_events, y_events, sol, solves, status, message, status >= 0, run)


def _ended(run: Run) -> tuple[int, float, str]:
    if run.status != "completed":
        return -1, float(run.t[-1]), run.reason
    by = run.summary.ended_by
    if by == "end":
        return 0, float(run.t[-1]), "the end was reached"
    why = {"until": "its condition, until, changed sign", "impacts": "it had its impacts", "rest": "nothing moves any more"}[by]
    return 1, float(run.t[-1]), f"the run ended at t = {run.t[-1]:.10g}: {why}"


# --- arguments --------------------------------------------------------------------------------------------------


def _numbers(key: str, value: Any) -> Array:
    """A list of finite numbers, SymPy's among them."""
    try:
        given = [value.item()] if getattr(value, "ndim", 1) == 0 else list(value)
        if isinstance(value, (str, bytes, dict, set)):
            raise TypeError
        return np.array([number(_HERE, key, x) for x in given], dtype=float)
    except (TypeError, ValueError):
        refuse(_HERE, key, value, "must be a list of finite numbers")


def _span(t_span: Any) -> tuple[float, float]:
    span = _numbers("t_span", t_span)
    if len(span) != 2:
        refuse(_HERE, "t_span", t_span, "must be two numbers, where it begins and where it ends")
    if not span[1] > span[0]:
        refuse(_HERE, "t_span", t_span, "must go forward: systems with impacts have no way back")
    return float(span[0]), float(span[1])


def _times(t_eval: Any, begin: float, end: float) -> Array:
    times = _numbers("t_eval", t_eval)
    if len(times) and not (times.min() >= begin and times.max() <= end):
        refuse(_HERE, "t_eval", t_eval, f"must lie within t_span, from {begin} to {end}")
    if (np.diff(times) <= 0).any():
        refuse(_HERE, "t_eval", t_eval, "must be sorted, each time once")
    return times


def _steps(system: System, rtol: Any, atol: Any, max_step: Any, options: dict[str, Any]) -> dict[str, Any]:
    """SciPy's names for what a scenario calls tolerance and longest_step."""
    made: dict[str, Any] = {}
    asked = [x for key, given in (("rtol", rtol), ("atol", atol)) if given is not None for x in _tolerances(key, given)]
    if asked:
        if options.get("tolerance") is not None:
            refuse(_HERE, "tolerance", options["tolerance"], "goes without rtol and atol, which are the same thing")
        if max(asked) == 0:
            refuse(_HERE, "rtol", rtol, "must be above 0, or atol")
        made["tolerance"] = min(x for x in asked if x > 0)
    if max_step is None or (isinstance(max_step, float) and max_step == math.inf):
        return made
    longest = number(_HERE, "max_step", max_step, "a number above 0")
    if longest <= 0:
        refuse(_HERE, "max_step", max_step, "must be a number above 0")
    if made or options.get("tolerance") is not None:
        return {**made, "longest_step": longest}
    step = options.get("step")
    return {"step": min(longest, system.step if step is None else number(_HERE, "step", step))}


def _tolerances(key: str, given: Any) -> list[float]:
    many = hasattr(given, "__len__") and not isinstance(given, str)
    values = _numbers(key, given) if many else np.array([number(_HERE, key, given)])
    if not len(values) or (values < 0).any():
        refuse(_HERE, key, given, "must be 0 or above")
    return [float(x) for x in values]


# --- events -----------------------------------------------------------------------------------------------------


class _Watched:
    """An event with what SciPy has as its attributes."""

    def __init__(self, event: Event, args: Sequence[Any]) -> None:
        if not callable(event):
            refuse(_HERE, "events", event, "must be a function of (t, y), or a list of them")
        self.event, self.args = event, args
        terminal = getattr(event, "terminal", None)
        self.terminal = 0 if terminal is None else whole(_HERE, "terminal", int(terminal) if terminal in (True, False) else terminal, 0, 2**31)
        self.direction = number(_HERE, "direction", getattr(event, "direction", 0))

    def __call__(self, t: float, y: Array) -> float:
        value = self.event(t, y, *self.args)
        try:
            return float(value)
        except (TypeError, ValueError):
            refuse(_HERE, "events", value, "what an event gives must be a number")


def _events(events: Any, args: Any) -> list[_Watched]:
    given: Any = () if args is None else args
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        refuse(_HERE, "args", args, "must be a tuple of what events get beside (t, y): (x,) for one")
    if events is None:
        return []
    if not callable(events) and not isinstance(events, (list, tuple)):
        refuse(_HERE, "events", events, "must be a function of (t, y), or a list of them")
    return [_Watched(event, tuple(given)) for event in ([events] if callable(events) else events)]


def _roots(run: Run, event: _Watched, samples: int) -> Array:
    """The roots of an event in its direction."""
    found = np.array(run.dense.roots(event, samples), dtype=float)
    if event.direction == 0 or not len(found):
        return found
    step = 1e-6 * np.diff(run.t).min()

    def value(t: float) -> float:
        state = run(min(max(t, run.t[0]), run.t[-1]))
        return event(t, np.concatenate([state.q, state.v]))

    rising: npt.NDArray[np.bool_] = np.array([value(t + step) > value(t - step) for t in found])
    kept: Array = found[rising if event.direction > 0 else ~rising]
    return kept
