"""Bounds of timestamps, and the name of the main output, as ``pyflink.common.constants`` has them."""

from __future__ import annotations

__all__ = ["DEFAULT_OUTPUT_TAG", "MAX_LONG_VALUE", "MIN_LONG_VALUE"]

MAX_LONG_VALUE = 2**63 - 1
MIN_LONG_VALUE = -(2**63)
DEFAULT_OUTPUT_TAG = ""
