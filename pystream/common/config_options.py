"""Typed configuration options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
from pystream.settings.config_options import ConfigOption, ConfigOptions

if TYPE_CHECKING:
    from pystream.common.type_variables import T as T
else:
    __getattr__ = re_exports(__name__)


__all__ = ["ConfigOption", "ConfigOptions"]
