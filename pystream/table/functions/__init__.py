"""The functions of SQL, each declared once for all hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.table.data_view import ListView as ListView
    from pystream.table.data_view import MapView as MapView
    from pystream.table.udf import AggregateFunction as AggregateFunction
else:
    __getattr__ = re_exports(__name__)
