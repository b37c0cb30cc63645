"""Systems: stated in formulas, built in, or from a scenario's file; and how a run of one is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

import carom._core as _core
from carom.arguments import flag, function, is_text, refuse
from carom.errors import RunFailed
from carom.formulas import as_formulas
from carom.progress import listener
from carom.run import Run
from carom.stepper import Impact, Stepper

Real = Union[float, np.floating[Any], np.integer[Any]]
Numbers = Union[Sequence[Real], npt.NDArray[Any]]
State = Union[Numbers, Mapping[str, Real]]
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
        if callable(force):
            refuse("System()", "force", force, "a function is an argument of simulate(); here forces are formulas")
        if isinstance(force, Mapping):
            force = _in_order("system.force", force, [] if coordinates is None else list(coordinates), 0.0)
        stated = dict(coordinates=coordinates, lagrangian=lagrangian, parameters=parameters, gaps=gaps, force=force, **others)
        own = {key: as_formulas(value, f"system.{key}") for key, value in stated.items() if value is not None}
        own["name"] = "expression" if name is None else name
        tables = dict(initial=initial, method=method, time=time, output=output, draw=draw, title=title)
        given = {key: as_formulas(value, key) for key, value in tables.items() if value is not None}
        self._core = _core.System(None, None, [{"system": own, **given}])

    @classmethod
    def _of(cls, core: _core.System) -> System:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **parameters: Any) -> System:
        """The system of a scenario's file, or of a shipped scenario by name, with its start, method and time."""
        if not isinstance(path, (str, os.PathLike)) or not is_text(str(path)):
            refuse("scenario()", "path_or_name", path, "must be the path of a file, or the name of a shipped scenario")
        if parameters:
            _known(cls._of(_core.System(str(path), None, [])), parameters)
        return cls._of(_core.System(str(path), None, _parameters(parameters)))

    @classmethod
    def from_toml(cls, text: str, **parameters: Any) -> System:
        """The system of a scenario as text, such as `to_toml()` writes."""
        if not is_text(text):
            refuse("from_toml()", "text", text, "must be the text of a scenario; from_file() takes a path")
        if parameters:
            _known(cls._of(_core.System(None, text, [])), parameters)
        return cls._of(_core.System(None, text, _parameters(parameters)))

    def with_parameters(self, **parameters: Any) -> System:
        """The same system with other values of parameters."""
        _known(self, parameters)
        return self._of(_core.System(None, self.to_toml(), _parameters(parameters)))

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

    @property
    def step(self) -> float:
        """How long steps are where a run does not say so."""
        return self._core.step

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
        end: Real | None = None,
        step: Real | None = None,
        start: Real | None = None,
        impacts: Real | None = None,
        until: Any = None,
        method: str | Mapping[str, Any] | None = None,
        tolerance: Real | None = None,
        restitution: Real | None = None,
        every: Real | None = None,
        quantities: Mapping[str, Any] | None = None,
        psi: Numbers | None = None,
        project: bool | None = None,
        force: Force | None = None,
        progress: bool | Callable[[int, int, str], object] | None = None,
        native: bool = True,
        check: bool = False,
        **keys: Any,
    ) -> Run:
        """One run, from (q, v) or (q, p) until `end`, so many `impacts`, or a formula's change of sign (`until`).

        What is left out is what the scenario says, or the system's default. `method` is the name of a flow, an impact law, a
        stepper or a short name, or a dictionary of the keys of [method], and replaces the scenario's; single keys may be given by name, too:
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
        function("simulate()", "force", force, "(t, q, v)")
        fast, raises = flag("simulate()", "native", native), flag("simulate()", "check", check)
        with listener(progress) as tell:
            core = self._core.run(changes, tell, force, fast)
        run = Run(core)
        if raises and run.status == "failed":
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
        step: Real | None = None,
        start: Real | None = None,
        method: str | Mapping[str, Any] | None = None,
        tolerance: Real | None = None,
        restitution: Real | None = None,
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
        function("stepper()", "on_impact", on_impact, "an impact")
        for key in ("end", "impacts", "until", "every", "quantities"):
            if key in keys:
                refuse("stepper()", key, keys[key], "is of a run; whoever takes the steps ends them")
        core = _core.Stepper(self._core, changes, flag("stepper()", "forced", forced))
        return Stepper(self, core, changes, forced, on_impact)

    def changes(
        self,
        q: State | None = None,
        v: State | None = None,
        p: State | None = None,
        *,
        end: Real | None = None,
        step: Real | None = None,
        start: Real | None = None,
        impacts: Real | None = None,
        until: Any = None,
        method: str | Mapping[str, Any] | None = None,
        every: Real | None = None,
        quantities: Mapping[str, Any] | None = None,
        psi: Numbers | None = None,
        project: bool | None = None,
        **keys: Any,
    ) -> list[Tables]:
        """What the arguments of simulate() take out of the scenario's tables, and what they put into them."""
        drop, method_keys = _method(method)
        initial = dict(q=self._vector("q", q), v=self._vector("v", v), p=self._vector("p", p), psi=psi, project=project)
        if v is not None or p is not None:
            drop["initial"] = {"v": None, "p": None}
        if quantities is not None:
            drop["output"] = {"quantities": None}
        tables = dict(
            initial=initial,
            method={**method_keys, **{key: value for key, value in keys.items() if value is not None}},
            time=dict(start=start, step=step, end=end, impacts=impacts, until=until),
            output=dict(every=every, quantities=quantities),
        )
        stated = {key: _stated(key, table) for key, table in tables.items()}
        return [drop, {key: table for key, table in stated.items() if table}]

    def _vector(self, name: str, x: State | None) -> Any:
        return _in_order("initial." + name, x, self.coordinates) if isinstance(x, Mapping) else x


_WHOLE = {"every", "impacts", "order", "stages", "window"}


def _stated(name: str, table: Mapping[str, Any]) -> Tables:
    made = {key: as_formulas(value, f"{name}.{key}") for key, value in table.items() if value is not None}
    for key in _WHOLE & made.keys():  # 1e6 is a whole number
        if isinstance(made[key], float) and made[key].is_integer():
            made[key] = int(made[key])
    return made


def _parameters(parameters: Mapping[str, Any]) -> list[Tables]:
    return [{"system": {"parameters": as_formulas(parameters, "system.parameters")}}] if parameters else []


def _known(system: System, parameters: Mapping[str, Any]) -> None:
    known = system.parameters
    for name in parameters:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            refuse("System", f"system.parameters.{name}", parameters[name], f"no parameter has this name; {there}")


def _in_order(key: str, by_name: Mapping[str, Any], names: list[str], missing: float | None = None) -> list[Any]:
    """The values of all coordinates in their order."""
    for name in by_name:
        if name not in names:
            why = f"no coordinate has this name; there are {', '.join(names)}"
            refuse("System", f"{key}.{name}", by_name[name], why)
    lacking = [name for name in names if name not in by_name]
    if lacking and missing is None:
        why = f"has no value for {', '.join(lacking)}"
        refuse("System", key, by_name, why)
    return [by_name.get(name, missing) for name in names]


def _method(method: str | Mapping[str, Any] | None) -> tuple[Tables, Tables]:
    """What a method replaces in the scenario, and its keys."""
    if method is None:
        return {}, {}
    if isinstance(method, Mapping):
        return {"method": None}, dict(method)
    if isinstance(method, str) and not is_text(method):
        refuse("simulate()", "method.name", method, "must be the name of a method")
    stepper = isinstance(method, str) and _core.kind_of_method(method) == "stepper"
    return {"method": None}, {"stepper" if stepper else "name": method}


def scenario(path_or_name: str | os.PathLike[str], **parameters: Any) -> System:
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
