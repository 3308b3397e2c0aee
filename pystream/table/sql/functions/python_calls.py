"""Expressions that Python computes on Spark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo
from functools import partial
from uuid import uuid4

from sqlglot import exp

from pystream.plan.function import UserFunction
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation import NotEvaluatedError, evaluated, title_of
from pystream.table.functions.declaration import SqlFunction
from pystream.table.functions.values.calls import of_row
from pystream.table.sql.expression_types import known_type
from pystream.table.sql.functions.building import NotTranslatedError

__all__ = ["PythonCalls"]


class PythonCalls:
    """Makes functions of a query of the expressions that Python computes.

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
        call = self._computed(node, node.expressions, function.name, function.is_deterministic)
        call.meta["declared"] = function.name
        return call

    def operated(self, node: exp.Expr, operands: Sequence[exp.Expr]) -> exp.Expr:
        """Return an operator with its operands as a call of a function of the query.

        Args:
            node: the operator.
            operands: its operands, which are Spark's already.

        Raises:
            NotTranslatedError: Python does not compute it for these operands, or their types are not known.
        """
        return self._computed(node, operands, title_of(node), is_deterministic=True)

    def _computed(
        self, node: exp.Expr, parts: Sequence[exp.Expr], title: str, is_deterministic: bool
    ) -> exp.Expr:
        given, types = list[exp.Expr](), list[DataType]()
        for part in list(parts):
            if isinstance(part, exp.Literal | exp.Null):
                continue
            data_type = known_type(part)
            if data_type is None:
                raise NotTranslatedError(node, f"{title}: the type of an argument is not known; CAST it")
            column = exp.column(str(len(given)))
            column.meta.update(part.meta)
            given.append(part.copy())
            types.append(data_type)
            part.replace(column)
        try:
            evaluation = evaluated(
                node.copy(), _number, type_of=lambda column: types[_number(column)], zone=self._zone
            )
        except NotEvaluatedError as error:
            raise NotTranslatedError(node, str(error)) from None
        readable = re.sub(r"\W", "_", title)
        named = QueryFunction(
            name=f"PYSTREAM_{readable}_{uuid4().hex.upper()}",
            title=title,
            function=UserFunction.of(partial(of_row, evaluation), title, described=None),
            type_info=evaluation.data_type.type_info,
            is_nullable=True,
            is_deterministic=is_deterministic,
            takes_nothing=not given,
            takes_instants=True,
        )
        self.functions.append(named)
        # Spark passes the number of rows only together with an argument.
        return exp.Anonymous(this=named.name, expressions=given or [exp.true()])


def _number(column: exp.Column) -> int:
    return int(column.name)
