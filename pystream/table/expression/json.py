"""Functions of JSON, which is text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.sql_types.data_types import DataType
from pystream.table.expression.base import ExpressionTree, T_co
from pystream.table.expression.json_options import (
    JsonExistsOnError,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
)
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["JsonFunctions"]

_PATH = "a JSON path such as '$.a'"


@checks_arguments(ArgumentTypeError)
class JsonFunctions(ExpressionTree[T_co]):
    """Functions of JSON text. Paths are ``strict`` unless ``lax`` is written before them."""

    def is_json(self, json_type: JsonType | None = None) -> Expression[bool]:
        """Return whether the text is JSON, of a kind if given; false for null.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("text").is_json(JsonType.OBJECT)
            Expression(`text` IS JSON OBJECT)
        """
        return self._of_call("IS JSON", self, (json_type or JsonType.VALUE).value)

    def json_exists(self, path: str, on_error: JsonExistsOnError | None = None) -> Expression[bool]:
        """Return whether something is at a path; false for an error unless given."""
        require(path, str, "json_exists", _PATH)
        return self._of_call("JSON_EXISTS", self, path, (on_error or JsonExistsOnError.FALSE).value)

    def json_value(
        self,
        path: str,
        returning_type: DataType | None = None,
        on_empty: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_empty: Any = None,
        on_error: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_error: Any = None,
    ) -> Expression[Any]:
        """Return the scalar value at a path.

        Args:
            path: the path.
            returning_type: the type of the results: BOOLEAN, INT or DOUBLE; STRING unless given.
            on_empty: what is returned where there is no value.
            default_on_empty: the default for that.
            on_error: what is returned for an error.
            default_on_error: the default for that.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("text").json_value("$.a")
            Expression(JSON_VALUE(`text`, '$.a' RETURNING STRING NULL ON EMPTY NULL ON ERROR))
        """
        require(path, str, "json_value", _PATH)
        returned = "STRING" if returning_type is None else str(returning_type.nullable())
        behaviours = on_empty.value, default_on_empty, on_error.value, default_on_error
        return self._of_call("JSON_VALUE", self, path, returned, *behaviours)

    def json_query(
        self,
        path: str,
        wrapping_behavior: JsonQueryWrapper = JsonQueryWrapper.WITHOUT_ARRAY,
        on_empty: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
        on_error: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
    ) -> Expression[str]:
        """Return the array or object at a path, as JSON text.

        Args:
            path: the path.
            wrapping_behavior: when the value becomes the only element of an array.
            on_empty: what is returned where there is no array or object.
            on_error: what is returned for an error.
        """
        require(path, str, "json_query", _PATH)
        words = wrapping_behavior.value, on_empty.value, on_error.value
        return self._of_call("JSON_QUERY", self, path, "STRING", *words)

    def json_quote(self) -> Expression[str]:
        """Return the text as a JSON string."""
        return self._of_call("JSON_QUOTE", self)

    def json_unquote(self) -> Expression[str]:
        """Return the text of a JSON string; any other text as it is."""
        return self._of_call("JSON_UNQUOTE", self)
