"""Systems: stated in formulas, built in, or from a scenario's file; and how a run of one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.errors import RunFailed, ScenarioError
from carom.formulas import as_formulas
from carom.progress import listener
from carom.run import Run
from carom.stepper import Impact, Stepper

Numbers = Union[Sequence[float], npt.NDArray[np.float64]]
State = Union[Numbers, Mapping[str, float]]
Tables = dict[str, Any]
Force = Callable[[float, npt.NDArray[np.float64], npt.NDArray[np.float64]], Any]


class System:
    """A mechanical system. It is made and checked once, and runs as often as one likes.

    A system of one's own is stated in the formulas of a scenario, which may also be numbers and SymPy's expressions:

    >>> System(coordinates=["x"], lagrangian="0.5*m*x'^2 - 0.5*k*x^2", parameters={"m": 1, "k": 4}).coordinates
    ['x']

    A built-in one has a name, and parameters to change:

    >>> System("cart-pendulum").contacts
    ['floor']

    Every key of the table [system] of a scenario may be given by name, and the other tables ([initial], [method], [time],
    [output], [draw]) as dictionaries. What does not fit raises ScenarioError, with the key and the value:

    >>> System("cart-pendulom")
    Traceback (most recent call last):
    carom.errors.ScenarioError: System(): system.name = "cart-pendulom": no system has this name; did you mean "cart-pendulum"?
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        coordinates: Sequence[str] | None = None,
        lagrangian: Any = None,
        parameters: Mapping[str, Any] | None = None,
        gaps: Mapping[str, Any] | None = None,
        force: Sequence[Any] | Mapping[str, Any] | None = None,
        title: str | None = None,
        initial: Mapping[str, Any] | None = None,
        method: Mapping[str, Any] | None = None,
        time: Mapping[str, Any] | None = None,
        output: Mapping[str, Any] | None = None,
        draw: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> None:
        if isinstance(force, Mapping):
            force = _in_order("system.force", force, list(coordinates or ()), 0.0)
        stated = dict(coordinates=coordinates, lagrangian=lagrangian, parameters=parameters, gaps=gaps, force=force, **others)
        own = {key: as_formulas(value) for key, value in stated.items() if value is not None}
        own["name"] = "expression" if name is None else name
        tables = dict(initial=initial, method=method, time=time, output=output, draw=draw, title=title)
        given = {key: as_formulas(value) for key, value in tables.items() if value is not None}
        self._core = _core.System(None, None, [{"system": own, **given}])

    @classmethod
    def _of(cls, core: _core.System) -> System:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_file(cls, path: str, **parameters: Any) -> System:
        """The system of a scenario's file, or of a shipped scenario by name, with its start, method and time."""
        return cls._of(_core.System(str(path), None, _parameters(parameters)))

    @classmethod
    def from_toml(cls, text: str, **parameters: Any) -> System:
        """The system of a scenario as text, such as `to_toml()` writes."""
        if not isinstance(text, str):
            raise TypeError(f"a scenario is a text, and not of {type(text)}; from_file() takes a path")
        return cls._of(_core.System(None, text, _parameters(parameters)))

    def with_parameters(self, **parameters: Any) -> System:
        """The same system with other values of parameters."""
        return self.from_toml(self.to_toml(), **parameters)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def title(self) -> str:
        return self._core.title

    @property
    def coordinates(self) -> list[str]:
        return self._core.coordinates

    @property
    def contacts(self) -> list[str]:
        return self._core.contacts

    @property
    def parameters(self) -> dict[str, float | str]:
        return self._core.parameters

    def to_toml(self) -> str:
        """The scenario, as its file would be. Reading it gives the same system, digit for digit."""
        return self._core.to_toml()

    def __reduce__(self) -> tuple[Callable[[str], System], tuple[str]]:
        return System.from_toml, (self.to_toml(),)

    def __repr__(self) -> str:
        return f"System({self.title or self.name!r}, coordinates={self.coordinates}, contacts={self.contacts})"

    def simulate(
        self,
        q: State | None = None,
        v: State | None = None,
        p: State | None = None,
        *,
        end: float | None = None,
        step: float | None = None,
        start: float | None = None,
        impacts: int | None = None,
        until: Any = None,
        method: str | Mapping[str, Any] | None = None,
        tolerance: float | None = None,
        restitution: float | None = None,
        every: int | None = None,
        quantities: Mapping[str, Any] | None = None,
        psi: Sequence[float] | None = None,
        project: bool | None = None,
        force: Force | None = None,
        progress: bool | Callable[[int, int, str], object] | None = None,
        native: bool = True,
        check: bool = False,
        **keys: Any,
    ) -> Run:
        """One run, from (q, v) or (q, p) until `end`, so many `impacts`, or a formula's change of sign (`until`).

        What is left out is what the scenario says, or the system's default. `method` is the name of a flow, an impact law, a
        stepper or a short name, or a dictionary of the keys of [method]; single keys of it may be given by name, too:
        `stepper="contact"`. `every` and `quantities` say what is recorded. Ctrl-C ends the run, which is returned with the
        status "stopped". A run that fails is returned with what it reached and `run.reason`; with `check=True` it
        raises RunFailed instead.

        `force` is a function of (t, q, v) that gives a number, or one for each coordinate: a controller. It is called once a
        step, at its start, and what it gave is held until the next; it gets the same two arrays each time, to be copied if
        they are kept. Systems in formulas take one.

        >>> run = System("cart-pendulum").simulate(end=1.0, method="sva", impact="discrete-energy")
        >>> run.summary.method
        'sva, discrete-energy'
        """
        changes = self.changes(
            q, v, p, end=end, step=step, start=start, impacts=impacts, until=until, method=method, tolerance=tolerance,
            restitution=restitution, every=every, quantities=quantities, psi=psi, project=project, **keys,
        )  # fmt: skip
        with listener(progress) as tell:
            core = self._core.run(changes, tell, force, bool(native))
        run = Run(core)
        if check and run.status == "failed":
            failure = RunFailed(run.reason)
            failure.run = run
            raise failure
        return run

    def stepper(
        self,
        q: State | None = None,
        v: State | None = None,
        p: State | None = None,
        *,
        step: float | None = None,
        start: float | None = None,
        method: str | Mapping[str, Any] | None = None,
        tolerance: float | None = None,
        restitution: float | None = None,
        project: bool | None = None,
        forced: bool = False,
        on_impact: Callable[[Impact], object] | None = None,
        **keys: Any,
    ) -> Stepper:
        """Steps to be taken by hand, from the same start and by the same method as simulate() would.

        With `forced` each step may be given a force. `on_impact` is called for each impact of a step, after it.
        """
        changes = self.changes(q, v, p, step=step, start=start, method=method, tolerance=tolerance, restitution=restitution,
                               project=project, **keys)  # fmt: skip
        return Stepper(_core.Stepper(self._core, changes, bool(forced)), changes, on_impact)

    def changes(
        self,
        q: State | None = None,
        v: State | None = None,
        p: State | None = None,
        *,
        end: float | None = None,
        step: float | None = None,
        start: float | None = None,
        impacts: int | None = None,
        until: Any = None,
        method: str | Mapping[str, Any] | None = None,
        every: int | None = None,
        quantities: Mapping[str, Any] | None = None,
        psi: Sequence[float] | None = None,
        project: bool | None = None,
        **keys: Any,
    ) -> list[Tables]:
        """What the arguments of simulate() take out of the scenario's tables, and what they put into them."""
        drop, method_keys = _method(method)
        initial = dict(q=self._vector("q", q), v=self._vector("v", v), p=self._vector("p", p), psi=psi, project=project)
        if v is not None or p is not None:
            drop["initial"] = {"v": None, "p": None}
        if end is not None or impacts is not None or until is not None:
            drop["time"] = {"end": None, "impacts": None, "until": None}
        if quantities is not None:
            drop["output"] = {"quantities": None}
        tables = dict(
            initial=initial,
            method={**method_keys, **keys},
            time=dict(start=start, step=step, end=end, impacts=impacts, until=until),
            output=dict(every=every, quantities=quantities),
        )
        stated = {key: _stated(table) for key, table in tables.items()}
        return [drop, {key: table for key, table in stated.items() if table}]

    def _vector(self, name: str, x: State | None) -> Any:
        return _in_order("initial." + name, x, self.coordinates) if isinstance(x, Mapping) else x


def _stated(table: Mapping[str, Any]) -> Tables:
    return {key: as_formulas(value) for key, value in table.items() if value is not None}


def _parameters(parameters: Mapping[str, Any]) -> list[Tables]:
    return [{"system": {"parameters": dict(parameters)}}] if parameters else []


def _in_order(key: str, by_name: Mapping[str, Any], names: list[str], missing: float | None = None) -> list[Any]:
    """The values of all coordinates in their order."""
    for name in by_name:
        if name not in names:
            why = f"no coordinate has this name; there are {', '.join(names)}"
            raise ScenarioError(f"{key}.{name}: {why}", f"{key}.{name}", "", why)
    lacking = [name for name in names if name not in by_name]
    if lacking and missing is None:
        why = f"has no value for {', '.join(lacking)}"
        raise ScenarioError(f"{key}: {why}", key, "", why)
    return [by_name.get(name, missing) for name in names]


def _method(method: str | Mapping[str, Any] | None) -> tuple[Tables, Tables]:
    """What a method replaces in the scenario, and its keys."""
    if method is None:
        return {}, {}
    if isinstance(method, Mapping):
        return {"method": None}, dict(method)
    stepper = isinstance(method, str) and _core.kind_of_method(method) == "stepper"
    return {"method": None}, {"stepper" if stepper else "name": method}


def scenario(path_or_name: str, **parameters: Any) -> System:
    """The system of a scenario's file or of a shipped scenario, with its start, method and time; see `scenarios()`.

    >>> scenario("double-pendulum", m1=2.0).simulate(end=1.0).status
    'completed'
    """
    return System.from_file(path_or_name, **parameters)


def scenarios() -> list[str]:
    """The names of the shipped scenarios."""
    return _core.shipped_scenarios()


def systems() -> list[str]:
    """The names of the built-in systems."""
    return _core.system_names()
