"""Key selectors that are called once per batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.engine.vectorised.vector_function import VectorFunction
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["VectorKeySelector"]


@dataclass(frozen=True, slots=True)
class VectorKeySelector:
    """A key selector called once per batch; a single element becomes a batch of one.

    Attributes:
        selector: the user's function.
        key_type: type of the keys.
        owners: the object whose method the function is, to be opened and closed; empty for a function.
    """

    selector: VectorFunction
    key_type: TypeInformation[Any]
    owners: tuple[Any, ...] = ()

    def columns(self, values: list[Any]) -> ColumnValues:
        """Return elements in the batch format of the function."""
        from pystream.engine.vectorised.columns import ColumnValues, layout_of

        return ColumnValues.of(values, layout_of(self.selector.element_type))

    def keys(self, elements: ColumnValues) -> list[Any]:
        """Return the key of each element of a batch.

        Raises:
            TypeCheckError: a key does not fit its type.
            VectorisedError: there is not one key for each element.
        """
        from pystream.engine.vectorised.arguments import argument
        from pystream.engine.vectorised.columns import layout_of
        from pystream.engine.vectorised.results import results_for_each

        given = self.selector.function(argument(self.selector.form, elements))
        return list(results_for_each(given, len(elements), layout_of(self.key_type)))

    def __call__(self, value: Any) -> Any:
        (key,) = self.keys(self.columns([value]))
        return key
