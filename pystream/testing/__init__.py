"""Tests without Spark and Java, in milliseconds: environments of the local host, and test harnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.engine.time.clock import ManualClock as ManualClock
    from pystream.testing.async_harnesses import AsyncFunctionTestHarnesses as AsyncFunctionTestHarnesses
    from pystream.testing.async_harnesses import AsyncOperatorHarness as AsyncOperatorHarness
    from pystream.testing.clocked_job import ClockedJob as ClockedJob
    from pystream.testing.environments import local_environment as local_environment
    from pystream.testing.function_harnesses import FunctionTestHarnesses as FunctionTestHarnesses
    from pystream.testing.harness import OperatorHarness as OperatorHarness
    from pystream.testing.harness import StreamRecord as StreamRecord
    from pystream.testing.harness import TimerRecord as TimerRecord
    from pystream.testing.harnessed_operator import HarnessError as HarnessError
    from pystream.testing.join_harnesses import JoinTestHarnesses as JoinTestHarnesses
    from pystream.testing.join_harnesses import WindowJoinTestHarnesses as WindowJoinTestHarnesses
    from pystream.testing.process_function_harnesses import (
        BroadcastOperatorHarness as BroadcastOperatorHarness,
    )
    from pystream.testing.process_function_harnesses import (
        ProcessFunctionTestHarnesses as ProcessFunctionTestHarnesses,
    )
    from pystream.testing.window_harnesses import WindowTestHarnesses as WindowTestHarnesses
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
