"""The public API: its classes and functions, the methods of each, and objects of its classes."""

from __future__ import annotations

import enum
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pystream.common import Configuration, Duration, Row, Time, Types, WatermarkStrategy
from pystream.dataset import Order, get_environment
from pystream.dataset.import_names import IMPORT_NAMES
from pystream.datastream import OutputTag
from pystream.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.table import DataTypes, EnvironmentSettings, Schema, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.testing import local_environment

__all__ = ["callables", "methods", "objects"]

_NAMES = Path(__file__).parents[2] / "parity" / "pyflink_names.txt"
_OURS = (
    "pystream.datastream",
    "pystream.datastream.connectors",
    "pystream.table",
    "pystream.table.expressions",
)
_PACKAGES = ("pystream.", "typeinfo.")
_FOR_ENGINE = {
    "bind",
    "reader",
    "split_reader",
    "record_type",
    "deserializer",
    "write_to",
    "source",
    "rolling",
    "assign_windows",
    "get_window_start_with_offset",
    "state",
    "drop_expired",
    "merge",
    "merge_windows",
    "in_stream",
}
"""Public methods that the engine calls with arguments of its own."""
_ENDLESS = {
    "wait",
    "execute_async",
    "get_job_execution_result",
    "next",
    "can_retry",
    "get_backoff_time_millis",
}


@cache
def callables() -> tuple[Any, ...]:
    """Return the classes and functions of the public modules, without abstract classes and enums."""
    found: dict[str, Any] = {}
    for value in _exported():
        is_class = inspect.isclass(value) and not issubclass(value, (BaseException, enum.Enum))
        if is_class and (
            value.__name__.endswith(("Context", "Iterator")) or getattr(value, "_is_protocol", False)
        ):
            continue
        if (is_class or inspect.isfunction(value)) and value.__module__.startswith(_PACKAGES):
            found[f"{value.__module__}.{value.__qualname__}"] = value
    return tuple(found[name] for name in sorted(found))


def _exported() -> Iterator[Any]:
    for line in _NAMES.read_text().splitlines():
        module, name = line.split()
        if "." not in name:
            yield from _attribute(module.replace("pyflink", "pystream", 1), name)
    for module in _OURS:
        for name in getattr(importlib.import_module(module), "__all__", ()):
            yield from _attribute(module, name)
    for names in IMPORT_NAMES.values():
        for name, module in names.items():
            yield from _attribute(module, name)


def _attribute(module: str, name: str) -> Iterator[Any]:
    try:
        yield getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):  # PyFlink's, and not here
        return


def methods(value: Any) -> list[str]:
    """Return the names of the public methods of an object, or the factories of a class."""
    names = [name for name in dir(value) if not name.startswith("_")]
    if inspect.isclass(value):
        factories = (staticmethod, classmethod)
        names = [name for name in names if isinstance(inspect.getattr_static(value, name), factories)]
    return [
        name
        for name in names
        if name not in _FOR_ENGINE | _ENDLESS and not inspect.isclass(inspect.getattr_static(value, name))
    ]


def objects() -> list[Any]:
    """Return objects of the classes that programs work with."""
    env = local_environment()
    stream = env.from_collection([("a", 1), ("b", 2)], Types.TUPLE([Types.STRING(), Types.INT()]))
    keyed = stream.key_by(lambda pair: pair[0], Types.STRING())
    t_env = StreamTableEnvironment.create(env)
    table = t_env.from_data_stream(stream)
    t_env.create_temporary_view("t", table)
    batch = get_environment()
    data_set = batch.from_elements(("a", 1), ("b", 2))
    assigner = TumblingEventTimeWindows.of(Time.seconds(1))
    description = MapStateDescriptor("m", Types.STRING(), Types.INT())
    joined = stream.join(stream)
    where = joined.where(lambda pair: pair[0], Types.STRING())
    equal = where.equal_to(lambda pair: pair[0], Types.STRING())
    return [
        *(env, env.get_config(), env.get_checkpoint_config(), t_env, t_env.get_config(), batch),
        *(stream, keyed, keyed.window(assigner), keyed.count_window(3), stream.window_all(assigner)),
        *(stream.connect(stream), keyed.connect(keyed), stream.iterate(), stream.print()),
        *(stream.broadcast(description), stream.connect(stream.broadcast(description)), description),
        *(joined, where, equal, equal.window(assigner), stream.co_group(stream)),
        *(keyed.interval_join(keyed), keyed.interval_join(keyed).between(Time.seconds(-1), Time.seconds(1))),
        *(table, table.group_by(col("f0")), table.get_schema(), t_env.create_statement_set()),
        *(
            col("f0"),
            col("f1") + 1,
            Schema.new_builder(),
            DataTypes.INT(),
            EnvironmentSettings.new_instance(),
        ),
        *(
            data_set,
            data_set.group_by(0),
            data_set.group_by(0).sort_group(1, Order.ASCENDING),
            data_set.join(data_set),
        ),
        *(Types.INT(), Types.STRING(), Types.ROW_NAMED(["a"], [Types.INT()]), Row(1, 2), Row(a=1)),
        *(Configuration(), Duration.of_seconds(1), Time.seconds(1), OutputTag("t", Types.INT()), assigner),
        *(WatermarkStrategy.for_monotonous_timestamps(), ValueStateDescriptor("v", Types.INT())),
    ]
