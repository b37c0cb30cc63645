"""What Python states as formulas: SymPy's expressions, in the language of a scenario."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any


def as_formulas(value: Any) -> Any:
    """The value with every expression of SymPy in it as text; what is none stays."""
    sympy: Any = sys.modules.get("sympy")  # whoever has an expression has imported it
    if isinstance(value, Mapping):
        return {str(key): as_formulas(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or (sympy and isinstance(value, sympy.MatrixBase)):
        return [as_formulas(item) for item in value]
    if sympy and isinstance(value, sympy.Basic):
        return str(_printer()().doprint(value)).replace("**", "^")
    return value


_FUNCTIONS = {"asin", "acos", "atan", "atan2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor"}
_RENAMED = {"Abs": "abs", "Min": "min", "Max": "max"}


def _function(printer: Any, e: Any) -> str:
    """x(t) is the coordinate x; the functions of formulas have SymPy's names, or nearly."""
    name = str(e.func.__name__)
    if name in _RENAMED or name in _FUNCTIONS:
        return f"{_RENAMED.get(name, name)}({', '.join(printer._print(x) for x in e.args)})"
    if len(e.args) == 1 and str(e.args[0]) == "t":
        return name
    raise ValueError(f"{e}: formulas have no function {name}")


def _velocity(printer: Any, e: Any) -> str:
    (variable, order), *others = e.variable_count
    if others or order != 1 or str(variable) != "t":
        raise ValueError(f"{e}: the derivatives that formulas have are velocities, dx/dt")
    return f"{printer._print(e.expr)}'"


def _printer() -> Any:
    base = importlib.import_module("sympy.printing.str").StrPrinter
    own = {f"_print_{name}": _function for name in ("Function", "Abs", "Min", "Max", "floor", "sign")}
    numbers = {
        "_print_Float": lambda _, e: repr(float(e)),
        "_print_Exp1": lambda _, e: "exp(1)",
        "_print_Pi": lambda _, e: "pi",
    }
    return type("FormulaPrinter", (base,), {**own, **numbers, "_print_Derivative": _velocity})
