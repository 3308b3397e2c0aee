"""The text of elements, as written by print() and by the simple string encoder of file sinks."""

import dataclasses
import datetime
from collections import OrderedDict, namedtuple
from decimal import Decimal

from pystream.common import Encoder, Instant, Row, RowKind
from pystream.common.typeinfo import Types
from pystream.datastream.connectors.file_system import BucketAssigner, FileSink

_NAN, _INF = float("nan"), float("inf")
_Point = namedtuple("_Point", "x y")


@dataclasses.dataclass
class _Pair:
    left: int
    right: str


class _Shouting:
    def __str__(self):
        return "HO"

    def __repr__(self):
        return "ho"


def _kinds():
    return [Row.of_kind(kind, 1, "a") for kind in RowKind]


_NESTED = Types.ROW([Types.INT(), Types.ROW([Types.STRING(), Types.DOUBLE()])])
_NAMED = Types.ROW_NAMED(["id", "name"], [Types.INT(), Types.STRING()])
_CONTAINERS = Types.ROW(
    [Types.LIST(Types.DOUBLE()), Types.MAP(Types.STRING(), Types.BOOLEAN()), Types.BASIC_ARRAY(Types.INT())]
)
_TIMES = Types.ROW([Types.SQL_DATE(), Types.SQL_TIME(), Types.SQL_TIMESTAMP()])
_SCALARS = Types.ROW([Types.BOOLEAN(), Types.FLOAT(), Types.DOUBLE(), Types.BIG_DEC(), Types.STRING()])

CASES = {
    "BYTE": (Types.BYTE(), [0, -128, 127]),
    "INT": (Types.INT(), [0, -5, 2**31 - 1]),
    "LONG": (Types.LONG(), [0, -(2**63), 10**18]),
    "BOOLEAN": (Types.BOOLEAN(), [True, False]),
    "FLOAT": (
        Types.FLOAT(),
        [
            *(1.0, 1 / 3, 0.1, 1e10, 1e-5, 1e-3, 9e-4, 1e7, 9999999.0, 123456.789, 16777217.0, 0.0, -0.0),
            *(3.4028234663852886e38, 1.401298464324817e-45, _NAN, _INF, -_INF),
        ],
    ),
    "DOUBLE": (
        Types.DOUBLE(),
        [
            *(1.0, 1 / 3, 0.1, 1e10, 1.5e10, 1e-5, 1e-3, 9e-4, 1e7, 9999999.0, 9999999.999, 123456.789, 1e16),
            *(1e21, 2.0**53, 2e-3, 0.0, -0.0, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308),
            *(_NAN, _INF, -_INF),
        ],
    ),
    "STRING": (Types.STRING(), ["a", "", " b ", "it's", 'say "x"', "grün 😀", "a\tb", "1"]),
    "STRING_with_newline": (Types.STRING(), ["a\nb"]),
    "CHAR": (Types.CHAR(), ["a"]),
    "BIG_INT": (Types.BIG_INT(), [10**10]),
    "BIG_DEC": (Types.BIG_DEC(), [Decimal(text) for text in ("1.50", "-0.001", "100", "1234567890.123")]),
    "BIG_DEC_exponents": (Types.BIG_DEC(), [Decimal("1E+3"), Decimal("1E-10"), Decimal("0E-5")]),
    "SQL_DATE": (Types.SQL_DATE(), [datetime.date(2020, 2, 29), datetime.date(1969, 12, 31)]),
    "SQL_TIME": (Types.SQL_TIME(), [datetime.time(1, 2, 3), datetime.time(23, 59, 59)]),
    "SQL_TIME_micros": (Types.SQL_TIME(), [datetime.time(1, 2, 3, 456000)]),
    "SQL_TIMESTAMP": (
        Types.SQL_TIMESTAMP(),
        [datetime.datetime(2020, 2, 29, 1, 2, 3, micros) for micros in (0, 456000, 100)],
    ),
    "INSTANT": (Types.INSTANT(), [Instant.of_epoch_milli(0), Instant.of_epoch_milli(1582979405123)]),
    "ROW": (Types.ROW([Types.INT(), Types.STRING()]), [Row(1, "a"), Row(None, None), Row(2, "")]),
    "ROW_scalars": (_SCALARS, [Row(True, 1 / 3, 1e10, Decimal("1.50"), "x"), Row(*[None] * 5)]),
    "ROW_times": (
        _TIMES,
        [Row(datetime.date(2020, 2, 29), datetime.time(1, 2, 3), datetime.datetime(2020, 2, 29, 1, 2, 3))],
    ),
    "ROW_nested": (_NESTED, [Row(1, Row("a", 0.5)), Row(None, Row(None, None))]),
    "ROW_containers": (_CONTAINERS, [Row([1.5, 2.0], {"a": True}, [1, None])]),
    "ROW_empty": (Types.ROW([]), [Row()]),
    "ROW_kinds": (Types.ROW([Types.INT(), Types.STRING()]), _kinds()),
    "ROW_NAMED": (_NAMED, [Row(id=1, name="a"), Row(id=2, name=None)]),
    "ROW_of_pickled": (Types.ROW([Types.PICKLED_BYTE_ARRAY()]), [Row((1, "a"))]),
    "TUPLE": (
        Types.TUPLE([Types.STRING(), Types.INT(), Types.DOUBLE(), Types.BOOLEAN()]),
        [("hi", 1, 1e10, True), ("", -1, 1 / 3, False)],
    ),
    "TUPLE_one": (Types.TUPLE([Types.INT()]), [(1,)]),
    "TUPLE_nested": (
        Types.TUPLE([Types.TUPLE([Types.INT()]), Types.LIST(Types.STRING())]),
        [((1,), ["a", "b"])],
    ),
    "TUPLE_with_null": (Types.TUPLE([Types.INT(), Types.STRING()]), [(1, None)]),
    "TUPLE_with_row": (Types.TUPLE([_NAMED, Types.INT()]), [(Row(id=1, name="a"), 2)]),
    "LIST": (Types.LIST(Types.INT()), [[0, 7], []]),
    "LIST_of_floats": (Types.LIST(Types.FLOAT()), [[1 / 3, 1.0]]),
    "LIST_of_rows": (Types.LIST(Types.ROW([Types.INT()])), [[Row(1), Row(2)]]),
    "LIST_of_strings": (Types.LIST(Types.STRING()), [["a", "b c"]]),
    "MAP": (Types.MAP(Types.STRING(), Types.INT()), [{"a": 1}, {}, {"a": 1, "b": 2}]),
    "MAP_order": (Types.MAP(Types.STRING(), Types.INT()), [{"zebra": 1, "apple": 2, "mango": 3, "kiwi": 4}]),
    "MAP_int_keys": (Types.MAP(Types.INT(), Types.INT()), [{30: 1, 2: 2, 17: 3}]),
    "PRIMITIVE_ARRAY": (Types.PRIMITIVE_ARRAY(Types.INT()), [[1, 2]]),
    "PRIMITIVE_ARRAY_BYTE": (Types.PRIMITIVE_ARRAY(Types.BYTE()), [b"\x01\x02"]),
    "BASIC_ARRAY": (Types.BASIC_ARRAY(Types.STRING()), [["a", "b"]]),
    "OBJECT_ARRAY": (Types.OBJECT_ARRAY(Types.INT()), [[1, 2]]),
    "PICKLED_scalars": (None, [1, 1.0, 1e10, 1 / 3, True, "a", Decimal("1.50"), 2**70, 1j, _NAN, 1e16]),
    "PICKLED_bytes": (None, [b"ab"]),
    "PICKLED_containers": (None, [(1, "a"), [1, "a"], {"a": 1}, {1}, (), [None], {"k": (1.0, "x")}]),
    "PICKLED_times": (
        None,
        [datetime.date(2020, 2, 29), datetime.datetime(2020, 2, 29, 1, 2, 3, 4), datetime.timedelta(1)],
    ),
    "PICKLED_objects": (
        None,
        [_Point(1, "a"), _Pair(1, "a"), _Shouting(), OrderedDict(a=1), int, RowKind.DELETE],
    ),
    "PICKLED_rows": (None, [Row(1, "a"), Row(a=1, b=None), Row.of_kind(RowKind.DELETE, 1)]),
}


def _stream(env, case):
    declared, values = case
    return env.from_collection(list(range(len(values)))).map(lambda i: values[i], output_type=declared)


def _sink(directory):
    encoder = Encoder.simple_string_encoder()
    to_one_directory = BucketAssigner.base_path_bucket_assigner()
    return FileSink.for_row_format(str(directory), encoder).with_bucket_assigner(to_one_directory).build()


def _text_of(directory):
    return "".join(part.read_text(encoding="utf-8") for part in sorted(directory.glob("part-*"))).split("\n")


def printed(env, case):
    _stream(env, case).print()
    env.execute()


def written(env, case, tmp):
    _stream(env, case).sink_to(_sink(tmp / "out"))
    env.execute()
    return _text_of(tmp / "out")


def printed_nested_row_across_an_exchange(env):
    _stream(env, CASES["ROW_nested"]).rebalance().print()
    env.execute()


def printed_scalars_row_across_an_exchange(env):
    _stream(env, CASES["ROW_scalars"]).rebalance().print()
    env.execute()


def printed_by_two(env):
    env.set_parallelism(2)
    env.from_collection(["a", "b"], type_info=Types.STRING()).broadcast().print()
    env.execute()


def printed_with_identifier(env):
    env.from_collection([1, 2], type_info=Types.INT()).print("id")
    env.execute()


def printed_with_identifier_by_two(env):
    env.set_parallelism(2)
    env.from_collection([1, 2], type_info=Types.INT()).broadcast().print("id")
    env.execute()


def printed_with_empty_identifier(env):
    env.from_collection([1], type_info=Types.INT()).print("")
    env.execute()


def printed_by_one_of_two(env):
    env.set_parallelism(2)
    env.from_collection([1, 2], type_info=Types.INT()).print().set_parallelism(1)
    env.execute()


def printed_twice(env):
    numbers = env.from_collection([1], type_info=Types.INT())
    numbers.print("one")
    numbers.print("two")
    env.execute()


def collected_row_kinds(env):
    row = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()])
    return env.from_collection([0, 1, 2, 3]).map(lambda i: _kinds()[i], output_type=row)
