"""Arguments that are no keys of a scenario: what does not fit is refused by its name and value, as the program refuses a key."""

from __future__ import annotations

import math
from typing import Any, NoReturn, TypeGuard

from carom.errors import ScenarioError


def refuse(place: str, key: str, value: Any, why: str) -> NoReturn:
    try:
        shown = repr(value)
    except Exception:
        shown = repr(type(value))
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    raise ScenarioError(f"{place}: {key} = {shown}: {why}", key, shown, why)


def flag(place: str, key: str, value: Any) -> bool:
    """True or False, also NumPy's."""
    if type(value).__name__ not in ("bool", "bool_"):
        refuse(place, key, value, "must be True or False")
    return bool(value)


def whole(place: str, key: str, value: Any, low: int, high: int) -> int:
    """A whole number, also as 8.0."""
    if not isinstance(value, (str, bytes, bool)):
        try:
            number = int(value)
            if number == value and low <= number <= high:
                return number
        except (TypeError, ValueError, OverflowError):
            pass
    refuse(place, key, value, f"must be a whole number from {low} to {high}")


def number(place: str, key: str, value: Any, what: str = "a finite number") -> float:
    if not isinstance(value, (str, bytes, bool)):
        try:
            found = float(value)
            if math.isfinite(found):
                return found
        except (TypeError, ValueError, OverflowError):
            pass
    refuse(place, key, value, f"must be {what}")


def function(place: str, key: str, value: Any, of: str) -> None:
    if value is not None and not callable(value):
        refuse(place, key, value, f"must be a function of {of}")


def is_text(value: Any) -> TypeGuard[str]:
    """A str of characters: Python's may have halves of some, which the core has no bytes for."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def text(place: str, key: str, value: Any, what: str = "a text") -> str:
    if is_text(value):
        return str(value)
    refuse(place, key, value, f"must be {what}")


def text_list(place: str, key: str, value: Any) -> list[str]:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        refuse(place, key, value, "must be a list of texts")
    found = list(value)
    return [text(place, key, item, "a list of texts") for item in found]
