"""What Python states as formulas: SymPy's expressions, in the language of a scenario."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carom.arguments import refuse

_DEEPEST = 16  # no key has lists below that; the core says so


def as_formulas(value: Any, key: str, depth: int = 0) -> Any:
    """The value with every expression of SymPy in it as text or number, and what is a list by any other name as one."""
    sympy: Any = sys.modules.get("sympy")  # whoever has an expression has imported it
    if depth > _DEEPEST:
        return value
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f":
        return value.astype(float)  # of whatever width
    if isinstance(value, Mapping):
        return {name: as_formulas(item, f"{key}.{name}", depth + 1) for name, item in value.items()}
    is_matrix = sympy is not None and isinstance(value, sympy.MatrixBase)
    if is_matrix or (isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview))):
        return [as_formulas(item, f"{key}.{i}", depth + 1) for i, item in enumerate(value)]
    if sympy and isinstance(value, sympy.Basic):
        return _formula(sympy, value, key)
    return value


def _formula(sympy: Any, e: Any, key: str) -> Any:
    """A number where it is one, a text otherwise."""
    if isinstance(e, sympy.Integer):
        return int(e)
    if isinstance(e, sympy.Expr) and e.is_number and e.is_extended_real:
        return float(e)
    if not isinstance(e, sympy.Expr):
        refuse("SymPy", key, e, "is no expression that a formula could be")
    try:
        return str(_printer()().doprint(e)).replace("**", "^")
    except _NoFormula as problem:
        refuse("SymPy", key, e, str(problem))


class _NoFormula(Exception):
    """An expression has a part that formulas have not."""


_SAME = {"asin", "acos", "atan", "atan2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor"}
_RENAMED = {"Abs": "abs", "Min": "min", "Max": "max", "Mod": "mod"}
# asinh as log((1 + s + x)/(1 + s - x)), s = sqrt(1 + x^2), which is accurate on both sides.
_STATED = {
    "ceiling": "(-floor(-({0})))",
    "frac": "mod({0}, 1)",
    "cbrt": "({0})^(1/3)",
    "sec": "(1/cos({0}))",
    "csc": "(1/sin({0}))",
    "cot": "(cos({0})/sin({0}))",
    "asec": "acos(1/({0}))",
    "acsc": "asin(1/({0}))",
    "acot": "atan(1/({0}))",
    "sech": "(1/cosh({0}))",
    "csch": "(1/sinh({0}))",
    "coth": "(1/tanh({0}))",
    "asinh": "log((1 + sqrt(1 + ({0})^2) + ({0}))/(1 + sqrt(1 + ({0})^2) - ({0})))",
    "acosh": "log({0} + sqrt(({0})^2 - 1))",
    "atanh": "(log((1 + ({0}))/(1 - ({0})))/2)",
    "acoth": "(log((({0}) + 1)/(({0}) - 1))/2)",
}


def _function(printer: Any, e: Any) -> str:
    """x(t) is the coordinate x; the functions of formulas have SymPy's names, or are stated by these."""
    name = str(e.func.__name__)
    arguments = [printer._print(x) for x in e.args]
    if name in _RENAMED or name in _SAME:
        return f"{_RENAMED.get(name, name)}({', '.join(arguments)})"
    if name in _STATED:
        return _STATED[name].format(*arguments)
    if name == "Heaviside":
        at_zero = arguments[1] if len(arguments) > 1 else "1/2"
        return f"if({arguments[0]} > 0, 1, if({arguments[0]} < 0, 0, {at_zero}))"
    if _is_coordinate(e):
        return name
    raise _NoFormula(f"formulas have no function {name}")


def _is_coordinate(e: Any) -> bool:
    return len(getattr(e, "args", ())) == 1 and str(e.args[0]) == "t" and type(type(e)).__name__ == "UndefinedFunction"


def _velocity(printer: Any, e: Any) -> str:
    (variable, order), *others = e.variable_count
    if not others and order == 1 and str(variable) == "t" and _is_coordinate(e.expr):
        return f"{printer._print(e.expr)}'"
    done = e.doit()
    if done == e:
        raise _NoFormula(f"{e}: the derivatives that formulas have are velocities, dx/dt")
    return f"({printer._print(done)})"


def _piecewise(printer: Any, e: Any) -> str:
    """if(a < b, x, if(...)); the last piece holds everywhere else."""
    *others, (last, always) = e.args
    if str(always) != "True":
        raise _NoFormula("a Piecewise has a last piece that holds where no other one does: (x, True)")
    text = str(printer._print(last))
    for value, condition in reversed(others):
        text = _choice(printer, condition, printer._print(value), text)
    return text


def _choice(printer: Any, condition: Any, then: str, otherwise: str) -> str:
    kind = type(condition).__name__
    sign = {"StrictLessThan": "<", "LessThan": "<=", "StrictGreaterThan": ">", "GreaterThan": ">="}.get(kind)
    if sign:
        left, right = (printer._print(x) for x in condition.args)
        return f"if({left} {sign} {right}, {then}, {otherwise})"
    if kind in ("Equality", "Unequality"):
        left, right = (printer._print(x) for x in condition.args)
        same, other = (then, otherwise) if kind == "Equality" else (otherwise, then)
        return f"if({left} <= {right}, if({left} >= {right}, {same}, {other}), {other})"
    if kind == "And":
        for part in condition.args:
            then = _choice(printer, part, then, otherwise)
        return then
    if kind == "Or":
        for part in condition.args:
            otherwise = _choice(printer, part, then, otherwise)
        return otherwise
    if kind == "Not":
        return _choice(printer, condition.args[0], otherwise, then)
    if kind in ("BooleanTrue", "BooleanFalse"):
        return then if kind == "BooleanTrue" else otherwise
    raise _NoFormula(f"{condition}: the conditions that formulas have are comparisons")


def _no(printer: Any, e: Any) -> str:
    raise _NoFormula(f"formulas have no {e}")


def _printer() -> Any:
    base = importlib.import_module("sympy.printing.str").StrPrinter
    functions = ("Function", "Abs", "Min", "Max", "Mod", "floor", "ceiling", "frac", "sign", "Heaviside")
    own = {f"_print_{name}": _function for name in functions}
    none = {f"_print_{name}": _no for name in ("ImaginaryUnit", "Infinity", "NegativeInfinity", "NaN", "ComplexInfinity",
                                               "Integral", "Sum", "Product", "Limit", "Subs", "Relational", "Not", "And", "Or")}  # fmt: skip
    others = {
        "_print_Float": lambda _, e: repr(float(e)),
        "_print_NumberSymbol": lambda _, e: repr(float(e)),
        **{f"_print_{name}": lambda _, e: repr(float(e)) for name in ("GoldenRatio", "TribonacciConstant", "EulerGamma", "Catalan")},
        "_print_Exp1": lambda _, e: "exp(1)",
        "_print_Pi": lambda _, e: "pi",
        "_print_Piecewise": _piecewise,
        "_print_Derivative": _velocity,
    }
    return type("FormulaPrinter", (base,), {**own, **none, **others})
