"""Operators of expressions: arithmetic, comparisons and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, Subquery, T_co, trees
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["Operators"]


@checks_arguments(ArgumentTypeError)
class Operators(ExpressionTree[T_co]):
    """Operators; a null operand makes the result null, unless an operator says otherwise."""

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Expression[bool]:  # type: ignore[override]
        return self._of_operation("equals", self, other)

    def __ne__(self, other: object) -> Expression[bool]:  # type: ignore[override]
        return self._of_operation("notEquals", self, other)

    def __lt__(self, other: Any) -> Expression[bool]:
        return self._of_operation("lessThan", self, other)

    def __gt__(self, other: Any) -> Expression[bool]:
        return self._of_operation("greaterThan", self, other)

    def __le__(self, other: Any) -> Expression[bool]:
        return self._of_operation("lessThanOrEqual", self, other)

    def __ge__(self, other: Any) -> Expression[bool]:
        return self._of_operation("greaterThanOrEqual", self, other)

    def __and__(self, other: Expression[bool] | bool) -> Expression[bool]:
        return self._of_operation("and", self, other)

    def __or__(self, other: Expression[bool] | bool) -> Expression[bool]:
        return self._of_operation("or", self, other)

    def __rand__(self, other: bool) -> Expression[bool]:
        return self._of_operation("and", other, self)

    def __ror__(self, other: bool) -> Expression[bool]:
        return self._of_operation("or", other, self)

    def __invert__(self) -> Expression[bool]:
        """Return whether a condition is not true; unlike that of ``not_``, the result is never null."""
        return self._of_operation("isNotTrue", self)

    def __add__(self, other: Any) -> Expression:
        return self._of_operation("plus", self, other)

    def __sub__(self, other: Any) -> Expression:
        return self._of_operation("minus", self, other)

    def __mul__(self, other: Any) -> Expression:
        return self._of_operation("times", self, other)

    def __truediv__(self, other: Any) -> Expression:
        """Return the quotient, which is an integer if both operands are."""
        return self._of_operation("divide", self, other)

    def __mod__(self, other: Any) -> Expression:
        return self._of_operation("mod", self, other)

    def __pow__(self, other: Any) -> Expression[float]:
        return self._of_call("POWER", self, other)

    def __radd__(self, other: Any) -> Expression:
        return self._of_operation("plus", other, self)

    def __rsub__(self, other: Any) -> Expression:
        return self._of_operation("minus", other, self)

    def __rmul__(self, other: Any) -> Expression:
        return self._of_operation("times", other, self)

    def __rtruediv__(self, other: Any) -> Expression:
        return self._of_operation("divide", other, self)

    def __rmod__(self, other: Any) -> Expression:
        return self._of_operation("mod", other, self)

    def __rpow__(self, other: Any) -> Expression[float]:
        return self._of_call("POWER", other, self)

    def __neg__(self) -> Expression[T_co]:
        return self._of_operation("minusPrefix", self)

    def __abs__(self) -> Expression[T_co]:
        return self._of_call("ABS", self)

    def between(self, lower_bound: Any, upper_bound: Any) -> Expression[bool]:
        """Return whether the value is within bounds, both included."""
        return self._of_operation("between", self, lower_bound, upper_bound)

    def not_between(self, lower_bound: Any, upper_bound: Any) -> Expression[bool]:
        """Return whether the value is out of bounds."""
        return self._of_operation("notBetween", self, lower_bound, upper_bound)

    def then(self, if_true: Any, if_false: Any) -> Expression:
        """Return one value where this condition is true, and another where it is false or null.

        Examples:
            >>> from pystream.table.expressions import col
            >>> (col("n") > 5).then("many", "few")
            Expression(CASE WHEN (`n` > 5) THEN 'many' ELSE 'few' END)
        """
        return self._of_operation("ifThenElse", self, if_true, if_false)

    def if_null(self, null_replacement: Any) -> Expression[T_co]:
        """Return the value, or a replacement for null."""
        return self._of_call("COALESCE", self, null_replacement)

    @property
    def is_null(self) -> Expression[bool]:
        """Whether the value is null."""
        return self._of_operation("isNull", self)

    @property
    def is_not_null(self) -> Expression[bool]:
        """Whether the value is not null."""
        return self._of_operation("isNotNull", self)

    @property
    def is_true(self) -> Expression[bool]:
        """Whether a condition is true, neither false nor null."""
        return self._of_operation("isTrue", self)

    @property
    def is_false(self) -> Expression[bool]:
        """Whether a condition is false, neither true nor null."""
        return self._of_operation("isFalse", self)

    @property
    def is_not_true(self) -> Expression[bool]:
        """Whether a condition is false or null."""
        return self._of_operation("isNotTrue", self)

    @property
    def is_not_false(self) -> Expression[bool]:
        """Whether a condition is true or null."""
        return self._of_operation("isNotFalse", self)

    def in_(self, first_element_or_table: Any, *remaining_elements: Any) -> Expression[bool]:
        """Return whether the value is one of others, or in a table of one column.

        If it is not found and there is a null among them, the result is null.

        Args:
            first_element_or_table: a value or expression, or a table.
            remaining_elements: further values and expressions.
        """
        if isinstance(first_element_or_table, Subquery):
            table = first_element_or_table
            found = self._changed(lambda: trees().in_tree(self._tree, table._as_relation().query))
            found._subqueries += (table,)
            return found
        elements = (first_element_or_table, *remaining_elements)
        return self._of_operation("in", self, *elements)
