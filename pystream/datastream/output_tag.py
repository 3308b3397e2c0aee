"""OutputTag: the name and type of a side output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.engine.output_tag import OutputTag, SideOutput
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.typeinfo import RowTypeInfo as RowTypeInfo
    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.common.typeinfo import Types as Types
else:
    __getattr__ = re_exports(__name__)


__all__ = ["OutputTag", "SideOutput"]
