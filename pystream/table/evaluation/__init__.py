"""Evaluate SQL expressions on single rows, in Python."""

from __future__ import annotations

from pystream.table.evaluation.compiler import evaluated
from pystream.table.evaluation.errors import ConversionError, NotEvaluatedError, SqlArithmeticError
from pystream.table.evaluation.evaluation import Evaluation

__all__ = ["ConversionError", "Evaluation", "NotEvaluatedError", "SqlArithmeticError", "evaluated"]
