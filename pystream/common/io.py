"""Input formats for ``StreamExecutionEnvironment.create_input``."""

from __future__ import annotations

from pystream.io import InputFormat, ResultTypeQueryable

__all__ = ["InputFormat", "ResultTypeQueryable"]
