"""Types as HTML tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typeinfo.info import TypeInformation

__all__ = ["type_table"]


def type_table(type_info: TypeInformation[Any]) -> str:
    """Return an HTML table of the fields and elements inside a value, with type and nullability.

    A type without parts is shown only by its name.
    """
    rows = "".join(_rows(type_info, ""))
    name = f"<code>{escape(str(type_info))}</code>"
    if not rows:
        return name
    return (
        f"<table><caption>{name}</caption><tr><th>field</th><th>type</th><th>nullable</th></tr>{rows}</table>"
    )


def _rows(type_info: TypeInformation[Any], prefix: str) -> Iterator[str]:
    for slot in type_info.slots():
        path = f"{prefix}{slot.segment}"
        nullable = slot.nullable or slot.type.admits_none()
        cells = (path.removeprefix("."), str(slot.type), "yes" if nullable else "")
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        yield from _rows(slot.type, path)
