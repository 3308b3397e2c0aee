"""All options, and the application of one configuration to another."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest

import pystream
from pystream.common.config_options import ConfigOption
from pystream.common.configuration import Configuration
from pystream.common.execution_config import ExecutionConfig
from pystream.common.time import Duration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpointing_mode import CheckpointingMode
from pystream.errors import ConfigurationError
from pystream.settings import options
from pystream.settings.modes import ExternalizedCheckpointCleanup
from pystream.settings.options import apply_configuration

OPTIONS: list[ConfigOption[Any]] = [v for v in vars(options).values() if isinstance(v, ConfigOption)]
MEMBERS = list(ExternalizedCheckpointCleanup)


def test_every_key_belongs_to_one_option() -> None:
    keys = [key for option in OPTIONS for key in option.keys]
    assert len(keys) == len(set(keys))


def accepted_value(option: ConfigOption[Any]) -> Any:
    texts = ("a", "none", "hashmap")
    candidates = [option.default, True, 1, Duration.of_minutes(1), ["a"], {"a": "b"}, *texts, *MEMBERS]
    return next(value for value in candidates if accepts(option, value))


def accepts(option: ConfigOption[Any], value: object) -> bool:
    try:
        return bool(option.accept(value) == value)
    except ConfigurationError:
        return False


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_every_option_reads_back_what_is_set_and_its_text_and_refuses_other_values(
    option: ConfigOption[Any],
) -> None:
    value = accepted_value(option)
    configuration = Configuration().set(option, value)
    assert configuration.get(option) == value
    assert Configuration.from_dict(configuration.to_dict()).get(option) == value
    with pytest.raises(ConfigurationError, match=rf"^{re.escape(option.key)}: .* is not allowed; it takes "):
        configuration.set(option, object())
    assert configuration.get(option) == value


def test_applied_settings_reach_every_view_and_unknown_ones_are_kept() -> None:
    job = Configuration()
    execution, checkpoints = ExecutionConfig(job), CheckpointConfig(job)
    execution.set_max_parallelism(64)
    apply_configuration(
        Configuration.from_dict(
            {
                "parallelism.default": "3",
                "pipeline.auto-watermark-interval": "5 s",
                "execution.checkpointing.interval": "3min",
                "execution.checkpointing.mode": "at_least_once",
                "pipeline.global-job-parameters": "a:1,b:2",
                "foo.bar": "x",
            }
        ),
        job,
    )
    assert execution.get_parallelism() == 3
    assert execution.get_max_parallelism() == 64
    assert execution.get_auto_watermark_interval() == 5000
    assert execution.get_global_job_parameters() == {"a": "1", "b": "2"}
    assert checkpoints.get_checkpoint_interval() == 180_000
    assert checkpoints.get_checkpointing_mode() is CheckpointingMode.AT_LEAST_ONCE
    assert job.get_string("foo.bar", None) == "x"


def test_an_applied_setting_overrides_even_under_an_older_key() -> None:
    job = Configuration().set(options.STATE_BACKEND, "rocksdb")
    apply_configuration(Configuration.from_dict({"state.backend": "hashmap"}), job)
    assert job.get(options.STATE_BACKEND) == "hashmap"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("parallelism.default", "0"),
        ("parallelism.default", "x"),
        ("pipeline.max-parallelism", "32768"),
        ("execution.runtime-mode", "turbo"),
        ("execution.buffer-timeout", "-5"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_and_nothing_is_applied(key: str, value: str) -> None:
    job = Configuration()
    with pytest.raises(ConfigurationError, match=f": '{value}' is not allowed"):
        apply_configuration(Configuration.from_dict({"a": "b", key: value}), job)
    assert job.to_dict() == {}


def test_later_changes_of_the_target_do_not_reach_the_source() -> None:
    source, job = Configuration.from_dict({"parallelism.default": "7"}), Configuration()
    apply_configuration(source, job)
    ExecutionConfig(job).set_parallelism(9)
    assert source.to_dict() == {"parallelism.default": "7"}


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        ("pystream.strict-type", r"did you mean 'pystream\.strict-types'\?"),
        ("pystream.zzzzzz", r"there are .*pystream\.quick-start.*"),
    ],
)
def test_an_unknown_key_that_starts_with_pystream_is_refused(key: str, advice: str) -> None:
    target = Configuration()
    with pytest.raises(ConfigurationError, match=f"there is no setting '{key}'; {advice}$"):
        apply_configuration(Configuration.from_dict({key: "true", "pipeline.name": "x"}), target)
    assert target == Configuration()


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("parallelism.defualt", "parallelism.default"),
        ("pipeline.max_parallelism", "pipeline.max-parallelism"),
        ("execution.runtime.mode", "execution.runtime-mode"),
        ("execution.checkpointing.intervall", "execution.checkpointing.interval"),
        ("python.file", "python.files"),
    ],
)
def test_a_key_similar_to_that_of_an_option_is_warned_about(key: str, meant: str) -> None:
    source = Configuration().set_string(key, "1").set_string("my.key", "2")
    with pytest.warns(UserWarning, match=f"^unknown settings: '{key}' \\(did you mean '{meant}'") as warned:
        apply_configuration(source, Configuration())
    assert [warning.filename for warning in warned] == [__file__]


def test_the_warning_names_a_program_whose_path_starts_with_that_of_the_package() -> None:
    path = f"{pystream.__path__[0]}_jobs/job.py"
    with pytest.warns(UserWarning, match="unknown settings") as warned:
        exec(
            compile("apply(source, target)", path, "exec"),
            {
                "apply": apply_configuration,
                "source": Configuration().set_string("python.file", "1"),
                "target": Configuration(),
            },
        )
    assert [warning.filename for warning in warned] == [path]


@pytest.mark.parametrize(
    "key",
    [
        "my.key",
        "parallelism.default",
        "state.backend",
        "taskmanager.memory.process.size",
        "python.fn-execution.bundle.time",
        "spark.sql.shuffle.partitions",
    ],
)
def test_other_keys_are_applied_without_a_warning(key: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apply_configuration(
            Configuration().set_string(key, "hashmap" if key == "state.backend" else "1"), Configuration()
        )
