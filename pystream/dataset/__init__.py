"""The batch API of Flink's older Python guide: data sets, functions and settings.

Programs of the guide import them from ``flink``. Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.dataset.aggregation import Aggregation as Aggregation
    from pystream.dataset.aggregation import Max as Max
    from pystream.dataset.aggregation import Min as Min
    from pystream.dataset.aggregation import Sum as Sum
    from pystream.dataset.constants import BOOL as BOOL
    from pystream.dataset.constants import BYTE as BYTE
    from pystream.dataset.constants import DOUBLE as DOUBLE
    from pystream.dataset.constants import FLOAT as FLOAT
    from pystream.dataset.constants import INT as INT
    from pystream.dataset.constants import LONG as LONG
    from pystream.dataset.constants import SHORT as SHORT
    from pystream.dataset.constants import STRING as STRING
    from pystream.dataset.constants import Order as Order
    from pystream.dataset.environment import Environment as Environment
    from pystream.dataset.environment import get_environment as get_environment
    from pystream.dataset.functions import CoGroupFunction as CoGroupFunction
    from pystream.dataset.functions import Collector as Collector
    from pystream.dataset.functions import CrossFunction as CrossFunction
    from pystream.dataset.functions import FilterFunction as FilterFunction
    from pystream.dataset.functions import FlatMapFunction as FlatMapFunction
    from pystream.dataset.functions import GroupReduceFunction as GroupReduceFunction
    from pystream.dataset.functions import Iterator as Iterator
    from pystream.dataset.functions import JoinFunction as JoinFunction
    from pystream.dataset.functions import KeySelector as KeySelector
    from pystream.dataset.functions import MapFunction as MapFunction
    from pystream.dataset.functions import MapPartitionFunction as MapPartitionFunction
    from pystream.dataset.functions import ReduceFunction as ReduceFunction
    from pystream.dataset.functions import RuntimeContext as RuntimeContext
    from pystream.dataset.sets.aggregates import AggregateOperator as AggregateOperator
    from pystream.dataset.sets.data_set import DataSet as DataSet
    from pystream.dataset.sets.data_sink import DataSink as DataSink
    from pystream.dataset.sets.grouping import Grouping as Grouping
    from pystream.dataset.sets.grouping import SortedGrouping as SortedGrouping
    from pystream.dataset.sets.grouping import UnsortedGrouping as UnsortedGrouping
    from pystream.dataset.sets.joins import CoGroupOperator as CoGroupOperator
    from pystream.dataset.sets.joins import CrossOperator as CrossOperator
    from pystream.dataset.sets.joins import JoinOperator as JoinOperator
    from pystream.engine.connectors.write_mode import WriteMode as WriteMode
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
