"""Settings from a configuration directory, as Flink 2.3 reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.common.configuration import Configuration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpoint_storage import JobManagerCheckpointStorage
from pystream.datastream.state_backend import HashMapStateBackend, StateBackend
from pystream.errors import ConfigurationError
from pystream.settings.global_configuration import load_configuration


def loaded(directory: Path, name: str, text: str) -> dict[str, str]:
    (directory / name).write_text(text, "utf-8")
    return load_configuration(directory).to_dict()


@pytest.mark.promise("beh:state-backend-conf-keys", "ex:A29")
def test_flink_conf_from_the_environment_chooses_backend_and_storage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flink-conf.yaml").write_text(
        "state.backend: hashmap\nstate.checkpoint-storage: jobmanager\n", "utf-8"
    )
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    configuration = load_configuration()
    assert isinstance(StateBackend.from_configuration(configuration), HashMapStateBackend)
    assert isinstance(CheckpointConfig(configuration).get_checkpoint_storage(), JobManagerCheckpointStorage)


def test_without_a_directory_there_are_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLINK_CONF_DIR", raising=False)
    assert load_configuration() == Configuration()


def test_a_directory_without_files_has_no_settings(tmp_path: Path) -> None:
    assert load_configuration(str(tmp_path)) == Configuration()


def test_a_missing_directory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match=r"'.*nowhere' does not exist"):
        load_configuration(tmp_path / "nowhere")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path / "nowhere"))
    with pytest.raises(ConfigurationError, match="from the environment variable FLINK_CONF_DIR"):
        load_configuration()


def test_lines(tmp_path: Path) -> None:
    text = "# first\na.b: c # why\n\n  d : e: f\na.b: g\n"
    assert loaded(tmp_path, "flink-conf.yaml", text) == {"a.b": "g", "d": "e: f"}


@pytest.mark.parametrize("line", ["bad line", "z:1", "a: ", ": x"])
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigurationError, match=r"flink-conf\.yaml:2: .* not of the form 'key: value'"):
        loaded(tmp_path, "flink-conf.yaml", f"a: b\n{line}\n")


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", {}),
        ("# x\n", {}),
        ("a:\n  b: c\n  d: {e: f}\n", {"a.b": "c", "a.d.e": "f"}),
        ("a.b: c\na:\n  d: e\n", {"a.b": "c", "a.d": "e"}),
        ("a.b:\n  c.d: 1", {"a.b.c.d": "1"}),
        ("a: yes", {"a": "yes"}),
        ("a: on", {"a": "on"}),
        ("a: true", {"a": "true"}),
        ("a: 1:30", {"a": "1:30"}),
        ("a: 2001-01-01", {"a": "2001-01-01"}),
        ('a: "q: x"', {"a": "q: x"}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: [x, 'y z', 3]", {"a": "[x, y z, '3']"}),
        ("a:\n  - x\n  - y: z\n", {"a": "[x, {y: z}]"}),
        ("a: []", {"a": "[]"}),
        ("a: {}", {}),
        ("a: &x b\nc: *x", {"a": "b", "c": "b"}),
    ],
)
def test_documents(tmp_path: Path, text: str, settings: dict[str, str]) -> None:
    assert loaded(tmp_path, "config.yaml", text) == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1", r"config\.yaml is not a YAML document"),
        ("a: b\n---\nc: d", r"config\.yaml is not a YAML document"),
        ("- a\n", r"config\.yaml holds no settings"),
        ("a: 1\nb: 2\na: 3", r"config\.yaml:3: 'a' is set twice"),
    ],
)
def test_malformed_documents_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        loaded(tmp_path, "config.yaml", text)


def test_the_older_file_wins(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("a: new", "utf-8")
    assert loaded(tmp_path, "flink-conf.yaml", "a: old") == {"a": "old"}
