"""Aggregate functions: what they take and return; their aggregators are those of streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes
from pystream.table.functions.declaration import Arguments
from pystream.table.functions.kinds import Kind, digits_of, kind_of
from pystream.table.functions.parameters import Parameters, type_names

__all__ = ["AGGREGATE_FUNCTIONS", "NOT_NULL", "SqlAggregate"]

Returns: TypeAlias = DataType | Callable[[Arguments], DataType]

_MIN_SCALE = 6  # of averages of decimals


@dataclass(frozen=True, slots=True)
class SqlAggregate:
    """An aggregate function of SQL.

    Attributes:
        name: its name.
        takes: its parameters, as `Parameters.of` reads them.
        returns: the type of its results, or a function that returns it for the arguments of a call.
        does: one sentence for its documentation.
        has_nulls: whether nulls are values, too; else rows with a null among the arguments are skipped.
        is_in_streams: whether it is of tables that never end.
        is_in_spark: whether Spark computes it for bounded tables; else Python does.
        syntax: how it is written if it is not called like others.
    """

    name: str
    takes: str
    returns: Returns
    does: str
    has_nulls: bool = False
    is_in_streams: bool = True
    is_in_spark: bool = True
    syntax: str = ""

    @property
    def signature(self) -> str:
        """How it is called, for messages and documentation."""
        return self.syntax or f"{self.name}({type_names(self.takes)})"

    def result_type(self, arguments: Arguments) -> DataType:
        """Return the type of the results of a call."""
        return self.returns(arguments) if callable(self.returns) else self.returns

    def refusal(self, types: Sequence[DataType | None]) -> str | None:
        """Return what is wrong with a call, ``None`` if nothing is known to be.

        Args:
            types: the types of the arguments, ``None`` for those that are not known.
        """
        form = Parameters.of(self.takes)
        if form.take(types):
            return None
        usage = f"{self.name} takes ({type_names(self.takes)})"
        if not form.takes_number(len(types)):
            return f"{usage}, not {len(types) or 'no'} argument{'' if len(types) == 1 else 's'}"
        return f"{usage}; got ({', '.join('?' if one is None else str(one.nullable()) for one in types)})"


def _argument(arguments: Arguments) -> DataType:
    return arguments.types[0].nullable()


def _sum(arguments: Arguments) -> DataType:
    data_type = _argument(arguments)
    is_decimal = kind_of(data_type) == Kind.DECIMAL
    return DataTypes.DECIMAL(38, digits_of(data_type)[1]) if is_decimal else data_type


def _mean(arguments: Arguments) -> DataType:
    data_type = _argument(arguments)
    is_decimal = kind_of(data_type) == Kind.DECIMAL
    return DataTypes.DECIMAL(38, max(_MIN_SCALE, digits_of(data_type)[1])) if is_decimal else data_type


def _array(arguments: Arguments) -> DataType:
    return DataTypes.ARRAY(_argument(arguments))


def _multiset(arguments: Arguments) -> DataType:
    return DataTypes.MULTISET(arguments.types[0]).not_null()


def _percentile(arguments: Arguments) -> DataType:
    is_of_several = isinstance(arguments.types[1], ArrayType)
    return DataTypes.ARRAY(DataTypes.DOUBLE()) if is_of_several else DataTypes.DOUBLE()


_COUNT = DataTypes.BIGINT().not_null()
_JSON = DataTypes.VARCHAR(2000).not_null()

AGGREGATE_FUNCTIONS: Mapping[str, SqlAggregate] = {
    one.name: one
    for one in (
        SqlAggregate(
            "COUNT", "[ANY]", _COUNT, "The number of values, or of rows.", syntax="COUNT(*) or COUNT(ANY)"
        ),
        SqlAggregate("SUM", "NUMBER", _sum, "The sum."),
        SqlAggregate("AVG", "NUMBER", _mean, "The mean; that of integers is cut to an integer."),
        SqlAggregate("MIN", "ANY", _argument, "The least value."),
        SqlAggregate("MAX", "ANY", _argument, "The greatest value."),
        SqlAggregate("FIRST_VALUE", "ANY", _argument, "The value that came first."),
        SqlAggregate("LAST_VALUE", "ANY", _argument, "The value that came last."),
        SqlAggregate(
            "LISTAGG",
            "STRING [, STRING]",
            DataTypes.STRING(),
            "The texts in the order of arrival, with a separator, a comma unless given, between them.",
        ),
        SqlAggregate(
            "ARRAY_AGG",
            "ANY",
            _array,
            "The values in the order of arrival, also nulls unless they are ignored.",
            has_nulls=True,
            syntax="ARRAY_AGG(ANY [IGNORE NULLS])",
        ),
        SqlAggregate("COLLECT", "ANY", _multiset, "The values, with how often each came.", is_in_spark=False),
        SqlAggregate("STDDEV_POP", "NUMBER", _mean, "The standard deviation of a population."),
        SqlAggregate("STDDEV_SAMP", "NUMBER", _mean, "The standard deviation of a sample; also STDDEV."),
        SqlAggregate("VAR_POP", "NUMBER", _mean, "The variance of a population."),
        SqlAggregate("VAR_SAMP", "NUMBER", _mean, "The variance of a sample; also VARIANCE."),
        SqlAggregate(
            "PERCENTILE",
            "NUMBER, NUMBER|ARRAY [, INT]",
            _percentile,
            "The value at a share of the sorted values, or at each one of an array; each value counts once "
            "unless a number says how often.",
        ),
        SqlAggregate(
            "JSON_OBJECTAGG",
            "STRING, ANY",
            _JSON,
            "The values by keys, which must differ, as an object of JSON.",
            has_nulls=True,
            is_in_spark=False,
            syntax="JSON_OBJECTAGG([KEY] STRING VALUE ANY [ABSENT ON NULL])",
        ),
        SqlAggregate(
            "JSON_ARRAYAGG",
            "ANY",
            _JSON,
            "The values in the order of arrival, without nulls unless it says so, as an array of JSON.",
            has_nulls=True,
            is_in_spark=False,
            syntax="JSON_ARRAYAGG(ANY [NULL ON NULL])",
        ),
        SqlAggregate(
            "APPROX_COUNT_DISTINCT", "ANY", _COUNT, "The number of different values.", is_in_streams=False
        ),
        SqlAggregate(
            "SINGLE_VALUE", "ANY", _argument, "The only value; several fail the job.", is_in_spark=False
        ),
    )
}
"""The aggregate functions, by name."""

NOT_NULL = frozenset(
    one.name
    for one in AGGREGATE_FUNCTIONS.values()
    if one.name == "COLLECT" or (not callable(one.returns) and not one.returns.is_nullable)
).union({"RANK", "DENSE_RANK"})
"""Those whose results are never null, even without values, and ranks."""
