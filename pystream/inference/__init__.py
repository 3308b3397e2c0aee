"""Inference of result types: functions are followed with types in place of values, and never called."""

from pystream.inference.contexts import WINDOW, context
from pystream.inference.functions import Functions, common_type
from pystream.inference.values import Emitted, Items, Unknown, Value, opened

__all__ = ["WINDOW", "Emitted", "Functions", "Items", "Unknown", "Value", "common_type", "context", "opened"]
