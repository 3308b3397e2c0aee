"""Evaluate SQL expressions on single rows, in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.table.evaluation.compiler import evaluated as evaluated
    from pystream.table.evaluation.compiler import title_of as title_of
    from pystream.table.evaluation.errors import NotEvaluatedError as NotEvaluatedError
    from pystream.table.evaluation.errors import WrongExpressionError as WrongExpressionError
    from pystream.table.evaluation.evaluation import Evaluation as Evaluation
    from pystream.table.functions.errors import ConversionError as ConversionError
    from pystream.table.functions.errors import SqlArithmeticError as SqlArithmeticError
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
