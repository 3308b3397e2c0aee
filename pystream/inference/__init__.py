"""Inference of result types: functions are followed with types in place of values, and never called.

The modules, from the entry point downwards:

- ``functions``: the functions of one operator.
- ``calls``: calls, with ``declarations``, ``classes``, ``generics``, ``special`` and ``contexts`` for what is
  called, and ``definitions`` for the source and annotations of functions.
- ``statements``, ``expressions``: the bodies of functions; ``state``: what is known of their variables.
- ``attributes``, ``items``, ``methods``, ``operators``: parts of values, and what is done to these;
  ``signatures``: what Python's own functions and classes return.
- ``unions``, ``conversions``, ``values``: values, their types, and values that are one of several.
"""

from pystream.inference.contexts import WINDOW, context
from pystream.inference.conversions import opened
from pystream.inference.functions import Functions, common_type
from pystream.inference.values import Emitted, Items, Unknown, Value

__all__ = ["WINDOW", "Emitted", "Functions", "Items", "Unknown", "Value", "common_type", "context", "opened"]
