"""Inference of result types: functions are followed with types in place of values, and never called."""

from pystream.inference.functions import CONTEXT, WINDOW, common_type, result_of_call
from pystream.inference.values import Items, Unknown, Value, opened

__all__ = ["CONTEXT", "WINDOW", "Items", "Unknown", "Value", "common_type", "opened", "result_of_call"]
