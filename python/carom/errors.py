"""What can go wrong, with the program's own texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom.run import Run


class CaromError(Exception):
    """The base of all that carom raises by itself."""

    def __init__(self, message: str, key: str = "", value: str = "", why: str = "") -> None:
        super().__init__(message)
        self.key = key  # of the scenario that is to blame, such as "time.step"; "" where it is not one key
        self.value = value  # as TOML spells it
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.key, self.value, self.why)


class ScenarioError(CaromError, ValueError):
    """Something that was stated does not fit: a system, a start, a method, a time."""


class RecordError(CaromError):
    """A file of a run was cut, changed or written by something else."""


class FolderError(CaromError, OSError):
    """A folder or file cannot be used."""


class RunFailed(CaromError):
    """A run failed on its way; what it had reached is in `run`, where there was one: a stepper has none.

    Pickled, it keeps the run, unless that had a force in Python, which cannot be written down.
    """

    run: Run | None = None
    plan: dict[str, Any] | None = None
    """Of carom.optimise(): what was reached, as its optimise.json has it."""

    def __reduce__(self) -> tuple[Any, ...]:
        kept = None if self.run is None or self.run._core.forced else self.run
        return type(self), (str(self), self.key, self.value, self.why), {"run": kept, "plan": self.plan}
