"""The types of lifted functions' results, known even if not declared, and restrictions on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.lifting import Expression, NotLifted, has_aliases
from typeinfo.composite import RowTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["declared_type", "refusal_of_none", "refusal_of_sharing", "refusal_of_type"]


def declared_type(type_info: TypeInformation[Any]) -> TypeInformation[Any] | None:
    """Return the type that results are validated against, ``None`` if there is none."""
    return None if isinstance(type_info, PickledBytesTypeInfo) else type_info


def refusal_of_none(type_info: TypeInformation[Any]) -> NotLifted | None:
    """Return the reason why results that may be ``None`` are not lifted, ``None`` if they are."""
    if isinstance(type_info, OptionalTypeInfo) and has_columns(type_info.value_type):
        return NotLifted("may return None for a whole row, tuple or record, which are columns in a table")
    return None


def refusal_of_type(type_info: TypeInformation[Any]) -> NotLifted | None:
    """Return the reason why results with a type of their own are not lifted, ``None`` if they are."""
    if isinstance(type_info, RowTypeInfo) and type_info.field_names is None:
        return NotLifted("returns rows without names, which a table would give names")
    return next(filter(None, (refusal_of_type(slot.type) for slot in type_info.slots())), None)


def refusal_of_sharing(results: Iterable[Expression]) -> NotLifted | None:
    """Return the reason why results without a declared type are not lifted, ``None`` if they are."""
    if any(map(has_aliases, results)):
        return NotLifted(
            "may return a result that contains one object twice, which stays one object unless the type is "
            "declared; declare output_type"
        )
    return None
