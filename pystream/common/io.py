"""Input formats, which ``StreamExecutionEnvironment.create_input`` reads."""

from __future__ import annotations

from pystream.io import InputFormat, ResultTypeQueryable

__all__ = ["InputFormat", "ResultTypeQueryable"]
