"""Calls of declared functions that Python computes on Spark."""

from __future__ import annotations

import re
from datetime import tzinfo
from functools import partial
from uuid import uuid4

from sqlglot import exp

from pystream.plan.function import UserFunction
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.functions.declaration import SqlFunction
from pystream.table.functions.values.calls import of_row
from pystream.table.sql.expression_types import arguments_of
from pystream.table.sql.functions.building import NotTranslatedError

__all__ = ["PythonCalls"]


class PythonCalls:
    """Makes functions of a query of the calls of declared functions.

    Attributes:
        functions: the functions made so far.

    Args:
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.
    """

    def __init__(self, zone: tzinfo | None) -> None:
        self.functions: list[QueryFunction] = []
        self._zone = zone

    def called(self, node: exp.Anonymous, function: SqlFunction) -> exp.Expr:
        """Return a call of a declared function as one of a function of the query.

        Args:
            node: the call, whose arguments are Spark's already.
            function: the function.

        Raises:
            NotTranslatedError: Python does not compute it for these arguments, or their types are not known.
        """
        arguments = arguments_of(node)
        if arguments is None:
            raise NotTranslatedError(node, f"{function.name}: the type of an argument is not known; CAST it")
        given, types, parts = list[exp.Expr](), list[DataType](), list[exp.Expr]()
        for part, data_type in zip(node.expressions, arguments.types, strict=True):
            if isinstance(part, exp.Literal | exp.Null):
                parts.append(part.copy())
                continue
            column = exp.column(str(len(given)))
            column.meta.update(part.meta)
            parts.append(column)
            given.append(part.copy())
            types.append(data_type)
        call = exp.Anonymous(this=function.name, expressions=parts)
        try:
            evaluation = evaluated(
                call, _number, type_of=lambda column: types[_number(column)], zone=self._zone
            )
        except NotEvaluatedError as error:
            raise NotTranslatedError(node, str(error)) from None
        readable = re.sub(r"\W", "_", function.name)
        named = QueryFunction(
            name=f"PYSTREAM_{readable}_{uuid4().hex.upper()}",
            title=function.name,
            function=UserFunction.of(partial(of_row, evaluation), function.name, described=None),
            type_info=evaluation.data_type.type_info,
            is_nullable=True,
            is_deterministic=function.is_deterministic,
            takes_nothing=not given,
        )
        self.functions.append(named)
        # Spark passes the number of rows only together with an argument.
        replaced = exp.Anonymous(this=named.name, expressions=given or [exp.true()])
        replaced.meta["declared"] = function.name
        return replaced


def _number(column: exp.Column) -> int:
    return int(column.name)
