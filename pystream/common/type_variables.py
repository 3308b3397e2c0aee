"""Type variables for the generic classes of user programs.

PyFlink's modules export the type variables of their own signatures, and programs import them from there:
``class Latest(ProcessWindowFunction[IN, OUT, KEY, W])``.
"""

from __future__ import annotations

from typing import TypeVar

__all__ = ["ACC", "IN", "IN1", "IN2", "KEY", "OUT", "K", "T", "V", "W", "W2"]

ACC = TypeVar("ACC")
IN = TypeVar("IN")
IN1 = TypeVar("IN1")
IN2 = TypeVar("IN2")
K = TypeVar("K")
KEY = TypeVar("KEY")
OUT = TypeVar("OUT")
T = TypeVar("T")
V = TypeVar("V")
W = TypeVar("W")
W2 = TypeVar("W2")
