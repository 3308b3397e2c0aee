"""The streaming API that Flink's Jython guide describes, on Python 3.

Scripts import these names from Flink's Java packages, below ``org.apache.flink``; ``pystream run`` makes
those importable and calls ``main(factory)``. Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.common.serialization import SimpleStringSchema as SimpleStringSchema
    from pystream.datastream.functions.sources import SourceContext as SourceContext
    from pystream.datastream.functions.sources import SourceFunction as SourceFunction
    from pystream.durations import Time as Time
    from pystream.engine.connectors.write_mode import WriteMode as WriteMode
    from pystream.jython.adapters import JavaTimeWindow as JavaTimeWindow
    from pystream.jython.environment import PythonEnvironmentFactory as PythonEnvironmentFactory
    from pystream.jython.environment import (
        PythonStreamExecutionEnvironment as PythonStreamExecutionEnvironment,
    )
    from pystream.jython.functions import Collector as Collector
    from pystream.jython.functions import FilterFunction as FilterFunction
    from pystream.jython.functions import FlatMapFunction as FlatMapFunction
    from pystream.jython.functions import KeySelector as KeySelector
    from pystream.jython.functions import MapFunction as MapFunction
    from pystream.jython.functions import OutputSelector as OutputSelector
    from pystream.jython.functions import ReduceFunction as ReduceFunction
    from pystream.jython.functions import RichFilterFunction as RichFilterFunction
    from pystream.jython.functions import RichFlatMapFunction as RichFlatMapFunction
    from pystream.jython.functions import RichFunction as RichFunction
    from pystream.jython.functions import RichMapFunction as RichMapFunction
    from pystream.jython.functions import RichReduceFunction as RichReduceFunction
    from pystream.jython.functions import RichSinkFunction as RichSinkFunction
    from pystream.jython.functions import RichWindowFunction as RichWindowFunction
    from pystream.jython.functions import SinkFunction as SinkFunction
    from pystream.jython.functions import WindowFunction as WindowFunction
    from pystream.jython.runtime_context import RuntimeContext as RuntimeContext
    from pystream.jython.streams import PythonDataStream as PythonDataStream
    from pystream.jython.streams import PythonIterativeStream as PythonIterativeStream
    from pystream.jython.streams import PythonKeyedStream as PythonKeyedStream
    from pystream.jython.streams import PythonSingleOutputStreamOperator as PythonSingleOutputStreamOperator
    from pystream.jython.streams import PythonSplitStream as PythonSplitStream
    from pystream.jython.streams import PythonWindowedStream as PythonWindowedStream
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
