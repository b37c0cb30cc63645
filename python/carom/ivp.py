"""For people who come from scipy.integrate.solve_ivp: the same call for a system, and events of which none is missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from carom.run import Run
from carom.system import System

Array = npt.NDArray[np.float64]
Event = Callable[[float, Array], Any]


class Solution(NamedTuple):
    """What solve_ivp returns: y has the coordinates, then the velocities, a column for each t."""

    t: Array
    y: Array
    t_events: list[Array] | None
    y_events: list[Array] | None
    sol: Callable[[Any], Array]
    status: int  # 0: the end was reached; 1: a terminal event; -1: the run failed or was stopped
    message: str
    success: bool
    run: Run


def solve_ivp(
    system: System,
    t_span: tuple[float, float],
    y0: Sequence[float] | Array,
    method: str | None = None,
    t_eval: Sequence[float] | Array | None = None,
    events: Union[Event, Sequence[Event], None] = None,
    samples: int = 8,
    **options: Any,
) -> Solution:
    """A system from t_span[0] to t_span[1], and where the functions `events` of (t, y) are zero.

    y0 and y are the coordinates, then the velocities. Events have `terminal` and `direction` as SciPy's; the run goes to its
    end in any case, and is cut at a terminal one. Each stretch between two records is looked at `samples` times, and where a
    function dips in between. `options` are those of System.simulate().

    SciPy's issue 9228, a cubic with three roots, of which scipy.integrate.solve_ivp finds one:

    >>> import carom
    >>> cubic = carom.System(coordinates=["y"], lagrangian="0.5*y'^2", force=["6*t + 12"])
    >>> found = carom.solve_ivp(cubic, (-8, 4), [-120, 92], events=lambda t, y: y[0], step=4.0, method="gauss")
    >>> found.t_events[0].round(9).tolist()
    [-6.0, -2.0, 2.0]
    """
    n = len(system.coordinates)
    y = np.asarray(y0, dtype=float)
    if y.shape != (2 * n,):
        raise ValueError(f"y0 has the shape {y.shape}: {n} coordinates and their velocities are {2 * n} numbers")
    run = system.simulate(y[:n], y[n:], start=t_span[0], end=t_span[1], method=method, **options)

    def sol(t: Any) -> Array:
        state = run(t)
        return np.concatenate([state.q.T, state.v.T])

    functions = [] if events is None else [events] if callable(events) else list(events)
    t_events = [_roots(run, event, samples) for event in functions]
    status, end = (0, float(run.t[-1])) if run.status == "completed" else (-1, float(run.t[-1]))
    for event, times in zip(functions, t_events):
        if getattr(event, "terminal", False) and len(times) and times[0] <= end:
            status, end = 1, float(times[0])
    t_events = [times[times <= end] for times in t_events]
    t = run.t[run.t <= end] if t_eval is None else np.asarray(t_eval, dtype=float)
    t = np.append(t, end) if status == 1 and t_eval is None and t[-1] < end else t[t <= end]
    message = {0: "the end was reached", 1: "a terminal event was reached", -1: run.reason}[status]
    y_events = [np.array([sol(s) for s in times]).reshape(-1, 2 * n) for times in t_events]
    known = None if events is None else (t_events, y_events)
    return Solution(t, sol(t), known and known[0], known and known[1], sol, status, message, status >= 0, run)


def _roots(run: Run, event: Event, samples: int) -> Array:
    """The roots of an event in its direction."""
    found = np.array(run.dense.roots(event, int(samples)))
    direction = float(getattr(event, "direction", 0))
    if direction == 0 or not len(found):
        return found
    step = 1e-6 * np.diff(run.t).min()

    def value(t: float) -> float:
        state = run(min(max(t, run.t[0]), run.t[-1]))
        return float(event(t, np.concatenate([state.q, state.v])))

    rising: npt.NDArray[np.bool_] = np.array([value(t + step) > value(t - step) for t in found])
    kept: Array = found[rising if direction > 0 else ~rising]
    return kept
