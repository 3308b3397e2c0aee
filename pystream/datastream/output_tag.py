"""Side outputs."""

from __future__ import annotations

from pystream.runtime.output_tag import OutputTag, SideOutput

__all__ = ["OutputTag", "SideOutput"]
