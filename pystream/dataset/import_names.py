"""The modules that programs of the DataSet API import, as a table for ``pystream.compat``."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["IMPORT_NAMES"]

_FUNCTIONS = "pystream.dataset.functions"

IMPORT_NAMES: Mapping[str, Mapping[str, str]] = {
    "flink.plan.Environment": {
        "Environment": "pystream.dataset.environment",
        "get_environment": "pystream.dataset.environment",
    },
    "flink.plan.DataSet": {
        "AggregateOperator": "pystream.dataset.sets.aggregates",
        "CoGroupOperator": "pystream.dataset.sets.joins",
        "CrossOperator": "pystream.dataset.sets.joins",
        "DataSet": "pystream.dataset.sets.data_set",
        "DataSink": "pystream.dataset.sets.data_sink",
        "Grouping": "pystream.dataset.sets.grouping",
        "JoinOperator": "pystream.dataset.sets.joins",
        "KeyedFirst": "pystream.dataset.sets.joins",
        "PairedSets": "pystream.dataset.sets.joins",
        "SortedGrouping": "pystream.dataset.sets.grouping",
        "UnsortedGrouping": "pystream.dataset.sets.grouping",
    },
    "flink.plan.Constants": {
        **dict.fromkeys(
            ("BOOL", "BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE", "STRING", "Constants", "Order"),
            "pystream.dataset.constants",
        ),
        **dict.fromkeys(("NO_OVERWRITE", "OVERWRITE", "WriteMode"), "pystream.engine.connectors.write_mode"),
    },
    "flink.functions": {"Collector": _FUNCTIONS, "Iterator": _FUNCTIONS, "RuntimeContext": _FUNCTIONS},
    "flink.functions.Aggregation": dict.fromkeys(
        ("Aggregation", "Max", "Min", "Sum"), "pystream.dataset.aggregation"
    ),
    **{
        f"flink.functions.{name}": {name: _FUNCTIONS}
        for name in (
            "CoGroupFunction",
            "CrossFunction",
            "FilterFunction",
            "FlatMapFunction",
            "Function",
            "GroupReduceFunction",
            "JoinFunction",
            "KeySelector",
            "MapFunction",
            "MapPartitionFunction",
            "ReduceFunction",
        )
    },
}
