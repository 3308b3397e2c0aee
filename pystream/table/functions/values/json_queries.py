"""What is at a path in a JSON text."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from pystream.table.functions.errors import SqlArithmeticError
from pystream.table.functions.values.json_paths import JsonPath, PathNotFoundError, found_at
from pystream.table.functions.values.json_texts import json_text, parsed

__all__ = [
    "boolean_of",
    "double_of",
    "exists",
    "integer_of",
    "queried",
    "text_of",
    "texts_of",
    "value_at",
]

_SCALARS = (str, int, Decimal, bool)
_EMPTY = {"EMPTY ARRAY": "[]", "EMPTY OBJECT": "{}"}

T = TypeVar("T")

Convert = Callable[[Any], Any]
"""Returns a value of JSON in a type; raises a SqlArithmeticError if it is none of it."""


def _found(path: JsonPath, text: str) -> Any:
    """Return what is at a path in a JSON text; null, or no values, for a lax path that leads to nothing.

    Raises:
        ValueError: nothing is and the path is strict, or the text is no JSON.
    """
    try:
        return found_at(path, parsed(text))
    except PathNotFoundError:
        if not path.is_lax:
            raise ValueError("nothing is at the path") from None
    except ValueError:
        if not path.is_lax:
            raise
    return None if path.is_definite else []


def _failure(name: str, text: str, error: object) -> SqlArithmeticError:
    return SqlArithmeticError(f"{name} of {text!r}: {error}")


def exists(path: JsonPath, on_error: str, text: str) -> bool | None:
    """Return whether something is at a path in a JSON text.

    Args:
        path: the path.
        on_error: the result for a text that is no JSON, and for a strict path that leads to nothing: TRUE,
            FALSE, UNKNOWN, or ERROR.
        text: the text.

    Raises:
        SqlArithmeticError: there is such an error, and ``on_error`` says so.
    """
    try:
        return _found(path, text) is not None
    except ValueError as error:
        if on_error == "ERROR":
            raise _failure("JSON_EXISTS", text, error) from None
        return {"TRUE": True, "FALSE": False}.get(on_error)


def value_at(
    convert: Convert,
    path: JsonPath,
    behaviours: tuple[str, str],
    defaults: tuple[Convert | None, Convert | None],
    text: str | None,
    *values: Any,
) -> Any:
    """Return the scalar value at a path in a JSON text.

    Args:
        convert: returns it in the type of the results.
        path: the path.
        behaviours: NULL, DEFAULT or ERROR where there is no value, and where there is an error.
        defaults: how the defaults for both cases are converted to that type; ``None`` for null.
        text: the text; the result is null if it is null.
        values: the defaults.

    Raises:
        SqlArithmeticError: there is no value, or an error, and the behaviour is ERROR.
    """
    if text is None:
        return None
    try:
        value = _found(path, text)
        is_scalar = isinstance(value, _SCALARS)
        if is_scalar:
            return convert(value)
        if value is not None and not path.is_lax:
            raise ValueError("the value at the path is no scalar")
        case, complaint = 0, ValueError("there is no scalar value at the path")
    except ValueError as error:
        case, complaint = 1, error
    if behaviours[case] == "ERROR":
        raise _failure("JSON_VALUE", text, complaint)
    default, value = defaults[case], values[case]
    return None if default is None or value is None else default(value)


def queried(convert: Convert, path: JsonPath, wrapper: str, behaviours: tuple[str, str], text: str) -> Any:
    """Return the array or object at a path in a JSON text.

    Args:
        convert: returns it in the type of the results.
        path: the path.
        wrapper: UNCONDITIONAL if the value becomes the only element of an array, CONDITIONAL if a value
            other than an array does, WITHOUT if none does.
        behaviours: NULL, EMPTY ARRAY, EMPTY OBJECT or ERROR where there is none, and where there is an error.
        text: the text.

    Raises:
        SqlArithmeticError: there is none, or an error, and the behaviour is ERROR.
    """
    try:
        value = _found(path, text)
        if value is not None and wrapper != "WITHOUT":
            value = value if wrapper == "CONDITIONAL" and isinstance(value, list) else [value]
        if isinstance(value, list | dict):
            return convert(value)
        if value is not None and not path.is_lax:
            raise ValueError("the value at the path is no array or object")
        case, complaint = 0, ValueError("there is no array or object at the path")
    except ValueError as error:
        case, complaint = 1, error
    if behaviours[case] == "ERROR":
        raise _failure("JSON_QUERY", text, complaint)
    constant = _EMPTY.get(behaviours[case])
    return None if constant is None else convert(parsed(constant))


def text_of(value: Any) -> str:
    """Return a scalar value as text."""
    return value if isinstance(value, str) else json_text(value)


def boolean_of(value: Any) -> bool:
    """Return a boolean."""
    return _of_class(bool, value)


def integer_of(value: Any) -> int:
    """Return an integer."""
    return _of_class(int, value)


def double_of(value: Any) -> float:
    """Return a number with a fraction."""
    return float(_of_class(Decimal, value))


def _of_class(kind: type[T], value: Any) -> T:
    if type(value) is kind:
        return value
    raise SqlArithmeticError(f"JSON_VALUE: {json_text(value)} is not of the type after RETURNING")


def texts_of(value: Any) -> list[str | None]:
    """Return the elements of an array as texts; nulls stay nulls."""
    if not isinstance(value, list):
        raise ValueError("the value at the path is no array")
    return [None if one is None else text_of(one) for one in value]
