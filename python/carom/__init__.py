"""carom: mechanical systems with impacts, contact and joints, by integrators that keep the structure of mechanics.

>>> import carom
>>> ball = carom.System(coordinates=["y"], lagrangian="0.5*y'^2 - 9.81*y", gaps={"floor": "y"})
>>> run = ball.simulate(q=[1.0], v=[0.0], end=2.0, step=0.01)
>>> run.status, len(run.impacts)
('completed', 2)

Everything is computed by the program's own core; docs/guide/python.md shows all of it.
"""

from __future__ import annotations

import pathlib as _pathlib

import carom._core as _core
from carom.derivatives import Branch, Jacobian, Orbit, Plan, Spectrum, lyapunov, objective, optimise, orbit
from carom.errors import CaromError, FolderError, RecordError, RunFailed, ScenarioError
from carom.ivp import solve_ivp
from carom.run import Run, State, load
from carom.stepper import Impact, Stepper
from carom.sweep import Sweep, sweep
from carom.system import System, scenario, scenarios, systems

_shipped = _pathlib.Path(__file__).parent / "scenarios"  # of a wheel; else those beside the sources
if _shipped.is_dir():
    _core.ship_scenarios_in(str(_shipped))
__version__ = _core.version()

__all__ = [
    "Branch",
    "CaromError",
    "FolderError",
    "Impact",
    "Jacobian",
    "Orbit",
    "Plan",
    "RecordError",
    "Run",
    "RunFailed",
    "ScenarioError",
    "Spectrum",
    "State",
    "Stepper",
    "Sweep",
    "System",
    "load",
    "lyapunov",
    "objective",
    "optimise",
    "orbit",
    "scenario",
    "scenarios",
    "solve_ivp",
    "sweep",
    "systems",
]
