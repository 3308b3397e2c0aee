"""Small files of a file sink, merged before they become visible."""

from __future__ import annotations

from pystream.common import Encoder
from pystream.common.typeinfo import Types
from pystream.datastream.connectors.file_system import (
    BucketAssigner,
    FileCompactor,
    FileCompactStrategy,
    FileSink,
    OutputFileConfig,
    RollingPolicy,
)

CASES = {
    "threshold_two_files": lambda builder: builder.set_size_threshold(4),
    "threshold_between": lambda builder: builder.set_size_threshold(5),
    "threshold_all": lambda builder: builder.set_size_threshold(1000),
    "threshold_zero": lambda builder: builder.set_size_threshold(0),
    "checkpoint": lambda builder: builder.enable_compaction_on_checkpoint(1),
    "checkpoints": lambda builder: builder.enable_compaction_on_checkpoint(5),
    "both": lambda builder: builder.set_size_threshold(4).enable_compaction_on_checkpoint(2),
    "negative_threshold_and_checkpoint": lambda builder: builder.set_size_threshold(
        -1
    ).enable_compaction_on_checkpoint(1),
    "threads": lambda builder: builder.set_size_threshold(4).set_num_compact_threads(3),
    "no_condition": lambda builder: builder,
    "negative_threshold": lambda builder: builder.set_size_threshold(-1),
    "no_checkpoints": lambda builder: builder.enable_compaction_on_checkpoint(0),
    "no_threads": lambda builder: builder.set_size_threshold(1).set_num_compact_threads(0),
}


def _builder(tmp, policy=None):
    return (
        FileSink.for_row_format(str(tmp / "out"), Encoder.simple_string_encoder())
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_rolling_policy(policy or RollingPolicy.default_rolling_policy(part_size=1))
        .with_output_file_config(OutputFileConfig.builder().with_part_suffix(".txt").build())
    )


def _written(env, tmp, builder):
    env.from_collection(list(range(7)), type_info=Types.INT()).sink_to(builder.build()).uid("sink")
    env.execute()
    return sorted(
        [path.name, path.read_text()] for path in (tmp / "out").iterdir() if path.name[0] not in "._"
    )


def _large():
    return FileCompactStrategy.builder().set_size_threshold(1000).build()


def joined(env, case, tmp):
    strategy = case(FileCompactStrategy.builder()).build()
    return _written(
        env, tmp, _builder(tmp).enable_compact(strategy, FileCompactor.concat_file_compactor(b"|"))
    )


def joined_without_delimiter(env, tmp):
    return _written(env, tmp, _builder(tmp).enable_compact(_large(), FileCompactor.concat_file_compactor()))


def joined_with_empty_delimiter(env, tmp):
    return _written(
        env, tmp, _builder(tmp).enable_compact(_large(), FileCompactor.concat_file_compactor(b""))
    )


def one_file(env, tmp):
    builder = _builder(tmp, RollingPolicy.on_checkpoint_rolling_policy())
    return _written(env, tmp, builder.enable_compact(_large(), FileCompactor.concat_file_compactor(b"|")))


def one_file_copied(env, tmp):
    builder = _builder(tmp, RollingPolicy.on_checkpoint_rolling_policy())
    return _written(env, tmp, builder.enable_compact(_large(), FileCompactor.identical_file_compactor()))


def several_files_copied(env, tmp):
    return _written(
        env, tmp, _builder(tmp).enable_compact(_large(), FileCompactor.identical_file_compactor())
    )


def files_copied_one_by_one(env, tmp):
    strategy = FileCompactStrategy.builder().set_size_threshold(1).build()
    return _written(
        env, tmp, _builder(tmp).enable_compact(strategy, FileCompactor.identical_file_compactor())
    )


def enabled_and_disabled(env, tmp):
    builder = _builder(tmp).enable_compact(_large(), FileCompactor.concat_file_compactor())
    return _written(env, tmp, builder.disable_compact())


def disabled(env, tmp):
    return _written(env, tmp, _builder(tmp).disable_compact())


def size_threshold_of_text():
    FileCompactStrategy.builder().set_size_threshold("1")


def delimiter_of_text():
    FileCompactor.concat_file_compactor("|")
