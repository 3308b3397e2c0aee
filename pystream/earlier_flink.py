"""Recognize programs for earlier versions of Flink, or for its Java classes, by the imports that fail."""

from __future__ import annotations

import re
from typing import Final

from pystream.program_warnings import program_place

__all__ = ["earlier_flink_message"]

_BATCH: Final = "TableEnvironment.create(EnvironmentSettings.in_batch_mode())"
_FILES: Final = (
    "execute_sql(\"CREATE TABLE … WITH ('connector' = 'filesystem', 'path' = …, 'format' = 'csv')\")"
)
_DESCRIPTION: Final = (
    "create_temporary_table(path, TableDescriptor.for_connector(name)…), or execute_sql('CREATE TABLE …')"
)
_TABLE_NAMES: Final = {
    "BatchTableEnvironment": _BATCH,
    "CsvTableSink": _FILES,
    "CsvTableSource": _FILES,
    "WriteMode": "execute_insert(path, overwrite=True)",
}
_NAMES: Final = {
    **_TABLE_NAMES,
    **dict.fromkeys(
        (
            "Avro",
            "Csv",
            "CustomConnectorDescriptor",
            "CustomFormatDescriptor",
            "Elasticsearch",
            "FileSystem",
            "HBase",
            "Jdbc",
            "Json",
            "Kafka",
            "OldCsv",
            "Rowtime",
        ),
        _DESCRIPTION,
    ),
    "ExecutionEnvironment": _BATCH,
    "SimpleStringEncoder": "Encoder.simple_string_encoder()",
}
_OF_JAVA: Final = {"pyflink.java_gateway", "pyflink.pyflink_gateway_server", "pyflink.util.java_utils"}
_PACKAGES: Final = ("pyflink.", "pystream.")
_NOT_IMPORTED: Final = re.compile(r"cannot import name '(\w+)'")
_NOT_DEFINED: Final = re.compile(r"name '(\w+)' is not defined")


def earlier_flink_message(error: BaseException) -> str | None:
    """Return one line that says what of an earlier Flink, or of Java, a program imports, and the remedy.

    Args:
        error: the error that has ended the program.
    """
    place = program_place(error.__traceback__)
    match error:
        case ModuleNotFoundError(name=str(module)) if module in _OF_JAVA:
            return (
                f"{place}: {module} is about objects of Java, and no Java runs here; use methods of the "
                "environments, streams and tables instead"
            )
        case ImportError(name=str(module)) if module.startswith(_PACKAGES):
            found, remedies = _NOT_IMPORTED.search(str(error)), _NAMES
        case NameError():
            found, remedies = _NOT_DEFINED.search(str(error)), _TABLE_NAMES
        case _:
            return None
    if found is None or found[1] not in remedies:
        return None
    return f"{place}: {found[1]} is of an earlier version of Flink; write {remedies[found[1]]}"
