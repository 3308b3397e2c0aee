"""Every public name of PyFlink is here, or there is a reason why not.

The names are those of PyFlink 2.3, written by ``tests/parity/pyflink_names.py``.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from pystream import table as tables
from pystream.arguments.equivalents import EQUIVALENTS

NAMES = Path(__file__).parents[1] / "parity" / "pyflink_names.txt"
PACKAGE = Path(__file__).parents[2] / "pystream"

REFUSED_BY_NAME = r"Expression\.(bitmap_\w+|object_update)$|WindowGroupedTable\.aggregate$"
_FROM_BASES = r"InstantTypeInfo\.\w+_TYPE_INFO|BasicTypeInfo\.INSTANT|BasicType\.INSTANT"

WHY_NOT = {
    r"get_java_|get_gateway|get_http_host|Java(Object|Function)Wrapper|PeriodicWatermarks": (
        "holds a Java object"
    ),
    r"\.(from|to)_(internal|sql)_type$|\.need_conversion$": "converts values for Java",
    r"^pyflink\.table\.(serializers|utils) |(Arrow|Batched)Serializer": "converts columns for Java",
    r"to_expression_jarray|tz_convert_from_internal|pickled_bytes_to_python": "converts values for Java",
    r"^pyflink\.table\.functions ": "computes an aggregation inside PyFlink",
    r"udf (Delegat\w+|PandasAggregateFunctionWrapper)": "is how PyFlink calls a function",
    r"table\.types (dt|size)$": "is left over from a loop",
    REFUSED_BY_NAME: "is refused by name, with the way instead",
    r"serializer void$|WINDOW_STATE_NAME$|TYPE_CHECKING$": "is a constant inside PyFlink",
    r"StreamTransformer|Preprocessing|get_transformer|create_(hadoop|java)_|RowDataBulkWriterFactory": (
        "hands a Java object to Flink"
    ),
    r" (Internal|PassThrough)\w+|FunctionWrapper|FunctionDescriptor| WindowOperationDescriptor": (
        "is how PyFlink describes a function to its workers"
    ),
    r"long_to_int_with_bit_mixing|mod_inverse| Min\b|_to_python_obj|register_next_fire_timestamp": (
        "is a helper inside PyFlink"
    ),
    r"connectors\.(dynamic_kafka|kinesis) ": "belongs to a connector that is refused",
    rf"typeinfo ({_FROM_BASES})": "comes from a base class there, and says no more than Types does",
    r"ExternalTypeInfo|EPOCH_ORDINAL": "belongs to tables there",
    r"BaseBuilder$|AccumulateType$": "is a base class inside another class",
    r"ReadOnlyBroadcastState\.clear$": "changes a state that is only to be read",
}


PUBLIC_FOLDERS = ["common", "datastream", "datastream.connectors", "datastream.formats"]

NOT_OF_PYFLINK_2 = {
    "common.execution_mode": "a module of Flink 1",
    "common.type_variables": "the type variables that several modules of PyFlink export",
    "datastream.connectors.data_generator": "a connector that PyFlink leaves to Java",
    "datastream.connectors.opensearch": "a connector that PyFlink leaves to Java",
    "datastream.connectors.rate_limiter": "the pace of sources, which PyFlink leaves to Java",
    "datastream.time_characteristic": "a module of Flink 1",
    "datastream.connectors.committing_sink": "classes of Flink that PyFlink lacks",
    "datastream.connectors.delta": "a connector of Delta Lake, which PyFlink leaves to Java",
    "datastream.connectors.foreach_batch": "for Spark only",
    "datastream.connectors.refused": "connectors that PyFlink leaves to Java, refused by name",
    "datastream.formats.avro_confluent": "a format that PyFlink leaves to Java",
    "datastream.environment": "a room of internals",
    "datastream.streams": "a room of internals",
}


@cache
def missing() -> frozenset[str]:
    return frozenset(line for line in NAMES.read_text().splitlines() if not _is_here(*line.split(" ")))


def _is_here(module: str, name: str) -> bool:
    try:
        found = importlib.import_module(module.replace("pyflink", "pystream", 1))
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.promise("beh:exported-pyflink-datastream")
def test_missing_names_have_a_reason() -> None:
    assert [name for name in sorted(missing()) if not any(re.search(why, name) for why in WHY_NOT)] == []


def test_tables_export_what_they_have_where_pyflink_does() -> None:
    missing_names = [line.split(" ") for line in missing() if line.startswith("pyflink.table")]
    here = {module for module, _ in missing_names if _is_here(module, "__name__")}
    assert [line for line in missing_names if line[0] in here and line[1] in vars(tables)] == []


def test_members_of_tables_that_are_refused_by_name_have_a_way_instead() -> None:
    refused = [name.split(" ")[1].split(".") for name in missing() if re.search(REFUSED_BY_NAME, name)]
    owners = {"ResolvedExpression": "Expression"}
    assert [name for owner, name in refused if name not in EQUIVALENTS[owners.get(owner, owner)]] == []


@pytest.mark.parametrize("pattern", WHY_NOT, ids=WHY_NOT.values())
def test_every_reason_applies_to_a_missing_name(pattern: str) -> None:
    assert any(re.search(pattern, name) for name in missing())


@pytest.mark.parametrize("folder", PUBLIC_FOLDERS)
def test_public_folders_hold_the_modules_of_pyflink(folder: str) -> None:
    modules = {f"{folder}.{path.stem}" for path in (PACKAGE / folder.replace(".", "/")).iterdir()}
    theirs = {line.split(" ")[0].removeprefix("pyflink.") for line in NAMES.read_text().splitlines()}
    packages = {module.rpartition(".")[0] for module in theirs}
    ours = {module for module in modules if not module.rpartition(".")[2].startswith("__")}
    assert sorted(ours - theirs - packages - NOT_OF_PYFLINK_2.keys()) == []


@pytest.mark.promise(
    "beh:exported-functions", "beh:exported-common", "beh:exported-serialization", "beh:connectors-wrapped"
)
@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("datastream.functions", ["RuntimeContext", "MapFunction"]),
        ("datastream.connectors", ["FileSink", "FileSource", "NumberSequenceSource", "StreamingFileSink"]),
        ("common", ["Row", "WatermarkStrategy"]),
        ("common.typeinfo", ["Types"]),
        (
            "common.serialization",
            ["Encoder", "JsonRowSerializationSchema", "JsonRowDeserializationSchema"],
        ),
    ],
)
def test_classes_that_pyflink_documents_are_exported(module: str, names: list[str]) -> None:
    exporting = importlib.import_module(f"pystream.{module}")
    for name in names:
        assert isinstance(getattr(exporting, name), type)
