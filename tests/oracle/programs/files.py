"""File sources and sinks: lines read and files written."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zlib

from pystream.common import Encoder, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import RuntimeExecutionMode
from pystream.datastream.connectors.file_system import (
    BucketAssigner,
    FileSink,
    FileSource,
    OutputFileConfig,
    RollingPolicy,
    StreamFormat,
)
from pystream.datastream.connectors.number_seq import NumberSequenceSource

# content of files


def _read(env, *paths, charset="UTF-8"):
    lines_in = StreamFormat.text_line_format(charset)
    source = FileSource.for_record_stream_format(lines_in, *map(str, paths)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def _lines_of(env, tmp, content, name="in.txt", charset="UTF-8"):
    (tmp / name).write_bytes(content)
    return _read(env, tmp / name, charset=charset)


CASES = {
    "plain": b"a\nb\n",
    "no_last_newline": b"a\nb",
    "cr_lf": b"a\r\nb\r\n",
    "cr_only": b"a\rb",
    "cr_at_end_without_lf": b"a\nb\r",
    "cr_cr_lf": b"a\r\r\nb\n",
    "empty_lines": b"\na\n\nb\n\n",
    "empty_file": b"",
    "one_newline": b"\n",
    "blanks_kept": b"  a \t\n",
    "bom": b"\xef\xbb\xbfa\nb\n",
    "nul": b"a\x00b\n",
    "other_line_breaks": "a\u2028b\x0bc\x0cd\x85e\n".encode(),
    "unicode": "grün 😀\n".encode(),
    "invalid_utf8": b"a\xffb\n",
}


def lines(env, tmp, case):
    return _lines_of(env, tmp, case)


def lines_latin_1(env, tmp):
    return _lines_of(env, tmp, "grün\n".encode("latin-1"), charset="ISO-8859-1")


def lines_unknown_charset(env, tmp):
    return _lines_of(env, tmp, b"a\n", charset="no-such-charset")


def lines_type(env, tmp):
    return str(_lines_of(env, tmp, b"a\n").get_type())


def lines_gzip(env, tmp):
    return _lines_of(env, tmp, gzip.compress(b"a\nb\n"), "in.gz")


def lines_gzip_long_extension(env, tmp):
    return _lines_of(env, tmp, gzip.compress(b"a\nb\n"), "in.gzip")


def lines_bz2(env, tmp):
    return _lines_of(env, tmp, bz2.compress(b"a\nb\n"), "in.bz2")


def lines_xz(env, tmp):
    return _lines_of(env, tmp, lzma.compress(b"a\nb\n"), "in.xz")


def lines_deflate(env, tmp):
    return _lines_of(env, tmp, zlib.compress(b"a\nb\n"), "in.deflate")


def lines_gzip_upper_case(env, tmp):
    return _lines_of(env, tmp, gzip.compress(b"a\n"), "in.GZ")


def lines_gzip_that_is_none(env, tmp):
    return _lines_of(env, tmp, b"a\n", "in.gz")


# paths


def _tree(tmp, *names):
    for name in names:
        path = tmp / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")
    return tmp / "in"


def _sorted(stream):
    return sorted(stream.execute_and_collect(limit=100))


def directory_is_recursive(env, tmp):
    return _sorted(_read(env, _tree(tmp, "a", "sub/b", "sub/deep/c")))


def directory_hidden_files(env, tmp):
    return _sorted(_read(env, _tree(tmp, "a", ".b", "_c", "d.crc", "e.tmp", "f~", "#g")))


def directory_hidden_directories(env, tmp):
    return _sorted(_read(env, _tree(tmp, "a", ".x/b", "_y/c", "_y/z/d")))


def file_hidden_named_directly(env, tmp):
    return _sorted(_read(env, _tree(tmp, ".b") / ".b"))


def directory_empty(env, tmp):
    (tmp / "in").mkdir()
    return _read(env, tmp / "in")


def path_missing(env, tmp):
    return _read(env, tmp / "nowhere")


def path_with_scheme(env, tmp):
    return _read(env, f"file://{_tree(tmp, 'a')}")


def path_with_blank_and_umlaut(env, tmp):
    return _read(env, _tree(tmp, "ä b") / "ä b")


def path_glob(env, tmp):
    return _read(env, _tree(tmp, "a1", "a2") / "a*")


def paths_several(env, tmp):
    tree = _tree(tmp, "a", "b", "c")
    return _sorted(_read(env, tree / "a", tree / "b"))


def path_given_twice(env, tmp):
    tree = _tree(tmp, "a")
    return _sorted(_read(env, tree / "a", tree / "a"))


def paths_none(env):
    return _read(env)


def source_name(env, tmp):
    return _read(env, _tree(tmp, "a")).get_name()


# numbers


def _sequence(env, first, last):
    source = NumberSequenceSource(first, last)
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", Types.LONG())


def sequence(env):
    return _sequence(env, 1, 5)


def sequence_of_one(env):
    return _sequence(env, 3, 3)


def sequence_backwards(env):
    return _sequence(env, 3, 1)


def sequence_type_undeclared(env):
    stream = env.from_source(NumberSequenceSource(1, 2), WatermarkStrategy.no_watermarks(), "numbers")
    return str(stream.get_type())


def sequence_by_two(env):
    env.set_parallelism(2)
    return _sequence(env, 1, 10)


# output of sinks


def _masked(path):
    *directories, name = path.split("/")
    return "/".join([*[re.sub(r"\d", "9", directory) for directory in directories], name])


def _written(directory):
    paths = [path for path in directory.rglob("*") if path.is_file() and path.name != "_SUCCESS"]
    return sorted([_masked(str(path.relative_to(directory))), path.read_text()] for path in paths)


def _sink(tmp):
    return FileSink.for_row_format(str(tmp / "out"), Encoder.simple_string_encoder())


def _flat(tmp):
    return _sink(tmp).with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())


def _write(env, tmp, builder, values=("a", "b")):
    env.from_collection(list(values), type_info=Types.STRING()).sink_to(builder.build())
    env.execute()
    return _written(tmp / "out")


def sink_default(env, tmp):
    return _write(env, tmp, _sink(tmp))


def sink_to_base_path(env, tmp):
    return _write(env, tmp, _flat(tmp))


def sink_empty(env, tmp):
    env.from_collection([], type_info=Types.STRING()).sink_to(_flat(tmp).build())
    env.execute()
    return [(tmp / "out").exists(), sorted(str(path) for path in (tmp / "out").rglob("*"))]


def sink_batch(env, tmp):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    return _write(env, tmp, _flat(tmp))


def sink_prefix_and_suffix(env, tmp):
    naming = OutputFileConfig.builder().with_part_prefix("pre").with_part_suffix(".ext").build()
    return _write(env, tmp, _flat(tmp).with_output_file_config(naming))


def sink_suffix_without_dot(env, tmp):
    naming = OutputFileConfig.builder().with_part_suffix("txt").build()
    return _write(env, tmp, _flat(tmp).with_output_file_config(naming))


def output_file_config_defaults():
    naming = OutputFileConfig.builder().build()
    return [naming.get_part_prefix(), naming.get_part_suffix()]


def sink_into_existing_directory(env, tmp):
    (tmp / "out").mkdir()
    (tmp / "out" / "old").write_text("kept")
    return _write(env, tmp, _flat(tmp))


def sink_twice(env, tmp):
    _write(env, tmp, _flat(tmp))
    return _write(env, tmp, _flat(tmp))


def sink_where_a_file_is(env, tmp):
    (tmp / "out").write_text("a file")
    return _write(env, tmp, _flat(tmp))


def sink_with_scheme(env, tmp):
    builder = FileSink.for_row_format(f"file://{tmp}/out", Encoder.simple_string_encoder())
    return _write(env, tmp, builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()))


def sink_rolls_by_size(env, tmp):
    policy = RollingPolicy.default_rolling_policy(part_size=4)
    return _write(env, tmp, _flat(tmp).with_rolling_policy(policy), ["aa", "bb", "cc", "dd", "ee"])


def sink_rolls_on_checkpoint(env, tmp):
    policy = RollingPolicy.on_checkpoint_rolling_policy()
    return _write(env, tmp, _flat(tmp).with_rolling_policy(policy))


def sink_rolling_size_zero(env, tmp):
    return _write(env, tmp, _flat(tmp).with_rolling_policy(RollingPolicy.default_rolling_policy(part_size=0)))


def sink_rolling_negative():
    RollingPolicy.default_rolling_policy(part_size=-1)


def sink_rolling_interval_zero():
    RollingPolicy.default_rolling_policy(rollover_interval=0)


def sink_bucket_interval_zero(env, tmp):
    return _write(env, tmp, _flat(tmp).with_bucket_check_interval(0))


def _buckets(env, tmp, *pattern):
    assigner = BucketAssigner.date_time_bucket_assigner(*pattern)
    return [name for name, _ in _write(env, tmp, _sink(tmp).with_bucket_assigner(assigner))]


def bucket_default(env, tmp):
    return _buckets(env, tmp)


def bucket_by_day(env, tmp):
    return _buckets(env, tmp, "yyyy-MM-dd")


def bucket_nested(env, tmp):
    return _buckets(env, tmp, "yyyy/MM/dd")


def bucket_quoted(env, tmp):
    return _buckets(env, tmp, "'year='yyyy'-month='MM")


def bucket_with_zone(env, tmp):
    return _buckets(env, tmp, "yyyy-MM-dd--HH", "Asia/Kolkata")


def bucket_unknown_zone(env, tmp):
    return _buckets(env, tmp, "yyyy", "Nowhere/Here")


def bucket_bad_pattern(env, tmp):
    return _buckets(env, tmp, "{")


def bucket_constant(env, tmp):
    return _buckets(env, tmp, "'same'")


def sink_by_two(env, tmp):
    env.set_parallelism(2)
    letters = env.from_collection(["a"], type_info=Types.STRING()).broadcast()
    letters.map(str, output_type=Types.STRING()).sink_to(_flat(tmp).build())
    env.execute()
    return _written(tmp / "out")


def sink_in_latin_1(env, tmp):
    builder = FileSink.for_row_format(str(tmp / "out"), Encoder.simple_string_encoder("ISO-8859-1"))
    builder = builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    env.from_collection(["grün"], type_info=Types.STRING()).sink_to(builder.build())
    env.execute()
    return [path.read_bytes() for path in (tmp / "out").glob("part-*")]


def sink_of_a_failing_job(env, tmp):
    numbers = env.from_collection([1, 0], type_info=Types.INT())
    numbers.map(lambda value: str(1 // value), output_type=Types.STRING()).sink_to(_flat(tmp).build())
    try:
        env.execute()
    except Exception:  # noqa: BLE001
        return [name for name, _ in _written(tmp / "out") if name.startswith("part-")]
