"""Steps taken by hand: control loops, and environments to learn in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.arguments import refuse
from carom.errors import RecordError
from carom.formulas import as_formulas

if TYPE_CHECKING:
    from carom.system import System

Array = npt.NDArray[np.float64]


class Impact(NamedTuple):
    """An impact of a step: p jumps, q stays."""

    t: float
    contacts: list[str]
    q: Array
    p_before: Array
    p_after: Array


class Stepper:
    """A run whose steps are taken one by one; made by System.stepper().

    >>> import carom
    >>> cart = carom.System(coordinates=["x"], lagrangian="0.5*x'^2")
    >>> stepper = cart.stepper(q=[1.0], step=0.1, forced=True)
    >>> for _ in range(100):
    ...     stepper.step(force=-4 * stepper.q - 4 * stepper.v)
    >>> bool(abs(stepper.q[0]) < 1e-6), round(stepper.t, 12)
    (True, 10.0)
    """

    def __init__(
        self,
        system: System,
        core: _core.Stepper,
        changes: list[dict[str, Any]],
        forced: bool,
        on_impact: Callable[[Impact], object] | None,
    ) -> None:
        self._system = system
        self._core = core
        self._changes = changes
        self._forced = forced
        self._on_impact = on_impact

    def step(self, force: float | Sequence[float] | Array | None = None) -> None:
        """One step. A force is held until another one is given. A step that fails raises RunFailed, and leaves the state."""
        self._core.step(force)
        if self._on_impact is not None:
            for impact in self.impacts:
                self._on_impact(impact)

    def reset(self, q: Any = None, v: Any = None, p: Any = None) -> None:
        """Back to the start, or to another one, at its time."""
        given = {name: x for name, x in dict(q=q, v=v, p=p).items() if x is not None}
        initial = {name: as_formulas(self._system._vector(name, x), f"initial.{name}") for name, x in given.items()}
        drop = {"initial": {"v": None, "p": None}} if v is not None or p is not None else {}
        self._core.restart([*self._changes, drop, {"initial": initial}] if initial else self._changes)

    @property
    def t(self) -> float:
        return self._core.t

    @property
    def steps(self) -> int:
        return self._core.steps

    @property
    def q(self) -> Array:
        return self._core.q

    @property
    def v(self) -> Array:
        return self._core.v

    @property
    def p(self) -> Array:
        return self._core.p

    @property
    def energy(self) -> float:
        return self._core.energy

    @property
    def gaps(self) -> Array:
        return self._core.gaps

    @property
    def impacts(self) -> list[Impact]:
        """Those of the last step."""
        return [Impact(*impact) for impact in self._core.impacts]

    @property
    def state(self) -> list[float]:
        """Time, state and what the method remembers: given back, the steps go on as if nothing had been in between."""
        return self._core.kept()

    @state.setter
    def state(self, numbers: Sequence[float]) -> None:
        try:
            given = [float(x) for x in numbers]
        except (TypeError, ValueError, OverflowError):
            refuse("stepper", "state", numbers, "must be the list of numbers that state was")
        try:
            self._core.go_back(given)
        except RecordError as error:
            raise RecordError(str(error), "state", f"a list of {len(given)} numbers", str(error)) from None

    def __reduce__(self) -> tuple[Callable[..., Stepper], tuple[Any, ...]]:
        """Copies and pickles go on as this one does. The impacts of the last step stay here."""
        return _restored, (self._system, self._changes, self._forced, self._on_impact, self.state)


def _restored(system: System, changes: list[dict[str, Any]], forced: bool, on_impact: Any, state: list[float]) -> Stepper:
    made = Stepper(system, _core.Stepper(system._core, changes, forced), changes, forced, on_impact)
    made.state = state
    return made
