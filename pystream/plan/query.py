"""Query: an SQL query over streams, as the source of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.kinds import OperatorKind, SourceColumns
from pystream.lifting import Expression
from pystream.plan.function import UserFunction
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "EXPRESSION_TYPES",
    "InputColumn",
    "Query",
    "QueryFunction",
    "QueryInput",
    "QueryOperator",
    "ResultColumn",
]


EXPRESSION_TYPES: tuple[TypeInformation[Any], ...] = (
    Types.BOOLEAN(),
    Types.BYTE(),
    Types.SHORT(),
    Types.INT(),
    Types.LONG(),
    Types.DOUBLE(),
    Types.STRING(),
    Types.SQL_DATE(),
)
"""The types of arguments and results with which a function of a query may be an expression."""


class InputColumn(NamedTuple):
    """A column of a table that a query reads.

    Attributes:
        name: its name in the query.
        position: the field of the elements that it is.
    """

    name: str
    position: int


class ResultColumn(NamedTuple):
    """A column of the results of a query.

    Attributes:
        name: its name.
        type_info: the type of its values.
        is_nullable: whether it may hold nulls.
    """

    name: str
    type_info: TypeInformation[Any]
    is_nullable: bool


@dataclass(frozen=True, slots=True)
class QueryInput:
    """A stream that a query reads.

    Attributes:
        name: the name of its table in the text of the query.
        columns: the columns of that table.
    """

    name: str
    columns: tuple[InputColumn, ...]


@dataclass(frozen=True, slots=True)
class QueryFunction:
    """A function of the program that a query calls.

    Attributes:
        name: its name in the text of the query, which no other function and nothing else in the text has.
        title: its name in messages.
        function: the function.
        type_info: the type of its results.
        is_nullable: whether a result may be null even if ``type_info`` does not admit it.
        is_deterministic: whether equal arguments always have equal results.
        takes_nothing: whether it is called without the argument that it has in the text of the query.
        takes_instants: whether it takes instants as they are, not as datetimes of the session's time zone.
        argument_types: the types of its arguments without null, if they are known and those of all calls.
        expression: what Spark computes instead of calling it, ``None`` if it is called in Python.
        not_lifted: why it has no expression, as a phrase that follows "it"; empty if that is not known.
    """

    name: str
    title: str
    function: UserFunction
    type_info: TypeInformation[Any]
    is_nullable: bool
    is_deterministic: bool
    takes_nothing: bool
    takes_instants: bool = False
    argument_types: tuple[TypeInformation[Any], ...] | None = None
    expression: Expression | None = None
    not_lifted: str = ""


@dataclass(frozen=True, slots=True)
class QueryOperator:
    """The operator that computes a query in Python from the elements of its only stream.

    Attributes:
        kind: its kind.
        function: its function.
    """

    kind: OperatorKind
    function: UserFunction


@dataclass(frozen=True, slots=True)
class Query:
    """An SQL query over streams, as the source of its results; Spark computes them.

    Attributes:
        text: the query in Spark's dialect, with the names of tables in braces.
        inputs: the streams that it reads; the inputs of its node are sinks that make columns of them.
        settings: the settings of the session in which Spark resolves the query.
        is_ordered: whether the results have an order, which only one subtask keeps.
        is_bounded: whether all streams that it reads are bounded.
        combines_rows: whether a result depends on several rows.
        functions: the functions of the program that it calls.
        in_python: the operator with the same results; ``None`` if only Spark can compute them.
    """

    text: str
    inputs: tuple[QueryInput, ...]
    settings: Mapping[str, str]
    is_ordered: bool
    is_bounded: bool
    combines_rows: bool
    functions: tuple[QueryFunction, ...] = ()
    in_python: QueryOperator | None = None

    @property
    def is_lifted(self) -> bool:
        """Whether a function of the program runs as an expression of Spark."""
        return any(function.expression is not None for function in self.functions)

    @property
    def columns(self) -> SourceColumns:
        """The process in which the results are available as columns."""
        return SourceColumns.SPARK
