"""How tables are described: columns of schemas, keys, references to plans, and the descriptors of Flink 1."""

from __future__ import annotations

from pystream.table import DataTypes, ModuleEntry, PlanReference, TableSchema
from pystream.table.catalog import Column, ResolvedSchema
from pystream.table.descriptors import Rowtime, Schema

_TYPES = [
    DataTypes.STRING(),
    DataTypes.INT(False),
    DataTypes.TIME(3),
    DataTypes.ARRAY(DataTypes.STRING()),
    DataTypes.ROW([DataTypes.FIELD("STRING", DataTypes.STRING())]),
    DataTypes.MAP(DataTypes.INT(), DataTypes.BYTES()),
    DataTypes.DECIMAL(10, 2),
    DataTypes.TIMESTAMP(6),
    DataTypes.TIMESTAMP_LTZ(3),
    DataTypes.CHAR(3),
]


def types_of_fields():
    schema = Schema()
    for position, data_type in enumerate(_TYPES):
        schema = schema.field(f"f{position}", data_type)
    return sorted(schema.to_properties().items())


_NAMES = [
    "VARCHAR",
    "STRING",
    "SQL_TIMESTAMP",
    "SQL_TIME",
    "SQL_DATE",
    "BYTE",
    "SHORT",
    "LONG",
    "DECIMAL(10,2)",
    "int",
]


def names_of_types():
    schema = Schema().fields({f"f{position}": name for position, name in enumerate(_NAMES)})
    return sorted(schema.to_properties().items())


def unknown_name_of_a_type():
    return Schema().field("a", "nothing").to_properties()


def times_of_fields():
    time = Rowtime().timestamps_from_field("ts").watermarks_periodic_bounded(5)
    schema = Schema(TableSchema(["a"], [DataTypes.INT()])).field("t", DataTypes.BIGINT()).rowtime(time)
    schema = schema.field("p", "BIGINT").proctime().field("o", "STRING").from_origin_field("O")
    return sorted(schema.to_properties().items())


def event_time_of_the_source():
    return sorted(Rowtime().timestamps_from_source().watermarks_from_source().to_properties().items())


def ascending_event_time():
    return sorted(Rowtime().watermarks_periodic_ascending().to_properties().items())


def timestamps_twice():
    return Rowtime().timestamps_from_source().timestamps_from_field("ts").to_properties()


def a_field_twice():
    return Schema().field("a", DataTypes.INT()).field("a", DataTypes.INT()).to_properties()


def no_field_to_describe():
    return Schema().proctime().to_properties()


def a_field_described_twice():
    return Schema().field("a", "INT").proctime().from_origin_field("b").to_properties()


def columns_of_metadata():
    given = [(None, False), (None, True), ("key", False), ("it's", True)]
    columns = [Column.metadata("a", DataTypes.INT(), key, virtual) for key, virtual in given]
    return [
        [str(c), c.explain_extras(), c.is_physical(), c.is_persisted(), c.is_virtual(), c.get_metadata_key()]
        for c in columns
    ]


def physical_columns():
    column = Column.physical("a b", DataTypes.INT(False))
    same = Column.physical("a b", DataTypes.INT(False))
    return [str(column), column.explain_extras(), column.is_physical(), column.is_persisted(), column == same]


def resolved_schemas():
    schema = ResolvedSchema.physical(["a", "b"], [DataTypes.INT(), DataTypes.STRING()])
    return [
        str(schema),
        schema.get_column_count(),
        [type(column).__name__ for column in schema.get_columns()],
        schema.get_column(2) is None,
        schema.get_column("c") is None,
        schema.get_watermark_specs(),
        schema.get_primary_key() is None,
    ]


def references_to_plans():
    content = PlanReference.from_json_string("{}")
    return [
        str(PlanReference.from_file("/plans/a.json")),
        str(PlanReference.from_file("/plans/a.json").get_file()),
        str(content),
        content.get_content(),
        content == PlanReference.from_json_string("{}"),
        str(PlanReference.from_smile_bytes(b"ab")),
    ]


def entries_of_modules():
    entry = ModuleEntry("a", True)
    return [
        str(entry),
        entry.name(),
        entry.used(),
        entry == ModuleEntry("a", True),
        entry == ModuleEntry("a", False),
    ]
