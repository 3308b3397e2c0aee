"""Names of directories and part files, and when part files roll."""

from __future__ import annotations

import pickle
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from pystream.datastream.connectors import BucketAssigner, OutputFileConfig, RollingPolicy
from pystream.datastream.connectors.file_system import DefaultRollingPolicy, OnCheckpointRollingPolicy
from pystream.engine.connectors.buckets import BucketContext
from pystream.errors import ConfigurationError

NOON = int(datetime(2024, 7, 1, 12, 30, tzinfo=UTC).timestamp() * 1000)


def divided(assigner: BucketAssigner, *values: Any) -> dict[str, list[Any]]:
    return dict(pickle.loads(pickle.dumps(assigner)).buckets().divide(list(values), BucketContext(NOON)))


@pytest.mark.promise("BucketAssigner.base_path_bucket_assigner")
def test_the_base_path_takes_everything() -> None:
    assert divided(BucketAssigner.base_path_bucket_assigner(), 1, 2) == {"": [1, 2]}


@pytest.mark.promise("BucketAssigner.date_time_bucket_assigner", "beh:filesink-buckets")
@pytest.mark.parametrize(
    ("arguments", "bucket"),
    [
        (("yyyy-MM-dd--HH", "UTC"), "2024-07-01--12"),
        (("yyyy-MM-dd--HH", "America/Los_Angeles"), "2024-07-01--05"),
        (("yyyy-MM-dd--HH", "GMT-08:00"), "2024-07-01--04"),
        (("yyyy-MM-dd--HH:mm", "UTC+5:30"), "2024-07-01--18:00"),
        (("HH", "+1"), "13"),
        (("HH", "Z"), "12"),
        (("'y='yyyy/'m='MM", "UTC"), "y=2024/m=07"),
    ],
)
def test_processing_time_names_the_bucket(arguments: tuple[str, str], bucket: str) -> None:
    assigner = BucketAssigner.date_time_bucket_assigner(*arguments)
    assert divided(assigner, 1, 2) == {bucket: [1, 2]}
    assert assigner.get_bucket_id(1, BucketContext(NOON)) == bucket


def test_by_default_the_bucket_is_the_hour_of_this_machine() -> None:
    local = datetime.fromtimestamp(NOON / 1000).strftime("%Y-%m-%d--%H")
    assert divided(BucketAssigner.date_time_bucket_assigner(), 1) == {local: [1]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("yyyy", "Mars/Base"), "there is no time zone 'Mars/Base'"),
        (("yyyy", "../etc/passwd"), "there is no time zone"),
        (("yyyy", "+99"), "date_time_bucket_assigner"),
        (("b",), "the letter 'b' is not supported"),
    ],
)
def test_a_zone_or_pattern_that_means_nothing_is_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        BucketAssigner.date_time_bucket_assigner(*arguments)


class ByRemainder(BucketAssigner):
    def get_bucket_id(self, element: int, context: BucketContext) -> str:
        return f"{context.current_processing_time()}/{element % 2}"


def test_a_users_assigner_sees_element_and_processing_time() -> None:
    assert divided(ByRemainder(), 1, 2, 3) == {f"{NOON}/1": [1, 3], f"{NOON}/0": [2]}


@pytest.mark.promise("RollingPolicy.default_rolling_policy")
def test_the_default_policy_rolls_by_size_age_and_rest() -> None:
    policy = RollingPolicy.default_rolling_policy()
    assert policy == DefaultRollingPolicy(128 * 1024 * 1024, 60_000, 60_000)
    rolling = RollingPolicy.default_rolling_policy(10, 1000, 400).rolling()
    assert rolling.size_limit == 10
    assert not rolling.is_due(created=0, updated=700, now=999)
    assert rolling.is_due(created=0, updated=999, now=1000)
    assert rolling.is_due(created=0, updated=0, now=400)


@pytest.mark.promise("RollingPolicy.on_checkpoint_rolling_policy")
def test_the_checkpoint_policy_rolls_at_no_size_and_no_age() -> None:
    policy = RollingPolicy.on_checkpoint_rolling_policy()
    assert isinstance(policy, OnCheckpointRollingPolicy)
    assert policy.rolling().size_limit is None
    assert not policy.rolling().is_due(created=0, updated=0, now=10**15)


@pytest.mark.parametrize("arguments", [(0,), (1, 0), (1, 1, -5), ("1",), (True,), (1.5,)])
def test_a_limit_that_is_not_positive_is_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ConfigurationError, match=r"must be a positive int|takes an int"):
        RollingPolicy.default_rolling_policy(*arguments)


@pytest.mark.promise(
    "OutputFileConfig.builder",
    "OutputFileConfig.OutputFileConfigBuilder",
    "OutputFileConfig.OutputFileConfigBuilder.with_part_prefix",
    "OutputFileConfig.OutputFileConfigBuilder.with_part_suffix",
    "OutputFileConfig.OutputFileConfigBuilder.build",
    "OutputFileConfig.get_part_prefix",
    "OutputFileConfig.get_part_suffix",
)
def test_prefix_and_suffix_are_kept_as_given() -> None:
    config = OutputFileConfig.builder().with_part_prefix("pre").with_part_suffix("suf").build()
    assert (config.get_part_prefix(), config.get_part_suffix()) == ("pre", "suf")
    plain = OutputFileConfig.OutputFileConfigBuilder().build()
    assert (plain.get_part_prefix(), plain.get_part_suffix()) == ("part", "")


@pytest.mark.parametrize("part", ["a/b", None, 5])
def test_an_invalid_part_of_a_name_is_refused(part: str) -> None:
    with pytest.raises(ConfigurationError, match=r"must be a str without '/'|takes a str"):
        OutputFileConfig.builder().with_part_prefix(part)
    with pytest.raises(ConfigurationError, match=r"must be a str without '/'|takes a str"):
        OutputFileConfig.builder().with_part_suffix(part)
