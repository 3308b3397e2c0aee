"""``pystream run`` and ``pystream plan`` in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from pystream.hosts.unbounded.directory_lock import lock_directory

IGNORE = "execution.state-recovery.ignore-unclaimed-state"
SHOW = """\
import sys
from pyflink.common import Configuration
from pyflink.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
print(__name__, sys.argv[1:], env.get_parallelism())
print({key: value for key, value in env.get_configuration().to_dict().items() if key in %r})
"""


def show(path: Path, *keys: str) -> Path:
    """Write a program that prints its arguments, its parallelism and these settings."""
    path.write_text(SHOW % (keys,))
    return path


def pystream(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "pystream", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environ, check=False)


def output(*arguments: object, cwd: Path) -> list[str]:
    done = pystream(*arguments, cwd=cwd)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.splitlines()


@pytest.mark.parametrize("flag", ["-p", "--parallelism"])
def test_arguments_after_the_script_are_passed_to_it(tmp_path: Path, flag: str) -> None:
    script = show(tmp_path / "job.py")
    said = output("run", flag, 3, script, "a", flag, 5, "--help", "-Dx=y", cwd=tmp_path)
    assert said[0] == f"__main__ {['a', flag, '5', '--help', '-Dx=y']} 3"


def test_the_script_may_be_an_option(tmp_path: Path) -> None:
    script = show(tmp_path / "job.py")
    assert output("run", "-py", script, "-p3", "a", cwd=tmp_path)[0] == "__main__ ['a'] 3"


@pytest.mark.promise("cli:execution.runtime-mode", "beh:runtime-mode-config")
@pytest.mark.parametrize("flag", ["-D", "-D "])
def test_settings_are_those_of_new_environments(tmp_path: Path, flag: str) -> None:
    script = show(tmp_path / "job.py", "execution.runtime-mode", "my.key")
    said = output("run", *f"{flag}execution.runtime-mode=BATCH".split(), "-Dmy.key=a=b", script, cwd=tmp_path)
    assert said[1] == "{'execution.runtime-mode': 'BATCH', 'my.key': 'a=b'}"


@pytest.mark.promise("cli:pyfs", "cli:pyarch", "cli:pyreq")
@pytest.mark.parametrize(
    ("flag", "key", "value"),
    [
        ("-pyfs", "python.files", "helper.py,pack.zip"),
        ("--pyFiles", "python.files", "helper.py"),
        ("--pyfs", "python.files", "helper.py"),
        ("-pyarch", "python.archives", "pack.zip#data"),
        ("--pyArchives", "python.archives", "pack.zip,pack.zip#b"),
        ("--pyarch", "python.archives", "pack.zip"),
        ("-pyreq", "python.requirements", "wanted.txt#cache"),
        ("--pyRequirements", "python.requirements", "wanted.txt"),
        ("--pyreq", "python.requirements", "wanted.txt"),
        ("-pyexec", "python.executable", "python3"),
        ("--pyExecutable", "python.executable", "python3"),
    ],
)
def test_options_set_flinks_keys(tmp_path: Path, flag: str, key: str, value: str) -> None:
    (tmp_path / "helper.py").touch()
    (tmp_path / "wanted.txt").touch()
    (tmp_path / "cache").mkdir()
    with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("inside.py", "")
    said = output("run", flag, value, show(tmp_path / "job.py", key), cwd=tmp_path)
    assert said[1] == repr({key: value})


@pytest.mark.parametrize(
    ("flags", "settings"),
    [
        (["--resume"], {"pystream.resume": "true"}),
        (["-s", "/saved/1"], {"execution.state-recovery.path": "/saved/1"}),
        (["--fromSavepoint", "/saved/1"], {"execution.state-recovery.path": "/saved/1"}),
        (["--from-savepoint=/saved/1"], {"execution.state-recovery.path": "/saved/1"}),
        (["--resume", "-n"], {"pystream.resume": "true", IGNORE: "true"}),
        (["--allowNonRestoredState"], {IGNORE: "true"}),
        (["--allow-non-restored-state"], {IGNORE: "true"}),
    ],
)
def test_a_job_resumes_or_starts_from_a_savepoint(
    tmp_path: Path, flags: list[str], settings: dict[str, str]
) -> None:
    script = show(tmp_path / "job.py", "pystream.resume", "execution.state-recovery.path", IGNORE)
    said = output("run", *flags, script, "--resume", cwd=tmp_path)
    assert said[0].startswith("__main__ ['--resume']")
    assert eval(said[1]) == settings


@pytest.mark.promise("cli:pym")
@pytest.mark.parametrize("flag", ["-pym", "--pyModule", "--pym"])
def test_a_module_is_run_from_the_working_directory(tmp_path: Path, flag: str) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "__init__.py").touch()
    show(tmp_path / "jobs" / "nightly.py")
    assert output("run", "-p1", flag, "jobs.nightly", "x", cwd=tmp_path)[0] == "__main__ ['x'] 1"


def test_files_of_the_options_are_importable_in_the_program(tmp_path: Path) -> None:
    files = tmp_path / "files"
    (files / "package").mkdir(parents=True)
    (files / "package" / "__init__.py").write_text("value = 2")
    (files / "single.py").write_text("value = 1")
    with zipfile.ZipFile(files / "zipped.zip", "w") as archive:
        archive.writestr("inner.py", "value = 3")
    job = tmp_path / "job.py"
    job.write_text("import single, package, inner\nprint(single.value, package.value, inner.value)")
    names = ",".join(f"files/{name}" for name in ("single.py", "package", "zipped.zip"))
    assert output("run", "-pyfs", names, job, cwd=tmp_path) == ["1 2 3"]


def test_modules_beside_the_script_are_importable_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "beside.py").write_text("value = 'beside'")
    (tmp_path / "elsewhere.py").touch()
    job = tmp_path / "jobs" / "job.py"
    job.write_text(
        "import beside\nprint(beside.value)\n"
        "try:\n    import elsewhere\nexcept ImportError as error:\n    print(error)"
    )
    assert output("run", job, cwd=tmp_path) == ["beside", "No module named 'elsewhere'"]


def test_an_exception_shows_the_programs_frames_only(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("def fail():\n    1 / 0\n\nfail()\n")
    done = pystream("run", job, cwd=tmp_path)
    assert done.returncode == 1
    plain = subprocess.run([sys.executable, job], capture_output=True, text=True, check=False)
    assert done.stderr == plain.stderr


def test_a_syntax_error_is_shown_as_python_does(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("print('fine'\n")
    done = pystream("run", job, cwd=tmp_path)
    assert done.returncode == 1
    plain = subprocess.run([sys.executable, job], capture_output=True, text=True, check=False)
    assert done.stderr == plain.stderr


def test_a_warning_about_the_script_is_shown_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "default:invalid escape")
    job = tmp_path / "job.py"
    job.write_text("'\\d'\n")
    plain = subprocess.run([sys.executable, job], capture_output=True, text=True, check=False)
    assert plain.stderr.count("invalid escape sequence") == 1
    assert pystream("run", job, cwd=tmp_path).stderr == plain.stderr


def test_the_exit_code_is_that_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("import sys\nsys.exit(7)")
    assert pystream("run", "job.py", cwd=tmp_path).returncode == 7


@pytest.mark.parametrize("failing", ["jobs/nightly.py", "jobs/__init__.py"])
def test_a_failed_import_inside_a_module_is_an_exception_of_the_program(tmp_path: Path, failing: str) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "nightly.py").touch()
    (tmp_path / failing).write_text("import no_such_package")
    done = pystream("run", "-pym", "jobs.nightly", cwd=tmp_path)
    assert done.returncode == 1
    assert "No module named 'no_such_package'" in done.stderr
    assert "Traceback" in done.stderr


COUNTING = """
from pystream.common import Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy

env = StreamExecutionEnvironment.get_execution_environment()
source = DataGeneratorSource(
    int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(10), type_info=Types.LONG()
)
numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
"""
STATE = "-Dexecution.checkpointing.dir=state"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([STATE], "'count' is running: "),
        ([STATE, "--resume", "again"], "job 'again' cannot resume: there is no state in "),
        (["--resume"], "execution.checkpointing.dir is not set: job 'count' has no state to resume"),
        (["-Dpystream.metrics.json=nowhere/metrics"], "nowhere/metrics cannot be written"),
    ],
)
def test_a_job_that_is_refused_is_reported_in_one_line(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    job = tmp_path / "job.py"
    job.write_text(COUNTING + "import sys\nnumbers.print()\nenv.execute(*sys.argv[1:] or ['count'])")
    settings = [argument for argument in arguments if argument.startswith("-")]
    (tmp_path / "state" / "count").mkdir(parents=True)
    lock = lock_directory(str(tmp_path / "state" / "count"))
    assert lock is not None
    with closing(lock):
        names = [argument for argument in arguments if not argument.startswith("-")]
        done = pystream("run", "--local", *settings, "job.py", *names, cwd=tmp_path)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.startswith("pystream: ")
    assert done.stderr.count("\n") == 1


def test_a_failure_of_a_function_has_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(COUNTING + "numbers.map(lambda n: 1 // n).print()\nenv.execute()")
    done = pystream("run", "--local", "job.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "pystream.errors.JobExecutionError: job 'Flink Streaming Job': " in done.stderr
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.py"], "script 'nowhere.py' does not exist"),
        (["folder"], "'folder' is a directory, not a script"),
        (["-pym", "nowhere.job"], "module 'nowhere.job' is neither in "),
        (["-pym", "json"], "module 'json' is a package without a module json.__main__ to run"),
        (["-pyfs", "nowhere.py", "job.py"], "Python file 'nowhere.py' does not exist"),
        (["-pyarch", "job.py", "job.py"], "not in zip format"),
        (["-pyreq", "nowhere.txt", "job.py"], "requirements file 'nowhere.txt' does not exist"),
    ],
)
def test_a_program_that_cannot_be_started_is_reported_in_one_line(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "job.py").touch()
    done = pystream("run", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.startswith("pystream: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "which script?"),
        (["--paralelism", "2", "job.py"], "unknown option --paralelism"),
        (["-p", "0", "job.py"], "'0' is not a number of at least 1"),
        (["-p", "two", "job.py"], "'two' is not a number of at least 1"),
        (["-Dkey", "job.py"], "'key' is not KEY=VALUE"),
        (["--resume", "-s", "/s", "job.py"], "a job either resumes or starts from a savepoint"),
        (["-py", "job.py", "-pym", "job"], "cannot both be run"),
        (["job.py", "-p"], None),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, arguments: list[str], said: str | None) -> None:
    (tmp_path / "job.py").touch()
    done = pystream("run", *arguments, cwd=tmp_path)
    assert done.returncode == (0 if said is None else 2)
    assert (said or "") in done.stderr


JOBS = """\
import sys
from pyflink.common import Types
from pyflink.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
numbers = env.from_collection([1], Types.INT()).map(abs, Types.INT()).name("absolute")
try:
    %s
except Exception:
    pass
finally:
    print("cleaned up")
print("never reached")
"""


@pytest.mark.parametrize(
    "job",
    [
        "numbers.print(); env.execute()",
        "numbers.print(); env.execute_async()",
        "list(numbers.execute_and_collect())",
        "numbers.to_data_frame()",
    ],
)
def test_a_plan_is_shown_instead_of_running_the_job(tmp_path: Path, job: str) -> None:
    (tmp_path / "job.py").write_text(JOBS % job)
    said = output("plan", "-p", 3, "job.py", cwd=tmp_path)
    assert said[:2] == ["cleaned up", "== physical plan for Spark =="]
    (line,) = (line for line in said if "absolute" in line)
    assert line.split()[:5] == ["2", "absolute", "(abs)", "1", "3"]
    assert line.endswith("Integer")
    assert "never reached" not in said


def test_a_program_without_a_job_has_no_plan(tmp_path: Path) -> None:
    done = pystream("plan", show(tmp_path / "job.py"), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"pystream: {tmp_path / 'job.py'} has ended without running a job\n"


RUN_LOCALLY = """\
import sys
from pystream.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
env.from_collection([1]).map(lambda number: number + 1).print()
env.execute()
print(sorted({"pyspark", "py4j", "pystream.hosts.spark", "pystream.doctor"}.intersection(sys.modules)))
"""


def test_a_program_runs_locally_without_spark_or_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "job.py").write_text(RUN_LOCALLY)
    monkeypatch.setenv("JAVA_HOME", "/nonexistent")
    assert output("run", "--local", "-p", "1", "job.py", cwd=tmp_path) == ["2", "[]"]


LEFT_RUNNING = """\
import sys, time
from pystream.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
def divided(number):
    time.sleep(0.3)
    return 6 // number
env.from_collection([int(sys.argv[1])]).map(divided).print()
env.execute_async()
print("the end", flush=True)
sys.exit(0)
"""


def test_a_job_that_a_program_leaves_running_goes_on_after_its_end(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(LEFT_RUNNING)
    assert output("run", "--local", "-p", "1", "job.py", "2", cwd=tmp_path) == ["the end", "3"]
    done = pystream("run", "--local", "job.py", "0", cwd=tmp_path)
    assert done.returncode == 1
    assert "JobExecutionError" in done.stderr
    assert "ZeroDivisionError" in done.stderr


MAIN = """\
import sys


def main(factory: "Any", name: str = "job"):
    assert main.__annotations__ == {"factory": "Any", "name": str}
    print(__name__, sys.argv, type(factory).__name__)
    environment = factory.get_execution_environment()
    print(environment.get_parallelism())
    environment.from_elements(1).map(Number()).output()
    environment.execute()


class Number:
    def map(self, value):
        return f"{type(self).__module__}.{type(self).__name__}"
"""


@pytest.mark.promise("jython.main", "beh:jython.main-required")
@pytest.mark.parametrize("name", ["count", "abc", "some job"])
def test_main_is_called_with_a_factory(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text(MAIN)
    module = {"abc": "_abc"}.get(name, name)
    assert output("run", "--local", "-p3", f"{name}.py", "-", "a", "-", "b", cwd=tmp_path) == [
        f"{module} ['{name}.py', 'a', '-', 'b'] PythonEnvironmentFactory",
        "3",
        f"{module}.Number",
    ]


def test_the_plan_of_a_script_with_main(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(MAIN)
    said = output("plan", "job.py", cwd=tmp_path)
    assert said[2] == "== physical plan for Spark =="
    assert any("Map (Number at job.py:14)" in line for line in said)


def test_packages_of_options_and_arguments_are_importable(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    for number, place in enumerate(("of_option.py", "here.py", "jobs/beside.py")):
        (tmp_path / place).write_text(f"value = {number}\n")
    (tmp_path / "jobs" / "job.py").write_text(
        "import of_option, here, beside\n"
        "def main(factory): print(of_option.value, here.value, beside.value)\n"
    )
    options = ["-pyfs", "of_option.py", "jobs/job.py", "here.py", "beside.py"]
    assert output("run", *options, cwd=tmp_path) == ["0 1 2"]


@pytest.mark.parametrize("arguments", [["nowhere"], ["count.py", "nowhere", "-", "x"]])
def test_a_package_that_does_not_exist_is_named(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "count.py").write_text(MAIN)
    done = pystream("run", "count.py", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "pystream: package 'nowhere' does not exist; arguments of a script of this API follow a dash: "
        "count.py - nowhere\n"
    )


def test_a_script_that_calls_its_main_gets_all_arguments(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "import sys\n"
        "def main(factory): print(__name__, factory)\n"
        "if __name__ == '__main__': main(sys.argv[1:])\n"
    )
    assert output("run", "job.py", "a", "-", "b", cwd=tmp_path) == ["__main__ ['a', '-', 'b']"]


def stream_script(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from pystream.cli import run_stream_script; sys.exit(run_stream_script())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )


@pytest.mark.promise("beh:jython.main-required")
def test_the_command_for_stream_scripts_needs_a_main(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("from helper import main")
    (tmp_path / "helper.py").write_text("def main(anything): print(type(anything).__name__)")
    done = stream_script("job.py", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("PythonEnvironmentFactory\n", "", 0)
    (tmp_path / "job.py").write_text("print('loaded')")
    done = stream_script("job.py", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("loaded\n", 2)
    assert done.stderr == "pystream: 'job.py' has no main(factory), the function that runs its job\n"
    assert (
        stream_script("nowhere.py", cwd=tmp_path).stderr == "pystream: script 'nowhere.py' does not exist\n"
    )


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["--help"], 0), (["-", "a"], 2)])
def test_the_command_for_stream_scripts_says_how_it_is_called(
    tmp_path: Path, arguments: list[str], code: int
) -> None:
    done = stream_script(*arguments, cwd=tmp_path)
    assert done.returncode == code
    usage = done.stderr if code else done.stdout
    assert usage.startswith("usage: pyflink-stream.sh SCRIPT [PACKAGE ...] [- ARGUMENT ...]\n")
