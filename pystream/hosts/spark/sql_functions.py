"""Lifted functions of the program as SQL functions, which Spark inlines into the queries that call them."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import StructField, StructType

from pystream.hosts.spark.expressions import Input, castable, to_column
from pystream.hosts.spark.jvm import column_text
from pystream.plan.query import QueryFunction

__all__ = ["is_created"]


def is_created(spark: SparkSession, name: str, function: QueryFunction) -> bool:
    """Make a temporary SQL function of a lifted function, and return whether that is possible.

    The body of an SQL function is text, which Spark can write for most columns. The text of some, such as NaN
    and functions of lists, cannot be parsed or means another column; these functions are called in Python.

    Args:
        spark: the session; ``spark.sql.ansi.enabled`` must be set, so that integers that overflow raise.
        name: the name of the SQL function.
        function: the function, with its expression and the types of its arguments.
    """
    assert function.expression is not None
    assert function.argument_types is not None
    fields = [StructField(f"c{position}", castable(t)) for position, t in enumerate(function.argument_types)]
    inputs: list[Input] = [
        (t, [F.col(field.name)]) for t, field in zip(function.argument_types, fields, strict=True)
    ]
    table = spark.createDataFrame([], StructType(fields))
    column = table.select(to_column(function.expression, inputs).alias("result"))
    text = column_text(column)
    try:
        if not column.sameSemantics(table.select(F.expr(text).alias("result"))):
            return False
    except AnalysisException:  # ParseException is one
        return False
    parameters = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in fields)
    result = castable(function.type_info).simpleString()
    spark.sql(f"CREATE TEMPORARY FUNCTION {name}({parameters}) RETURNS {result} RETURN {text}")
    return True
