"""OutputTag: the name and type of a side output."""

from __future__ import annotations

from pystream.engine.output_tag import OutputTag, SideOutput

__all__ = ["OutputTag", "SideOutput"]
