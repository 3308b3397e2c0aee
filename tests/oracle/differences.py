"""The deliberate differences from PyFlink: for each reason, the programs with their expected outcomes.

`docs/differences.md` explains the reasons. Outcomes have the form of the recorded ones; ERROR means any
PyStreamError, TYPE_ERROR for a TypeError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Outcome = dict[str, Any]

ERROR: Outcome = {"error": "PyStreamError", "message": "", "raised": "java"}
TYPE_ERROR: Outcome = {"error": "TypeError", "message": "", "raised": "client"}


def _seen(value: object) -> Outcome:
    return {"elements": [_seen_pair(value)]}


def _seen_pair(value: object) -> Outcome:
    return {"tuple": ["seen", value]}


def _collected(*values: object) -> Outcome:
    return {"elements": list(values)}


def _in_all_modes(case: str, value: object) -> dict[str, Outcome]:
    """Expect a value in each program of ``values``."""
    return {
        f"values::source_to_function[{case}]": _seen(value),
        f"values::function_to_function[{case}]": _seen(value),
        f"values::collected[{case}]": _collected(value),
    }


def _from_functions(case: str, value: object) -> dict[str, Outcome]:
    every = _in_all_modes(case, value)
    return {program: every[program] for program in every if "source" not in program}


def _refused(cases: str, modes: str) -> dict[str, Outcome]:
    return {f"values::{mode}[{case}]": ERROR for case in cases.split() for mode in modes.split()}


def _texts(case: str, *lines: str) -> dict[str, Outcome]:
    return {
        f"texts::printed[{case}]": {"value": None, "stdout": list(lines)},
        f"texts::written[{case}]": {"value": [*lines, ""]},
    }


def _written(case: str, *lines: str) -> dict[str, Outcome]:
    return {f"texts::written[{case}]": {"value": [*lines, ""]}}


def _row(*values: object, names: Iterable[str] | None) -> Outcome:
    return {"row": {"kind": "+I", "names": None if names is None else list(names), "values": list(values)}}


def _float(value: float) -> Outcome:
    return {"float": repr(value)}


def _node(number: int, kind: str, name: str, parallelism: int, upstream: str | None = None) -> Outcome:
    """Return a node of a plan without branches."""
    node = {"id": number, "pact": kind, "type": name, "contents": name, "parallelism": parallelism}
    if upstream is not None:
        edge = {"id": number - 1, "ship_strategy": upstream, "side": "second"}
        node["predecessors"] = [{"dict": sorted([key, value] for key, value in edge.items())}]
    return {"dict": sorted([key, value] for key, value in node.items())}


def _plan(*nodes: Outcome) -> Outcome:
    return {"value": {"dict": [["nodes", list(nodes)]]}}


def _by_key(**results: list[Any]) -> Outcome:
    return {"value": {"dict": [[key, values] for key, values in results.items()]}}


def _elements(*times: int) -> list[Any]:
    return [["element", time] for time in times]


def _timers(*times: int) -> list[Any]:
    return [["timer", time, time, _MAX] for time in times]


_SOURCE = _node(1, "Data Source", "Source: Collection Source", 1)

_ROW_OF_ONE = _row(1, names=["f0"])

_MIN = -(2**63)

_MAX = 2**63 - 1

_NONE = _seen_pair(None)

_GONE = {"tuple": [None, False, True]}

_ENTRIES = [{"tuple": ["a", 1]}, {"tuple": ["b", 2]}]

_SUMS = {"a": 75, "b": 40, "c": 5}

_PAIRS = [{"tuple": ["a" if number % 2 else "b", number]} for number in range(1, 6)]

THIRD = 0.3333333432674408  # 1/3 rounded to 32 bits

DIFFERENCES: dict[str, dict[str, Outcome]] = {
    "A NamedTuple as a ROW_NAMED is read by its names.": {
        "objects::named_tuple_as_a_row": _collected({"tuple": [2, 1]}),
    },
    "Operators do not share elements.": {
        "objects::a_later_function_changes_what_an_earlier_one_keeps": _collected([], [[1]]),
    },
    "The timestamp assigner of from_source is called.": {
        "objects::timestamp_assigner_of_from_source": _collected(1000, 2000),
    },
    "A cached stream has a name.": {"objects::name_of_a_cached_stream": {"value": "Cache"}},
    "The keyed state of broadcast functions can be changed for all keys.": {
        "objects::keyed_state_of_broadcast_functions_can_be_changed": {"value": True},
    },
    "A table has the methods that Flink's guide calls on it.": {
        "table_programs::methods_of_a_table": {"value": [True, True]},
    },
    "An unknown option is refused by CREATE TABLE.": {
        "table_programs::unknown_option_when_created": ERROR,
    },
    "Tables and projections take the inferred type of elements.": {
        "operators::project_of_pickled": _collected({"tuple": [1]}),
        "table_programs::pickled_elements_as_a_table": {"value": "BIGINT NOT NULL"},
    },
    "Rows of a stream keep their kinds in a table.": {
        "table_programs::rows_of_other_kinds_from_a_stream": {"value": ["<Row(1)>"]},
    },
    "The settings of a table environment are those of its stream environment.": {
        "table_programs::settings_of_the_table_environment_reach_the_stream_environment": {
            "value": 3,
            "ordered": False,
        },
    },
    "Values of files that are not of the type of their column are refused.": {
        f"table_files::rows[{case}]": ERROR
        for case in (
            *("csv_blanks_after_a_quote", "csv_boolean_of_other_text", "csv_decimal_of_too_many_digits"),
            *("csv_great_double", "csv_hour_24", "csv_last_of_february", "json_boolean_of_other_text"),
            *("json_fraction_of_an_integer", "json_great_double"),
        )
    },
    "The null literal of CSV is null in a column of arrays, too.": {
        "table_files::rows[csv_null_literal_of_an_array]": {"value": ["(None,)"]},
    },
    "Results of functions that are not deterministic are taken back as they were given.": {
        "table_programs::function_that_is_not_deterministic_of_updated_rows": {"value": True},
    },
    "Frames hold the instants of a TIMESTAMP_LTZ in the zone of the session.": {
        "table_programs::times_in_frames": {
            "value": [
                "datetime64[s] 2020-01-02 03:04:05",
                "datetime64[ms] 2020-01-02 03:04:05.678000",
                "datetime64[us] 2020-01-02 03:04:05.678900",
                "datetime64[s, Asia/Tokyo] 2020-01-02 03:04:05+09:00",
                "datetime64[ms, Asia/Tokyo] 2020-01-02 03:04:05.678000+09:00",
            ]
        },
    },
    "A position in GROUP BY is refused.": {"table_programs::group_by_a_position": ERROR},
    "Queries of bounded tables give the final rows, as in batch mode: no value is taken back.": {
        "table_aggregates::query[no rows]": {"value": ["['0']"]},
        "table_aggregates::query[of updates without retract]": {"value": ["['4,2,1,1:4']"]},
        "table_aggregates::pandas_of_an_unbounded_group": {
            "value": ["['None', '2.0']", "['a', '1.5']", "['b', '2.5']", "['c', 'None']"],
        },
    },
    "A program gets the rows that an aggregate function returns, which PyFlink cannot read.": {
        "table_aggregates::query[row]": {
            "value": ["['None', [2, 2]]", "['a', [1, 5]]", "['b', [7, 7]]", "['c', [None, None]]"],
        },
    },
    "A date that does not have the form of the pattern is null.": {
        "table_programs::to_date_without_the_form_of_the_pattern": {"value": ["None"]},
    },
    "Local programs also cache streams, in both runtime modes.": {
        "caching::called_in_batch_mode": {"value": [3, 3]},
        "caching::called_in_streaming_mode": {"value": [3, 3]},
        "caching::then_invalidated": {"value": [[2, 4, 6], [2, 4, 6]]},
    },
    "A value is of its declared type or refused; it is never converted, wrapped, rounded off or cut.": {
        **_refused(
            "INT_from_whole_float INT_from_fraction INT_from_True INT_from_Decimal BYTE_from_fraction"
            " LONG_from_fraction DOUBLE_from_True DOUBLE_from_Decimal DOUBLE_from_great_int BOOLEAN_from_0"
            " BOOLEAN_from_1 BOOLEAN_from_2",
            "function_to_function collected",
        ),
        **_refused(
            "BIG_DEC_from_int BIG_DEC_from_float SQL_DATE_from_datetime SQL_TIME_with_zone"
            " ROW_NAMED_more_names",
            "source_to_function function_to_function collected",
        ),
        **_refused("ROW_too_long TUPLE_too_long", "function_to_function collected"),
        **_refused("CHAR_two CHAR_empty", "collected"),
        "aggregations::sum_of[bool]": ERROR,
        **_refused("FLOAT_too_great SQL_TIMESTAMP_with_zone", "source_to_function function_to_function"),
        **_refused("INSTANT_nanos", "source_to_function function_to_function"),
        **_refused(
            "INT_too_great INT_too_small BYTE_too_great BYTE_too_small SHORT_too_great STRING_from_int"
            " STRING_lone_surrogate ROW_wrong_field",
            "source_to_function",
        ),
    },
    "None is refused if the type does not admit it, also within a chain, and is never lost.": {
        **{
            f"nulls::chained_functions[{case}]": ERROR
            for case in (
                *("INT", "DOUBLE", "STRING", "SQL_DATE", "ROW", "TUPLE", "LIST", "MAP", "PRIMITIVE_ARRAY"),
                *("in_TUPLE_of_INT", "in_TUPLE_of_STRING", "in_TUPLE_of_ROW", "in_LIST_of_STRING"),
                *("in_LIST_of_ROW", "in_MAP_key", "in_PRIMITIVE_ARRAY"),
            )
        },
        **{
            f"nulls::{mode}[{case}]": ERROR
            for mode in ("unchained_functions", "collected_from_function")
            for case in ("STRING", "SQL_DATE")
        },
    },
    "None is an element of a pickled stream, and may be the value of a map anywhere.": {
        "nulls::source_to_function[PICKLED]": _seen(None),
        "nulls::unchained_functions[PICKLED]": _seen(None),
        "nulls::collected_from_function[PICKLED]": _collected(None),
        "nulls::source_to_function[in_MAP_of_INT]": _seen({"dict": [["a", None]]}),
    },
    "None is a value of every nullable field, in every operator.": {
        **{
            f"nulls::collected_from_function[in_ROW_of_{field}]": _collected(_row(*values, names=names))
            for field, values, names in (
                ("LIST", (None, 1), ("f0", "f1")),
                ("MAP", (None, 1), ("f0", "f1")),
                ("ROW", (None, 1), ("f0", "f1")),
                ("SQL_TIMESTAMP", (None,), ("f0",)),
            )
        },
        "nulls::collected_from_function[in_OBJECT_ARRAY_of_ROW]": _collected([_ROW_OF_ONE, None]),
    },
    "Rows of an unnamed ROW have the names f0, f1, … also in a chain.": {
        **{
            f"nulls::chained_functions[in_ROW_of_{field}]": _seen(_row(*values, names=names))
            for field, values, names in (
                ("INT", (None, "a"), ("f0", "f1")),
                ("STRING", (1, None), ("f0", "f1")),
                ("LIST", (None, 1), ("f0", "f1")),
                ("MAP", (None, 1), ("f0", "f1")),
                ("ROW", (None, 1), ("f0", "f1")),
                ("PICKLED", (None, 1), ("f0", "f1")),
                ("SQL_TIMESTAMP", (None,), ("f0",)),
                ("BIG_DEC", (None,), ("f0",)),
            )
        },
        "nulls::chained_functions[in_OBJECT_ARRAY_of_ROW]": _seen([_ROW_OF_ONE, None]),
        "state::value_row": _collected(
            _NONE, *[_seen_pair(_row(number, None, names=["a", "b"])) for number in (1, 2)]
        ),
        "texts::printed[ROW_nested]": {
            "value": None,
            "stdout": ["+I[1,Row(f0='a', f1=0.5)]", "+I[None,Row(f0=None, f1=None)]"],
        },
    },
    "FLOAT is the same 32-bit number in every operator.": {
        "values::collected[FLOAT_rounds]": _collected(_float(110.0999984741211)),
        "values::collected[FLOAT_third]": _collected(_float(THIRD)),
        "values::collected[FLOAT_nan]": _collected({"float": "nan"}),
        "values::collected[FLOAT_inf]": _collected({"float": "-inf"}),
        "values::collected[PRIMITIVE_ARRAY_FLOAT]": _collected([_float(1.5), _float(THIRD)]),
        "texts::printed[ROW_scalars]": {
            "value": None,
            "stdout": ["+I[True,0.3333333432674408,10000000000.0,1.50,x]", "+I[None,None,None,None,None]"],
        },
    },
    "An int is a DOUBLE or FLOAT also at a source.": {
        "values::source_to_function[DOUBLE_from_int]": _seen(_float(1.0)),
        "values::source_to_function[FLOAT_from_int]": _seen(_float(1.0)),
    },
    "BIG_INT, CHAR, INSTANT and the SQL times work everywhere, to the microsecond.": {
        **_in_all_modes("BIG_INT_small", 7),
        **_in_all_modes("BIG_INT_great", 10**30),
        **_in_all_modes("CHAR_one", "a"),
        **_in_all_modes("SQL_TIME_micros", {"time": "12:30:05.123456"}),
        **_in_all_modes("SQL_TIMESTAMP_plain", {"datetime": "2020-02-29 12:30:05.123456"}),
        **_in_all_modes("SQL_TIMESTAMP_before_1970", {"datetime": "1960-01-02 03:04:05.600000"}),
        "values::collected[SQL_DATE_old]": _collected({"date": "1500-01-02"}),
        "values::source_to_function[INSTANT_before_1970]": _seen({"Instant": [-1, 999_000_000]}),
        "values::collected[INSTANT_before_1970]": _collected({"Instant": [-1, 999_000_000]}),
        "values::collected[INSTANT_millis]": _collected({"Instant": [1582979405, 123_000_000]}),
        **_in_all_modes("INSTANT_from_datetime", {"Instant": [1582934400, 0]}),
        **_texts("BIG_INT", "10000000000"),
        **_texts("CHAR", "a"),
        **_texts("SQL_TIME_micros", "01:02:03.456"),
        **_texts(
            "SQL_TIMESTAMP", "2020-02-29 01:02:03.0", "2020-02-29 01:02:03.456", "2020-02-29 01:02:03.0001"
        ),
    },
    "A collected BIG_DEC has the digits it was given.": {
        "values::collected[BIG_DEC_exponent]": _collected({"Decimal": "1E+3"}),
        "values::collected[BIG_DEC_tiny]": _collected({"Decimal": "1E-25"}),
    },
    "Lists and pickled objects may be given with their type to from_collection.": {
        "values::source_to_function[LIST_of_ints]": _seen([1, 2]),
        "values::source_to_function[LIST_of_strings]": _seen(["a", "b"]),
        "values::source_to_function[LIST_empty]": _seen([]),
        "values::source_to_function[LIST_nested]": _seen([[1], []]),
        "values::source_to_function[LIST_of_tuples]": _seen([{"tuple": [1]}]),
        "values::source_to_function[LIST_of_rows]": _seen([_ROW_OF_ONE]),
        "values::source_to_function[OBJECT_ARRAY_of_rows]": _seen([_ROW_OF_ONE]),
        "nulls::source_to_function[in_OBJECT_ARRAY_of_ROW]": _seen([_ROW_OF_ONE, None]),
        "values::source_to_function[PICKLED_set]": _seen({"set": [1, 2]}),
        "values::source_to_function[PICKLED_bytes]": _seen({"bytes": "00ff"}),
        "values::source_to_function[PICKLED_row]": _seen(_row(1, names=["a"])),
    },
    "Results of functions may have the same forms of rows, tuples and lists as a source, and the reverse.": {
        **_in_all_modes("LIST_from_tuple", [1, 2]),
        **_from_functions("PRIMITIVE_ARRAY_from_tuple", [1, 2]),
        **_from_functions("TUPLE_from_list", {"tuple": [1, "a"]}),
        **_from_functions("TUPLE_from_row", {"tuple": [1, "a"]}),
        **_from_functions("ROW_NAMED_from_dict", _row(1, "x", names=["a", "b"])),
        **_from_functions("ROW_from_tuple", _row(1, "a", names=["f0", "f1"])),
        **_from_functions("ROW_from_list", _row(1, "a", names=["f0", "f1"])),
        **_from_functions("ROW_from_dict", _row(1, "a", names=["f0", "f1"])),
        **_from_functions("ROW_nested_from_tuples", _row(_ROW_OF_ONE, names=["f0"])),
    },
    "An array of BYTE is bytes.": {
        "values::source_to_function[PRIMITIVE_ARRAY_BYTE_from_bytes]": _seen({"bytes": "01ff"}),
        "values::collected[PRIMITIVE_ARRAY_BYTE_from_bytes]": _collected({"bytes": "01ff"}),
        "values::source_to_function[PRIMITIVE_ARRAY_BYTE_from_bytearray]": _seen({"bytes": "01"}),
        "values::collected[PRIMITIVE_ARRAY_BYTE_from_bytearray]": _collected({"bytes": "01"}),
    },
    "Arrays are printed as lists, maps in their own order, pickled objects by str(), also in files.": {
        **_texts("BASIC_ARRAY", "[a, b]"),
        "nulls::printed[in_BASIC_ARRAY_of_STRING]": {"value": None, "stdout": ["[a, null]"]},
        "nulls::printed[in_OBJECT_ARRAY_of_ROW]": {"value": None, "stdout": ["[+I[1], null]"]},
        **_texts("OBJECT_ARRAY", "[1, 2]"),
        **_texts("PRIMITIVE_ARRAY", "[1, 2]"),
        **_texts("PRIMITIVE_ARRAY_BYTE", "[1, 2]"),
        **_texts("MAP_order", "{zebra=1, apple=2, mango=3, kiwi=4}"),
        **_texts("MAP_int_keys", "{30=1, 2=2, 17=3}"),
        **_texts("PICKLED_bytes", "b'ab'"),
        **_written(
            "PICKLED_scalars",
            *(
                "1",
                "1.0",
                "10000000000.0",
                "0.3333333333333333",
                "True",
                "a",
                "1.50",
                str(2**70),
                "1j",
                "nan",
            ),
            "1e+16",
        ),
        **_written(
            "PICKLED_containers",
            *("(1, 'a')", "[1, 'a']", "{'a': 1}", "{1}", "()", "[None]", "{'k': (1.0, 'x')}"),
        ),
        **_written("PICKLED_times", "2020-02-29", "2020-02-29 01:02:03.000004", "1 day, 0:00:00"),
        **_written(
            "PICKLED_objects",
            *("_Point(x=1, y='a')", "_Pair(left=1, right='a')", "HO", "OrderedDict([('a', 1)])"),
            *("<class 'int'>", "-D"),
        ),
        **_written("PICKLED_rows", "<Row(1, 'a')>", "Row(a=1, b=None)", "<Row(1)>"),
        **_written("ROW_of_pickled", "+I[(1, 'a')]"),
    },
    "Types are values: hashable, a constant is one object, names of rows count, tuples have any length.": {
        "typeinfos::hashing": {"value": True},
        "typeinfos::constants_are_one_object": {"value": True},
        "typeinfos::row_equality_with_other_names": {"value": [False, False]},
        "typeinfos::primitive_array_of_strings_when_made": TYPE_ERROR,
        "typeinfos::tuple_of_twenty_six": {"value": f"TupleTypeInfo({', '.join(['Integer'] * 26)})"},
        "operators::union_of_rows_with_other_names": ERROR,
    },
    "The text of a type never changes; reading its field names has no effect.": {
        **{
            f"typeinfos::{program}[{case}]": {"value": text}
            for program in ("declared_type_of_a_stream", "type_of_a_mapped_stream")
            for case, text in (
                ("ROW", "RowTypeInfo(Integer, String)"),
                ("ROW_nested", "RowTypeInfo(RowTypeInfo(Integer), ListTypeInfo<String>)"),
                ("OBJECT_ARRAY", "ObjectArrayTypeInfo<RowTypeInfo(Integer)>"),
            )
        },
        "typeinfos::row_text_after_reading_default_names": {"value": "RowTypeInfo(Integer, String)"},
    },
    "Equal rows have equal hashes.": {
        "rows::evaluate[hash_of_other_order]": {"value": True},
    },
    "A function may return None for no results.": {
        "operators::flat_map_returns_none": _collected(),
        "operators::flat_map_returns_none_sometimes": _collected(1),
        "keyed::flat_map_returns_none": _collected(),
        "timers::on_timer_missing": _collected({"tuple": ["a", 1]}),
        "timers::on_timer_returns_none": _collected(),
    },
    "Values of state expire on time, even within a bundle.": {
        f"state::ttl_{kind}[{case}]": _collected(*outcome)
        for kind, hidden, shown in (
            ("value", (_NONE, _NONE, _NONE), (_NONE, _seen_pair(1), _NONE)),
            ("list", ([], [], []), ([], [1, 2], [])),
            ("reducing", (_NONE, _NONE, _NONE), (_NONE, _seen_pair(1), _seen_pair(2))),
            ("aggregating", (_NONE, _NONE, _NONE), (_NONE, _seen_pair(_float(1.0)), _seen_pair(_float(2.0)))),
            ("map", ([], [], []), ([], _ENTRIES, [])),
            ("map_read_by_get", (_GONE, _GONE, _GONE), (_GONE, {"tuple": [1, False, True]}, _GONE)),
        )
        for case, outcome in (
            ("brief", hidden),
            ("brief_renewed_by_reading", hidden),
            ("brief_shown", shown),
        )
    },
    "A time to live is positive.": {
        "state::ttl_of_nothing": ERROR,
        "state::ttl_negative": ERROR,
    },
    "put_all takes a dict, too.": {
        "state::map_put_all": _collected(
            *[
                [
                    *[{"tuple": [f"k{number}", number]} for number in range(1, last + 1)],
                    {"tuple": ["same", last]},
                ]
                for last in (1, 2, 3)
            ]
        ),
        "state::map_put_all_of_nothing": _collected(True, True, True),
        **{
            f"state::ttl_map[{case}]": _collected([], _ENTRIES, _ENTRIES)
            for case in ("a_day", "a_day_renewed_by_reading", "a_day_disabled", "brief_disabled")
        },
    },
    "None is an ordinary value of map state, and removes the value of a value state.": {
        "state::map_put_none": _collected(*[{"tuple": [True, _NONE, 1, False]}] * 3),
        "state::map_put_none_later": _collected(
            *[{"tuple": [count > 0, _NONE, count]} for count in (0, 1, 1)]
        ),
        "state::value_updated_to_none": _collected(_NONE, _NONE, _NONE),
    },
    "State needs a name, and a key when it is used.": {
        "state::descriptor_name_empty": ERROR,
        "state::used_in_open": ERROR,
    },
    "Keys are equal by Python's ==; None and objects that are equal only within a process cannot be keys.": {
        **{
            f"keyed::key_and_count[{case}]": ERROR
            for case in (*("None_untyped", "None_typed", "None_sometimes", "own_class"),)
        },
        "batch_mode::key_none": ERROR,
        "keyed::key_and_count[nan_untyped]": _collected(*[{"tuple": [_float(float("nan")), 1]}] * 2),
    },
    "A str or dict is a single element, not an iterable of results.": {
        f"operators::{case}": ERROR
        for case in ("collection_dict", "flat_map_returns_dict", "flat_map_returns_string")
    },
    "A key may be a field, by position or name.": {
        "keyed::key_by_position": _collected(
            *[{"tuple": ["a" if number % 2 else "b", (number + 1) // 2]} for number in range(1, 6)]
        ),
        "keyed::key_by_name": _collected({"tuple": ["a", 1]}, {"tuple": ["b", 1]}),
        "keyed::key_by_unknown_name": ERROR,
    },
    "Collecting a keyed stream returns its elements, without their keys.": {
        "keyed::key_by_keeps_the_type": {"value": "TupleTypeInfo(String, Integer)"},
        "keyed::keyed_collected": _collected(*_PAIRS),
    },
    "Fields are counted from 0; the only field of an element without fields is 0, the element itself.": {
        **{
            f"aggregations::{kind}_of[tuple_position_negative]": ERROR
            for kind in ("sum", "min", "max", "min_by", "max_by")
        },
        "aggregations::min_by_of[int_position_beyond]": ERROR,
        "aggregations::max_by_of[int_position_beyond]": ERROR,
    },
    "A time is an integer; a fraction is refused, not truncated.": {
        "timers::event_timer_at_a_float": ERROR,
        "watermarks::seen[monotonous_float]": ERROR,
        "watermarks::seen_at_the_end[monotonous_float]": ERROR,
    },
    "The accumulator of a session is kept when others merge into it.": {
        "windows::sessions_reduce_bridged": {
            "value": [{"tuple": ["a", 6, 20000]}, {"tuple": ["a", 6, 6000]}, {"tuple": ["b", 9, 2999]}],
        },
    },
    "A trigger that cannot merge is refused for merging windows.": {
        "windows::sessions_with_never_trigger": ERROR,
    },
    "Stages run one after another: pauses between elements are over before a window gets the first.": {
        "windows::processing_time_session_fires_in_between": {"value": [0]},
    },
    "A timer can be deleted until it fires.": {
        "timers::event_timer_deleted_by_a_timer": _collected(10, 30),
    },
    "Timers of processing time fire at the end of bounded input.": {
        "timers::processing_timer_deleted": _collected(2),
        "timers::processing_timer_far_ahead": _collected(
            {"tuple": ["element", 1]}, {"tuple": ["timer", "a", False]}
        ),
        "timers::processing_timer_in_the_past": _collected(
            {"tuple": ["element", 1]}, {"tuple": ["timer", "a", True]}
        ),
        "timers::processing_timer_from_a_timer": _collected(*[{"tuple": [time, True]} for time in (1, 2, 3)]),
        "timers::timestamps_of_what_processing_timers_give": _collected({"tuple": [2, _MIN, _MIN]}),
    },
    "A watermark follows the results of the timers that it fires, also in a chain.": {
        "timers::timestamps_of_what_timers_give": _collected(
            *[{"tuple": [time, time, _MIN]} for time in (10, 20, 110, 120)]
        ),
        "batch_mode::reduce_result_timestamp": {
            "value": [{"tuple": [{"tuple": [key, number]}, _MAX, _MIN]} for key, number in _SUMS.items()],
        },
    },
    "In batch mode the timers of a key fire in order, each once, and see its state.": {
        "batch_mode::side_output": {
            "value": [["a", "b", "c"], ["a", "a", "a", "a!", "b", "b", "b!", "c", "c!"]],
        },
        "batch_mode::state_at_the_end_of_time": _by_key(a=[[[15, 20, 40]]], b=[[[10, 30]]], c=[[[5]]]),
        "batch_mode::timers_of_each_key": _by_key(
            a=[*_elements(15, 20, 40), *_timers(16, 21, 41, 100)],
            b=[*_elements(10, 30), *_timers(11, 31, 100)],
            c=[*_elements(5), *_timers(6, 100)],
        ),
        "batch_mode::timers_of_untimed_elements": _by_key(
            a=[*_elements(20, 40, 15), *_timers(16, 21, 41, 100)],
            b=[*_elements(30, 10), *_timers(11, 31, 100)],
            c=[*_elements(5), *_timers(6, 100)],
        ),
    },
    "A watermark strategy keeps its assigner; the resulting stream is not keyed.": {
        "watermarks::idleness": _collected({"tuple": [1, 1, _MIN]}),
        "watermarks::on_a_keyed_stream": _collected({"tuple": [10, 10, _MIN]}),
    },
    "A timestamp assigner may be a function.": {
        "watermarks::assigner_is_a_function": _collected({"tuple": [1, 1, _MIN]}),
    },
    "Programs that cannot work are refused when they are built.": {
        "connected::connect_with_nothing": ERROR,
        "connected::keyed_co_process_one_side_keyed": ERROR,
        "connected::keyed_co_process_without_keys": ERROR,
        "side_outputs::from_map": ERROR,
        "side_outputs::from_source": ERROR,
    },
    "A result for a side output that is not used is dropped, not added to the main output.": {
        "side_outputs::main_only": _collected(2, 4),
        "side_outputs::value_of_another_type_unread": _collected(),
    },
    "A result of a side output must fit the type of its tag.": {
        "side_outputs::value_none": ERROR,
    },
    "Tags with the same name are equal; the name is a str.": {
        "side_outputs::tags_equal": {"value": [True, False, True, False, 1]},
        "side_outputs::tag_of_a_number": TYPE_ERROR,
    },
    "open and close run on every subtask, and an error in either fails the job.": {
        "contexts::close_fails": {"error": "ValueError", "message": "cannot close", "raised": "program"},
        "contexts::journal_of_nothing": {"value": [[], ["open map", "close map"]]},
    },
    "The result of partition_custom can be collected.": {
        "partitions::custom_collected": {
            "value": [{"tuple": [value % 2, value]} for value in (0, 2, 4, 1, 3, 5)],
            "ordered": False,
        },
    },
    "Every operator is a node of the plan; printing adds none.": {
        "plans::map_filter_print": _plan(
            _SOURCE,
            _node(2, "Operator", "Map", 2, "REBALANCE"),
            _node(3, "Operator", "Filter", 2, "FORWARD"),
            _node(4, "Data Sink", "Sink: Print to Std. Out", 2, "FORWARD"),
        )
        | {"ordered": False},
        "plans::map_filter_print_at_one": _plan(
            _SOURCE,
            _node(2, "Operator", "Map", 1, "FORWARD"),
            _node(3, "Operator", "Filter", 1, "FORWARD"),
            _node(4, "Data Sink", "Sink: Print to Std. Out", 1, "FORWARD"),
        ),
        "plans::pickled_print": _plan(
            _SOURCE, _node(2, "Data Sink", "Sink: Print to Std. Out", 1, "FORWARD")
        ),
        "plans::ship_strategy[forward]": {
            "value": [
                {"dict": [["id", number], ["ship_strategy", strategy], ["side", "second"]]}
                for number, strategy in enumerate(("REBALANCE", "FORWARD", "FORWARD"), 1)
            ],
            "ordered": False,
        },
        "contexts::described_in_a_merged_chain": {
            "value": None,
            "stdout": ["Source: Collection Source -> first -> second -> Sink: Print to Std. Out"],
        },
    },
    "The maximum parallelism is that of the operator or environment, regardless of chaining.": {
        "contexts::described_chained_to_a_collection": {"value": [7]},
    },
    "Collecting a stream leaves the other sinks to execute().": {
        "operators::collect_then_execute_sinks": {"value": [1], "stdout": ["1"]},
    },
    "The limit of collected elements may be 0.": {
        "operators::collect_limit_zero": {"value": []},
    },
    "A str is one value, not a collection of characters.": {
        "operators::collection_string": ERROR,
    },
    "The maximum parallelism is at most 32767, as documented.": {
        "environments::max_parallelism_read_back": ERROR,
    },
    "Collecting a stream leaves other operators to execute(), and what a job has run is not run again.": {
        "effects::inserted": {"value": ["a", "b"]},
        "effects::left_by_a_collected_one": {"value": ["a", "b"]},
    },
    "A partitioning without an operator behind it calls nothing.": {
        "effects::selector_only": {"value": None, "stdout": ["a", "b"]},
    },
    "Two operators may not have the same uid hash.": {
        "environments::uid_duplicate": ERROR,
        "environments::uid_hash_duplicate": ERROR,
    },
    "The format of a file is that of its content; other files are refused.": {
        "files::lines[bom]": _collected("a", "b"),
        "files::lines[invalid_utf8]": ERROR,
        "files::lines_gzip_upper_case": _collected("a"),
        "files::lines_xz": _collected("a", "b"),
    },
    "disable_compact undoes enable_compact.": {
        "compaction::enabled_and_disabled": {
            "value": [[f"part-{{uid}}-{number}.txt", f"{number}\n"] for number in range(7)]
        },
    },
    "INSERT OVERWRITE after INSERT INTO one table in a statement set is refused.": {
        "table_overwrites::left_by_adding_and_overwriting": ERROR,
    },
    "A path may be a pattern.": {
        "files::path_glob": _collected("a1", "a2"),
    },
    "A sink writes _SUCCESS when the job is complete, also without elements.": {
        "files::sink_empty": {"value": [True, ["{tmp}/out/_SUCCESS"]]},
    },
    "A hidden file is skipped in a directory, but read if it is the path itself.": {
        "files::file_hidden_named_directly": {"value": [".b"]},
    },
    "A type that is not declared is inferred.": {
        "connected::co_map_undeclared": {"value": "TupleTypeInfo(String, Integer) (inferred)"},
        "keyed::map_type_undeclared": {"value": "TupleTypeInfo(String, Integer) (inferred)"},
        "keyed::process_type_undeclared": {"value": "Long (inferred)"},
        "operators::filter_pickled_keeps_the_type": {"value": "Long (inferred)"},
        "operators::flat_map_type_undeclared": {"value": "Integer (inferred)"},
        "operators::map_type_undeclared": {"value": "Integer (inferred)"},
        "operators::process_type_undeclared": {"value": "Long (inferred)"},
        "side_outputs::type_undeclared": {"value": ["Integer (inferred)", [1, 3]]},
    },
}


EXPECTED = {program: outcome for outcomes in DIFFERENCES.values() for program, outcome in outcomes.items()}
"""The expected outcome of each program that differs, by its id."""
