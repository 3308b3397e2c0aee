"""Tests without Spark and Java, in milliseconds: environments of the local host, harnesses of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.engine.time.clock import ManualClock
    from pystream.testing.async_harnesses import AsyncFunctionTestHarnesses, AsyncOperatorHarness
    from pystream.testing.broadcast_harness import BroadcastOperatorHarness
    from pystream.testing.environments import local_environment
    from pystream.testing.function_harnesses import FunctionTestHarnesses
    from pystream.testing.harness import OperatorHarness, StreamRecord, TimerRecord
    from pystream.testing.harnessed_operator import HarnessError
    from pystream.testing.join_harnesses import JoinTestHarnesses, WindowJoinTestHarnesses
    from pystream.testing.process_function_harnesses import ProcessFunctionTestHarnesses
    from pystream.testing.window_harnesses import WindowTestHarnesses

__all__ = [
    "AsyncFunctionTestHarnesses",
    "AsyncOperatorHarness",
    "BroadcastOperatorHarness",
    "FunctionTestHarnesses",
    "HarnessError",
    "JoinTestHarnesses",
    "ManualClock",
    "OperatorHarness",
    "ProcessFunctionTestHarnesses",
    "StreamRecord",
    "TimerRecord",
    "WindowJoinTestHarnesses",
    "WindowTestHarnesses",
    "local_environment",
]

if not TYPE_CHECKING:  # else checkers would take every name for one of the package
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "AsyncFunctionTestHarnesses": "pystream.testing.async_harnesses",
            "AsyncOperatorHarness": "pystream.testing.async_harnesses",
            "BroadcastOperatorHarness": "pystream.testing.broadcast_harness",
            "FunctionTestHarnesses": "pystream.testing.function_harnesses",
            "HarnessError": "pystream.testing.harnessed_operator",
            "JoinTestHarnesses": "pystream.testing.join_harnesses",
            "ManualClock": "pystream.engine.time.clock",
            "OperatorHarness": "pystream.testing.harness",
            "ProcessFunctionTestHarnesses": "pystream.testing.process_function_harnesses",
            "StreamRecord": "pystream.testing.harness",
            "TimerRecord": "pystream.testing.harness",
            "WindowJoinTestHarnesses": "pystream.testing.join_harnesses",
            "WindowTestHarnesses": "pystream.testing.window_harnesses",
            "local_environment": "pystream.testing.environments",
        },
    )
