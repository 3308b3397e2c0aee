"""Documented examples of PyFlink, run unchanged, with their imports of ``pyflink``.

``{OUT}`` in a program is replaced by its own directory.
"""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parents[1] / "examples"


class Run:
    """A program after its run.

    Attributes:
        names: its global names.
        lines: the lines that it printed.
        out: its directory.
    """

    def __init__(self, names: dict[str, Any], lines: list[str], out: Path) -> None:
        self.names = names
        self.lines = lines
        self.out = out


@pytest.fixture
def run(
    host: str,
    pyflink_names: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[str], Run]:
    """Run a program of the examples directory in this process."""

    def run(name: str) -> Run:
        script = _written(name, tmp_path)
        names = runpy.run_path(str(script), run_name="__main__")
        return Run(names, capsys.readouterr().out.splitlines(), tmp_path)

    return run


def _written(name: str, out: Path) -> Path:
    script = out / f"{name}.py"
    script.write_text((PROGRAMS / f"{name}.py").read_text().replace("{OUT}", str(out)))
    return script


def without_subtask(lines: list[str]) -> list[str]:
    return sorted(re.sub(r"^\d+> ", "", line) for line in lines)


@pytest.mark.promise("ex:D02")
def test_get_execution_environment(run: Callable[[str], Run]) -> None:
    done = run("get_execution_environment")
    assert type(done.names["env"]).__module__.startswith("pystream.")
    assert done.lines == []


@pytest.mark.promise("ex:D03")
def test_typed_collection(run: Callable[[str], Run]) -> None:
    assert run("typed_collection").names["data"] == [(1, "aaa|bb"), (2, "bb|a"), (3, "aaa|a")]


@pytest.mark.promise("ex:D05")
def test_number_sequence_source(run: Callable[[str], Run]) -> None:
    ds = run("number_sequence_source").names["ds"]
    with ds.set_parallelism(1).execute_and_collect() as elements:
        assert list(elements) == list(range(1, 1001))


@pytest.mark.promise("ex:D07", "ex:D10")
def test_collect_mapped_numbers(run: Callable[[str], Run]) -> None:
    assert sorted(run("collect_mapped_numbers").lines) == ["2", "3", "4"]


@pytest.mark.promise("ex:D09", "ex:D15")
def test_print_numbers(run: Callable[[str], Run]) -> None:
    assert without_subtask(run("print_numbers").lines) == ["1", "2"]


@pytest.mark.promise("ex:D12")
def test_file_sink_names(run: Callable[[str], Run]) -> None:
    files = [*(run("file_sink_names").out / "numbers").rglob("pre-*")]
    uid = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert all(re.fullmatch(rf"pre-{uid}-\d+suf", path.name) for path in files)
    assert sorted(line for path in files for line in path.read_text().splitlines()) == ["1", "2", "3"]


@pytest.mark.promise("ex:D06", "connector:table.datagen")
def test_datagen_table_to_stream(run: Callable[[str], Run]) -> None:
    rows = run("datagen_table_to_stream").names["rows"]
    assert len(rows) == len({row[1] for row in rows}) == 10


@pytest.mark.promise("ex:D08")
def test_stream_and_table_conversion(run: Callable[[str], Run]) -> None:
    done = run("stream_and_table_conversion")
    rows = "Row(f0=1, f1='x', f2='u')", "Row(f0=2, f1='y', f2='v')"
    assert done.lines == [f"[{rows[0]}, {rows[1]}]", f"[(True, {rows[0]}), (True, {rows[1]})]"]


@pytest.mark.promise("ex:D13", "ex:D14", "connector:table.print")
@pytest.mark.parametrize("name", ["row_stream_to_table_sink", "tuple_stream_to_table_sink"])
@pytest.mark.parametrize("mode", ["STREAMING", "BATCH"])
def test_stream_to_table_sink(run: Callable[[str], Run], name: str, mode: str) -> None:
    with (Path(os.environ["FLINK_CONF_DIR"]) / "flink-conf.yaml").open("a") as configuration:
        configuration.write(f"execution.runtime-mode: {mode}\n")
    lines = run(name).lines
    if mode == "BATCH":
        assert sorted(lines) == ["+I[5, bb]", "+I[6, aaa]", "+I[7, a]"]
    else:
        rolling = ["+I[2, aaa]", "+I[2, bb]", "+I[5, bb]", "+I[3, a]", "+I[6, aaa]", "+I[7, a]"]
        assert lines == rolling


@pytest.mark.promise("ex:F01", "ex:F03")
def test_parallelism_and_slot_sharing(run: Callable[[str], Run]) -> None:
    assert run("parallelism_and_slot_sharing").lines == ["2"]


@pytest.mark.promise("ex:F02", "ex:F05")
def test_three_kinds_of_map_functions(run: Callable[[str], Run]) -> None:
    run("three_kinds_of_map_functions")


@pytest.mark.promise("ex:F04")
def test_python_file(run: Callable[[str], Run]) -> None:
    run("python_file")


@pytest.mark.promise("ex:F06", "ex:F07")
def test_rows_and_primitive_arrays(run: Callable[[str], Run]) -> None:
    assert run("rows_and_primitive_arrays").lines == ["Invalid element type for a primitive array."]


@pytest.mark.promise("ex:A01", "ex:A04", "ex:A05")
def test_register_kryo_types(run: Callable[[str], Run]) -> None:
    config = run("register_kryo_types").names["env"].get_config()
    pair = {"com.aaa.bbb.TypeClass": "com.aaa.bbb.Serializer"}
    assert config.get_default_kryo_serializer_classes() == pair
    assert config.get_registered_types_with_kryo_serializer_classes() == pair
    assert config.get_registered_pojo_types() == ["com.aaa.bbb.TypeClass"]


@pytest.mark.promise("ex:A02")
def test_python_archive(run: Callable[[str], Run]) -> None:
    run("python_archive")


@pytest.mark.promise("ex:A03", "ex:A21")
def test_checkpointing_mode(run: Callable[[str], Run]) -> None:
    assert run("checkpointing_mode").lines == ["300000 CheckpointingMode.AT_LEAST_ONCE"]


@pytest.mark.promise("ex:A06", "ex:A09", "ex:A11")
def test_savepoints_and_time_characteristic(run: Callable[[str], Run]) -> None:
    done = run("savepoints_and_time_characteristic")
    assert done.lines == ["hdfs://savepoints 200"]
    assert type(done.names["env"].get_restart_strategy()).__name__ == "NoRestartStrategyConfiguration"
    assert done.names["env"].get_stream_time_characteristic() is done.names["TimeCharacteristic"].EventTime


@pytest.mark.promise("ex:A10", "ex:A25")
def test_rocksdb_options(run: Callable[[str], Run]) -> None:
    done = run("rocksdb_options")
    assert done.lines == ["PredefinedOptions.SPINNING_DISK_OPTIMIZED"]
    backend = done.names["env"].get_state_backend()
    assert isinstance(backend, done.names["EmbeddedRocksDBStateBackend"])
    assert backend.get_predefined_options() is done.names["PredefinedOptions"].SPINNING_DISK_OPTIMIZED


@pytest.mark.promise("ex:A12", "ex:A14", "ex:A19")
def test_map_and_filter_functions(run: Callable[[str], Run]) -> None:
    run("map_and_filter_functions")


@pytest.mark.promise("ex:A16")
def test_flat_map_function(run: Callable[[str], Run]) -> None:
    run("flat_map_function")


@pytest.mark.promise("ex:A20", "ex:A22", "ex:A23", "ex:A24")
def test_checkpoint_failures(run: Callable[[str], Run]) -> None:
    assert run("checkpoint_failures").lines == [
        "ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION False 2",
    ]


@pytest.mark.promise("ex:A26", "ex:A27", "ex:A28")
def test_state_backends_and_checkpoint_storage(run: Callable[[str], Run]) -> None:
    assert run("state_backends_and_checkpoint_storage").lines == [
        "HashMapStateBackend JobManagerCheckpointStorage",
        "EmbeddedRocksDBStateBackend FileSystemCheckpointStorage",
    ]


@pytest.mark.parametrize(
    ("name", "lines"), [("print_numbers", ["1", "2"]), ("collect_mapped_numbers", ["2", "3", "4"])]
)
def test_pystream_run_runs_a_program_in_a_process_of_its_own(
    tmp_path: Path, name: str, lines: list[str]
) -> None:
    command = [str(Path(sys.executable).with_name("pystream")), "run", "--parallelism", "2"]
    with contextlib.chdir(tmp_path):
        done = subprocess.run(
            [*command, str(_written(name, tmp_path))],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(PROGRAMS.parents[1])},
        )
    assert done.returncode == 0, done.stderr
    assert without_subtask(done.stdout.splitlines()) == lines


def test_every_program_has_a_test() -> None:
    text = Path(__file__).read_text()
    assert [path.stem for path in sorted(PROGRAMS.glob("*.py")) if f'"{path.stem}"' not in text] == []


@pytest.mark.promise("ex:D01")
def test_count_by_key_to_files(run: Callable[[str], Run]) -> None:
    files = [
        path for path in (run("count_by_key_to_files").out / "counts").rglob("pre-*suf") if path.is_file()
    ]
    lines = Counter(line for path in files for line in path.read_text().splitlines())
    assert lines == {f"+I[{key}, {n}]": 2 if n == 2 else 2498 for key in range(4) for n in (1, 2)}


@pytest.mark.promise("ex:F12")
def test_print_keyed_rows(run: Callable[[str], Run]) -> None:
    assert without_subtask(run("print_keyed_rows").lines) == [
        "('ab', 2)",
        "('abc', 3)",
        "('abcd', 4)",
        "('abcde', 5)",
    ]


@pytest.mark.promise("ex:A13", "ex:A18")
def test_reduce_functions(run: Callable[[str], Run]) -> None:
    run("reduce_functions")


@pytest.mark.promise("ex:A15")
def test_co_map_function(run: Callable[[str], Run]) -> None:
    run("co_map_function")


@pytest.mark.promise("ex:A17")
def test_co_flat_map_function(run: Callable[[str], Run]) -> None:
    run("co_flat_map_function")
