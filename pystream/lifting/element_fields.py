"""ElementFields: an element of a function, with the variables that hold its fields."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from pystream.expressions.field_code import HelperCode
from pystream.lifting.bindings import bound_in
from pystream.lifting.element_calls import ElementCalls
from pystream.lifting.field_reads import FieldReads, field_names
from pystream.lifting.kinds import NotExact
from pystream.lifting.source import FunctionSource
from typeinfo.composite import FieldsTypeInfo

__all__ = ["ElementFields"]


class ElementFields:
    """An element that a function takes, with the variables that hold its fields.

    Args:
        function: the function.
        source: its source.
        parameter: the parameter that is the element.
        t: the type of the element.
        taken: the names that are taken in its code; those of variables are added.
        owner: the object that it is a method of, ``None`` if it is a function.

    Attributes:
        names: the variables, in the order of fields.

    Raises:
        NotExact: the function gives its parameter another value.
    """

    def __init__(
        self,
        function: FunctionType,
        source: FunctionSource,
        parameter: str,
        t: FieldsTypeInfo[Any],
        taken: set[str],
        owner: object,
    ) -> None:
        if parameter in bound_in(source.body):
            raise NotExact(f"binds {parameter} again")
        self.parameter = parameter
        self.names: list[str] = field_names(parameter, t, taken)
        self._calls = ElementCalls(function, source, t, taken, owner)
        self._reads = FieldReads(parameter, t, self.names, function.__code__, self._calls.followed)

    def read_in(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements with variables where they read fields of the element.

        Raises:
            NotExact: the element is used in a way that variables cannot replace.
        """
        return [self._reads.visit(statement) for statement in body]

    @property
    def whole(self) -> NotExact | None:
        """The obstacle that the statements use the element as a whole, ``None`` if they do not."""
        return self._reads.whole

    @property
    def by_name(self) -> bool:
        """Whether the statements may read fields by their names."""
        return self._reads.by_name

    @property
    def helpers(self) -> tuple[HelperCode, ...]:
        """The functions of fields that the statements hand the element to."""
        return self._calls.helpers
