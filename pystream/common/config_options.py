"""Typed configuration options."""

from __future__ import annotations

from pystream.settings.config_options import ConfigOption, ConfigOptions

__all__ = ["ConfigOption", "ConfigOptions"]
