"""Harnesses that drive a function in this process, without Spark and Java, in milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.testing.harness import OperatorHarness
    from pystream.testing.process_function_harnesses import ProcessFunctionTestHarnesses

__all__ = ["OperatorHarness", "ProcessFunctionTestHarnesses"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "OperatorHarness": "pystream.testing.harness",
        "ProcessFunctionTestHarnesses": "pystream.testing.process_function_harnesses",
    },
)
