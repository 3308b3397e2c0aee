"""All connectors of tables by name."""

from __future__ import annotations

from pystream.errors import ConfigurationError
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.datagen import DataGenerator
from pystream.table.connectors.delta import Delta
from pystream.table.connectors.elasticsearch import Elasticsearch6, Elasticsearch7, Opensearch
from pystream.table.connectors.filesystem import FileSystem
from pystream.table.connectors.jdbc import Jdbc
from pystream.table.connectors.kafka import Kafka, UpsertKafka
from pystream.table.connectors.legacy_options import current_options
from pystream.table.connectors.metadata import check_metadata
from pystream.table.connectors.options import read_options
from pystream.table.connectors.sinks import BlackHole, Print

__all__ = ["CONNECTORS", "connector_of"]

_ALL = (
    DataGenerator,
    FileSystem,
    Kafka,
    UpsertKafka,
    Jdbc,
    Delta,
    Elasticsearch6,
    Elasticsearch7,
    Opensearch,
    Print,
    BlackHole,
)

CONNECTORS: dict[str, type[Connector]] = {connector.name: connector for connector in _ALL}

_ELSEWHERE = "of other systems, from_data_frame reads and foreach_batch writes with a package of Spark"
_CHANGES = (
    "let Debezium write the changes to Kafka, and read them with 'connector' = 'kafka' and 'format' = "
    "'debezium-json'"
)


def connector_of(table: TableDefinition) -> Connector:
    """Return the connector of a table.

    Raises:
        ConfigurationError: there is no such connector, or one of its options is wrong.
        PlanError: it has no such metadata as a column is to hold.
        PlanTypeError: a column of metadata has another type.
    """
    options = dict(current_options(table.options, table.path))
    name = options.pop("connector", None)
    if name not in CONNECTORS:
        found = "needs the option 'connector'" if name is None else f"has the unknown connector {name!r}"
        remedy = _CHANGES if name is not None and name.endswith("-cdc") else _ELSEWHERE
        raise ConfigurationError(f"table {table.path!r} {found}; there are {', '.join(CONNECTORS)}; {remedy}")
    owner = f"table {table.path!r} with connector {name!r}"
    known = CONNECTORS[name]
    check_metadata(table.metadata.values(), known.known_metadata(options), owner)
    return known(table, read_options(options, known.options, [c.name for c in table.columns], owner))
