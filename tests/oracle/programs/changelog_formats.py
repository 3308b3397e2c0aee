"""What tables of files read from messages of changes, and write as such."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from pystream.common import Row, RowKind, Types
from pystream.table import StreamTableEnvironment

COLUMNS = "id INT, name STRING, w DOUBLE"
DEBEZIUM = [
    '{"before":null,"after":{"id":1,"name":"a","w":3.14},"source":{"db":"x"},"op":"c","ts_ms":1}',
    '{"before":null,"after":{"id":2,"name":"b","w":1},"op":"r"}',
    '{"before":{"id":1,"name":"a","w":3.14},"after":{"id":1,"name":"aa","w":5},"op":"u"}',
    '{"before":{"id":2,"name":"b","w":1},"after":null,"op":"d"}',
]
CANAL = [
    '{"data":[{"id":"1","name":"a","w":"3.14"},{"id":"2","name":"b","w":"1"}],"type":"INSERT","old":null,'
    '"database":"d","table":"t"}',
    '{"data":[{"id":"1","name":"aa","w":"5"}],"old":[{"name":"a","w":"3.14"}],"type":"UPDATE",'
    '"database":"e","table":"t"}',
    '{"data":[{"id":"1","name":"aa","w":null}],"old":[{"w":"5"}],"type":"UPDATE","database":"d","table":"u"}',
    '{"data":[{"id":"1","name":"aa","w":"9"}],"old":[{"w":null}],"type":"UPDATE","database":"d","table":"t"}',
    '{"data":[{"id":"2","name":"b","w":"1"}],"old":null,"type":"DELETE","database":"f","table":"t"}',
    '{"data":null,"type":"CREATE","sql":"create table","database":"d","table":"t"}',
    '{"data":[{"id":"3"}],"type":"INSERT","database":"d","table":"t"}',
]
MAXWELL = [
    '{"database":"d","type":"insert","ts":1596684883,"data":{"id":1,"name":"a","w":3.14}}',
    '{"type":"insert","data":{"id":2,"name":"b","w":1}}',
    '{"type":"update","data":{"id":1,"name":"aa","w":5},"old":{"name":"a","w":3.14}}',
    '{"type":"update","data":{"id":1,"name":"aa","w":null},"old":{"w":5}}',
    '{"type":"update","data":{"id":1,"name":"aa","w":9},"old":{"w":null}}',
    '{"type":"delete","data":{"id":2,"name":"b","w":1}}',
]
OGG = [
    '{"before":null,"after":{"id":1,"name":"a","w":3.14},"op_type":"I","table":"T"}',
    '{"before":{"id":1,"name":"a","w":3.14},"after":{"id":1,"name":"aa","w":5},"op_type":"U"}',
    '{"before":{"id":1,"name":"aa","w":5},"after":null,"op_type":"D"}',
]
LAST = {
    "debezium-json": '{"after":{"id":7},"op":"c"}',
    "canal-json": '{"data":[{"id":"7"}],"type":"INSERT"}',
    "maxwell-json": '{"data":{"id":7},"type":"insert"}',
    "ogg-json": '{"after":{"id":7},"op_type":"I"}',
}
BROKEN = {
    "debezium-json": {
        "kind": '{"before":null,"after":{"id":1},"op":"x"}',
        "no_kind": '{"after":{"id":1}}',
        "broken": '{"before',
        "no_before": '{"before":null,"after":{"id":1},"op":"u"}',
        "nothing_deleted": '{"before":null,"after":null,"op":"d"}',
        "no_after": '{"before":null,"after":null,"op":"c"}',
        "value": '{"after":{"id":"x","name":"n"},"op":"c"}',
        "number": "5",
    },
    "canal-json": {
        "kind": '{"data":[{"id":"1"}],"type":"QUERY"}',
        "no_data": '{"type":"INSERT","data":null}',
        "no_old": '{"type":"UPDATE","data":[{"id":"1"}]}',
        "less_old": '{"type":"UPDATE","data":[{"id":"1"},{"id":"2"}],"old":[{"name":"q"}]}',
        "value": '{"data":[{"id":"x","name":"n"}],"type":"INSERT"}',
        "no_row": '{"data":[null],"type":"INSERT"}',
        "array": '[{"data":[{"id":"1"}],"type":"INSERT"}]',
    },
    "maxwell-json": {
        "kind": '{"data":{"id":1},"type":"INSERT"}',
        "no_data": '{"type":"insert","data":null}',
        "no_old": '{"type":"update","data":{"id":1}}',
        "value": '{"data":{"id":"x","name":"n"},"type":"insert"}',
    },
    "ogg-json": {
        "kind": '{"after":{"id":1},"op_type":"T"}',
        "no_before": '{"op_type":"U","after":{"id":1}}',
        "value": '{"after":{"id":"x","name":"n"},"op_type":"I"}',
    },
}
IGNORED_ROWS = {"value": 2, "less_old": 3}
"""How many rows there are in spite of an error that is ignored, with the one after it; 1 for others."""

CASES = {
    "debezium": ("debezium-json", COLUMNS, DEBEZIUM, {}, 5),
    "debezium_with_schema": (
        "debezium-json",
        COLUMNS,
        [f'{{"schema":{{"type":"struct"}},"payload":{message}}}' for message in DEBEZIUM],
        {"schema-include": "true"},
        5,
    ),
    "debezium_without_its_schema": ("debezium-json", COLUMNS, DEBEZIUM, {"schema-include": "true"}, 5),
    "debezium_array": ("debezium-json", COLUMNS, [f"[{','.join(DEBEZIUM)}]", "", "null"], {}, 5),
    "debezium_times": (
        "debezium-json",
        "t TIMESTAMP(3), d DECIMAL(5, 2)",
        ['{"after":{"t":"2020-01-02T03:04:05","d":1.005},"op":"c"}'],
        {"timestamp-format.standard": "ISO-8601"},
        1,
    ),
    "canal": ("canal-json", COLUMNS, CANAL, {}, 10),
    "canal_of_a_database": ("canal-json", COLUMNS, CANAL, {"database.include": "d|e"}, 9),
    "canal_of_a_table": (
        "canal-json",
        COLUMNS,
        CANAL,
        {"database.include": "[de]", "table.include": "t"},
        7,
    ),
    "maxwell": ("maxwell-json", COLUMNS, MAXWELL, {}, 9),
    "ogg": ("ogg-json", COLUMNS, OGG, {}, 4),
    "ogg_array": ("ogg-json", COLUMNS, [f"[{','.join(OGG)}]"], {}, 4),
    **{
        f"{format}_{name}": (format, COLUMNS, [message, LAST[format]], {}, 2)
        for format, messages in BROKEN.items()
        for name, message in messages.items()
    },
    **{
        f"{format}_{name}_ignored": (
            format,
            COLUMNS,
            [message, LAST[format]],
            {"ignore-parse-errors": "true"},
            IGNORED_ROWS.get(name, 1),
        )
        for format, messages in BROKEN.items()
        for name, message in messages.items()
    },
}


def changes(env, tmp, case):
    format, columns, lines, options, count = case
    (tmp / "part").write_text("".join(f"{line}\n" for line in lines))
    t_env = StreamTableEnvironment.create(env)
    given = "".join(f", '{format}.{key}' = '{value}'" for key, value in options.items())
    t_env.execute_sql(
        f"CREATE TABLE t ({columns}) WITH ('connector' = 'filesystem', 'path' = '{tmp}', "
        f"'source.monitor-interval' = '1 s', 'format' = '{format}'{given})"
    )
    found = []
    with t_env.execute_sql("SELECT * FROM t").collect() as rows:
        for row in rows:
            found.append(f"{row.get_row_kind()!s} {tuple(row)}".removeprefix("RowKind."))
            if len(found) == count:
                return found
    return found


def _written(env, tmp, format, options=""):
    names, inner = ["id", "name", "d", "t", "m"], Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])
    types = [Types.INT(), Types.STRING(), Types.BIG_DEC(), Types.SQL_TIMESTAMP(), inner]
    rest = Decimal(1000), datetime(2020, 1, 2, 3, 4, 5, 600000)
    rows = [
        Row.of_kind(RowKind.INSERT, 1, "a", *rest, Row(1, "a")),
        Row.of_kind(RowKind.UPDATE_BEFORE, 1, "a", *rest, Row(1, "a")),
        Row.of_kind(RowKind.UPDATE_AFTER, 1, None, *rest, Row(1, None)),
        Row.of_kind(RowKind.DELETE, 1, None, *rest, None),
    ]
    t_env = StreamTableEnvironment.create(env)
    stream = env.from_collection(rows, Types.ROW_NAMED(names, types))
    t_env.execute_sql(
        "CREATE TABLE t (id INT, name STRING, d DECIMAL(10, 0), t TIMESTAMP(3), m ROW<x INT, y STRING>) WITH "
        f"('connector' = 'filesystem', 'path' = '{tmp}', 'format' = '{format}'{options})"
    )
    t_env.from_changelog_stream(stream).execute_insert("t").wait()
    files = sorted(path for path in tmp.rglob("part-*") if path.is_file())
    return [line for file in files for line in file.read_text().splitlines()]


def written_debezium(env, tmp):
    return _written(env, tmp, "debezium-json")


def written_debezium_without_nulls(env, tmp):
    options = {
        "encode.ignore-null-fields": "true",
        "encode.decimal-as-plain-number": "true",
        "timestamp-format.standard": "ISO-8601",
    }
    given = "".join(f", 'debezium-json.{key}' = '{value}'" for key, value in options.items())
    return _written(env, tmp, "debezium-json", given)


def written_debezium_with_a_schema(env, tmp):
    return _written(env, tmp, "debezium-json", ", 'debezium-json.schema-include' = 'true'")


def written_canal(env, tmp):
    return _written(env, tmp, "canal-json")


def written_maxwell(env, tmp):
    return _written(env, tmp, "maxwell-json")


def written_ogg(env, tmp):
    return _written(env, tmp, "ogg-json")
