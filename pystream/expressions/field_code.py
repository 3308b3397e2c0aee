"""FieldCode: the code of a function of an element, with the fields of the element in its place."""

from __future__ import annotations

from types import CodeType
from typing import NamedTuple

from pystream.expressions.expression import Expression

__all__ = ["FieldCode", "HelperCode"]


class HelperCode(NamedTuple):
    """The code of a function that another one hands its element to.

    Attributes:
        variable: the variable in the other's code that holds the function of fields.
        path: the name by which the other calls it, and the attributes after it: ``model.total``.
        code: takes the fields that it reads in place of the element.
        original: the code of the function of an element.
        helpers: the functions that it hands its element to in turn.
    """

    variable: str
    path: tuple[str, ...]
    code: CodeType
    original: CodeType
    helpers: tuple[HelperCode, ...]


class FieldCode(NamedTuple):
    """The code of a function of fields.

    That of a reduce function takes all fields of the first element, then those that are read of the second,
    and returns a list of all fields.

    Attributes:
        code: takes the fields that are read, then the function's other parameters; ``None`` if the function
            is called as it is, as elements have no fields, or not at all.
        reads: the positions of these fields in an element, in order.
        original: the code of the function of an element, ``None`` if it has none.
        results: for each column of the results, the position of the field that is handed on unchanged, the
            expression that it is, or ``None`` for one that is computed: a call returns the tuple of those, or
            the result itself if its type has no fields. ``None`` if it returns whole results.
        is_called: whether it must be called, as it may have side effects or computes results.
        reduced: the code without the columns that are expressions, if there are any.
        helpers: the functions that it hands its element to.
    """

    code: CodeType | None
    reads: tuple[int, ...]
    original: CodeType | None
    results: tuple[int | Expression | None, ...] | None = None
    is_called: bool = True
    reduced: FieldCode | None = None
    helpers: tuple[HelperCode, ...] = ()
