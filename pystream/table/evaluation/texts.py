"""The concatenation of text."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.operands import text
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.values.texts import concatenated

__all__ = ["TEXTS"]


def _concatenated(scope: Scope, node: exp.DPipe) -> Value:
    return strict(concatenated, DataTypes.STRING(), text(scope, node.left), text(scope, node.right))


TEXTS: Mapping[type[exp.Expr], Rule] = {exp.DPipe: _concatenated}
"""The rules for what the parser knows."""
