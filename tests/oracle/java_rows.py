"""The rows of tables of PyFlink as objects of Java, for recorders; tests do not import this."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from py4j.java_collections import JavaArray, JavaMap
from py4j.java_gateway import JavaObject

JAVA_TIMES = {"LocalDate": date, "LocalDateTime": datetime, "LocalTime": time}


def java_rows(table: Any) -> Iterator[Any]:
    """Yield the rows of a table as objects of Java, because PyFlink cannot convert all types."""
    rows = table._j_table.execute().collect()
    while rows.hasNext():
        yield rows.next()
    rows.close()


def plain(value: Any) -> Any:
    """Return a value of Java as one of Python."""
    if isinstance(value, JavaMap):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, JavaArray):
        return [plain(item) for item in value]
    if not isinstance(value, JavaObject):
        return value
    kind = value.getClass().getSimpleName()
    if kind == "Row":
        return tuple(plain(value.getField(n)) for n in range(value.getArity()))
    if kind == "Instant":
        return datetime.fromisoformat(value.toString())
    return JAVA_TIMES[kind].fromisoformat(value.toString())
