"""Which way imports may point, between the rooms of the house and out of it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import grimp
import pytest

from tests.kinds import defined_kinds

# A room is typeinfo, or a package or module directly below pystream. It may import from the rooms named.
FOUNDATION = {
    "typeinfo",
    "pystream.distribution",
    "pystream.durations",
    "pystream.errors",
    "pystream.field_aggregations",
    "pystream.kinds",
    "pystream.lazy",
    "pystream.machine",
    "pystream.program_warnings",
    "pystream.waiting",
    "pystream.zones",
}
PLAN = {*FOUNDATION, "pystream.expressions", "pystream.plan"}
BELOW_API = {
    *PLAN,
    "pystream.engine",
    "pystream.io",
    "pystream.messages",
    "pystream.settings",
    "pystream.sql_types",
}
COMMON = {*BELOW_API, "pystream.arguments"}
API = {*COMMON, "pystream.common", "pystream.datastream", "pystream.rules"}
HOSTS = {*PLAN, "pystream", "pystream.compat", "pystream.engine", "pystream.lifting", "pystream.settings"}
TOOL = {
    *API,
    *HOSTS,
    "pystream.cli",
    "pystream.dataset",
    "pystream.doctor",
    "pystream.earlier_flink",
    "pystream.hosts",
    "pystream.jython",
    "pystream.python2",
    "pystream.recover",
    "pystream.savepoint",
    "pystream.script",
    "pystream.table",
}
ARROWS: dict[str, set[str]] = {
    "typeinfo": set(),
    "pystream": FOUNDATION,
    "pystream.distribution": set(),
    "pystream.durations": FOUNDATION,
    "pystream.errors": FOUNDATION,
    "pystream.expressions": {"typeinfo"},
    "pystream.field_aggregations": {"typeinfo"},
    "pystream.kinds": set(),
    "pystream.lazy": set(),
    "pystream.machine": set(),
    "pystream.program_warnings": {"typeinfo"},
    "pystream.waiting": set(),
    "pystream.zones": {"pystream.errors"},
    "pystream.metrics": {"pystream.engine"},
    "pystream.engine": {*FOUNDATION, "pystream.expressions"},
    "pystream.lifting": {"typeinfo", "pystream.expressions"},
    "pystream.plan": PLAN,
    "pystream.inference": {"typeinfo", "pystream.lifting"},
    "pystream.rules": {*PLAN, "pystream.inference", "pystream.lifting"},
    "pystream.settings": FOUNDATION,
    "pystream.io": {"typeinfo", "pystream.engine"},
    "pystream.messages": {*FOUNDATION, "pystream.engine", "pystream.sql_types"},
    "pystream.arguments": BELOW_API,
    "pystream.common": COMMON,
    "pystream.datastream": API,
    "pystream.dataset": API,
    "pystream.jython": API,
    "pystream.serializers": API,
    "pystream.sql_types": FOUNDATION,
    "pystream.table": {*API, "pystream.util"},
    "pystream.testing": API,
    "pystream.util": FOUNDATION,
    "pystream.mypy_plugin": {"typeinfo"},
    "pystream.hosts": HOSTS,
    "pystream.compat": FOUNDATION,
    "pystream.cli": TOOL,
    "pystream.__main__": TOOL,
    "pystream.doctor": TOOL,
    "pystream.earlier_flink": {"pystream.program_warnings"},
    "pystream.python2": HOSTS,
    "pystream.recover": TOOL,
    "pystream.savepoint": TOOL,
    "pystream.script": TOOL,
}

# Single imports that cross all the same: from a module, to a module and what is below it.
DOORWAYS = {
    ("pystream.datastream.stream_execution_environment", "pystream.serializers"),  # exports it, as PyFlink
    ("pystream.table.table_environment", "pystream.serializers"),
    ("pystream.datastream", "pystream.hosts.host"),  # the interface of the hosts
    ("pystream.datastream", "pystream.hosts.job_request"),
    ("pystream.datastream", "pystream.hosts.unbounded.settings"),
    ("pystream.common.job_client", "pystream.hosts.unbounded.control"),
    ("pystream.datastream.environment.execution", "pystream.hosts.job"),
    ("pystream.datastream.environment.execution", "pystream.hosts.unbounded.signals"),
    # inside from_data_frame
    ("pystream.datastream.environment.execution", "pystream.hosts.spark.frame_source"),
    ("pystream.datastream.environment.execution", "pystream.hosts.spark.frames"),  # inside to_frame
    ("pystream.testing", "pystream.hosts.host"),
    ("pystream.testing.clocked_job", "pystream.hosts.local.unbounded"),  # which it drives step by step
    ("pystream.plan.native", "pystream.lifting"),  # the expressions of native steps
    ("pystream.plan.query", "pystream.lifting"),  # those of the functions that queries call
}

# Packages whose modules may import one another in circles: operators of each stream or set make the others.
FLUENT = ("pystream.datastream.streams", "pystream.dataset.sets")

KIT = "typeinfo.testing"  # the types do not import it

# Packages that only these modules, and those below them, may import other than for type checkers.
RESTRICTED = {
    "pyspark": ("pystream.hosts.spark", "typeinfo.formats.spark"),
    "py4j": ("pystream.hosts.spark.jvm",),
    "hypothesis": ("typeinfo.testing", "pystream.testing"),
    "mypy": ("typeinfo.mypy_plugin", "pystream.mypy_plugin"),
    "rich": ("pystream.hosts.unbounded",),
    "sqlglot": tuple(f"pystream.table.{room}" for room in ("evaluation", "planner", "rules", "sql")),
    "pytest": ("typeinfo.testing.pytest_plugin", "pystream.testing.pytest_plugin"),
}

UNUSED = [
    *("pyspark", "py4j", "pandas", "rich", "hypothesis", "mypy", "sqlglot"),
    *("pystream.hosts.spark", "pystream.hosts.local", "pystream.hosts.unbounded"),
]
COLUMNS = ["pyarrow", "numpy"]

PROGRAM = """
import pystream
from pystream.common import Row, Types
from pystream.datastream import MapFunction, StreamExecutionEnvironment

class Length(MapFunction):
    def map(self, value):
        return len(value)

env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(2)
pairs = env.from_collection(["a"]).map(lambda s: (1, s), Types.TUPLE([Types.INT(), Types.STRING()]))
Types.of(int | str)
words = pairs.filter(lambda pair: pair[0] > 0).project(1).map(lambda one: one[0])
lengths = words.map(Length(), Types.LONG())
named = Types.ROW_NAMED(["n"], [Types.LONG()])
rows = lengths.union(env.generate_sequence(1, 3)).map(lambda n: Row(n=n), named)
rows.rebalance().print()
env.get_execution_plan()
"""

# The elements are validated by their type at once, which takes the columns of Arrow.
PROGRAM_WITH_CHECKED_ELEMENTS = PROGRAM + "env.from_collection([1], Types.INT()).print()"

PROGRAM_WITH_TABLES = (
    PROGRAM
    + """
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.expressions import col, concat, lit

((col("n") + lit(1)).alias("m") > 2) & concat("a", col("b")).is_not_null
t_env = StreamTableEnvironment.create(env)
table = t_env.from_data_stream(rows, "n").alias("m")
t_env.create_temporary_view("numbers", table)
t_env.to_data_stream(table, Types.ROW([Types.LONG()])).print()
"""
)

LOCAL_RUN = """
from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment

configuration = Configuration()
configuration.set_string("pystream.runner", "local")
env = StreamExecutionEnvironment.get_execution_environment(configuration)
pairs = env.from_collection(["a", "b"]).map(lambda word: (word, 1))
counts = pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
assert len(list(counts.execute_and_collect())) == 2
"""

# The modules that define kinds of operators, to which programs refer.
KINDS = "\n".join(sorted({f"import {defined.module}" for defined in defined_kinds()}))

SHOW_MODULES = "import sys; print(*sorted(sys.modules))"


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def room_of(module: str) -> str:
    package, _, rest = module.partition(".")
    return f"pystream.{rest.partition('.')[0]}" if package == "pystream" and rest else package


def wrong_arrows(graph: grimp.ImportGraph) -> Iterator[tuple[str, str]]:
    """Yield each import from one room to another that is neither allowed nor a doorway."""
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            if is_within(imported, KIT) and room_of(importer) == "typeinfo" and not is_within(importer, KIT):
                yield importer, imported
            room = room_of(imported)
            if room not in ARROWS or room == room_of(importer) or room in ARROWS[room_of(importer)]:
                continue
            if not any(is_within(importer, here) and is_within(imported, there) for here, there in DOORWAYS):
                yield importer, imported


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("pystream", "typeinfo", cache_dir=None)


@pytest.fixture(scope="module")
def run_time_graph() -> grimp.ImportGraph:
    return grimp.build_graph(
        "pystream",
        "typeinfo",
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )


def test_the_graph_has_every_module(graph: grimp.ImportGraph) -> None:
    root = Path(__file__).parents[2]
    files = (
        path.relative_to(root) for one in ("pystream", "typeinfo") for path in (root / one).rglob("*.py")
    )
    modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in files}
    assert modules - set(graph.modules) == set()


def test_every_module_has_a_room(graph: grimp.ImportGraph) -> None:
    assert {room_of(module) for module in graph.modules} <= set(ARROWS)


def rows_of_the_rooms_table() -> list[list[str]]:
    """Return the rooms in each row of the table of CONTRIBUTING.md."""
    text = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Rooms")[2].partition("\n## ")[0]
    first_cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    rows = [re.findall(r"`(\w+)`", cell) for cell in first_cells]
    return [[room if room in ARROWS else f"pystream.{room}" for room in row] for row in rows]


def test_the_table_of_contributing_lists_every_room_once() -> None:
    assert sorted(room for row in rows_of_the_rooms_table() for room in row) == sorted(ARROWS)


def test_no_row_of_the_table_imports_a_row_above_it() -> None:
    above: set[str] = set()
    for row in rows_of_the_rooms_table():
        assert [room for room in row if ARROWS[room] & above] == []
        above.update(row)


def test_arrows_point_the_right_way(graph: grimp.ImportGraph) -> None:
    assert [f"{importer} imports {imported}" for importer, imported in wrong_arrows(graph)] == []


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("typeinfo.row", "pystream.errors"),
        ("typeinfo.row", "typeinfo.testing.reproduction"),
        ("pystream.engine.task.task", "pystream.plan.graph"),
        ("pystream.engine.task.task", "pystream.datastream.functions"),
        ("pystream.plan.nodes", "pystream.engine.task.task"),
        ("pystream.plan.graph", "pystream.lifting"),
        ("pystream.rules", "pystream.datastream.data_stream"),
        ("pystream.hosts.spark.job", "pystream.datastream.data_stream"),
        ("pystream.datastream.streams.data_stream", "pystream.hosts.spark.job"),
        ("pystream.errors", "pystream.common"),
        ("pystream.common.time", "pystream.datastream.utils"),
    ],
)
def test_a_wrong_arrow_is_found(graph: grimp.ImportGraph, importer: str, imported: str) -> None:
    changed = deepcopy(graph)
    changed.add_import(importer=importer, imported=imported)
    assert (importer, imported) in wrong_arrows(changed)


def circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """Return the circles of imports, each with all modules that import one another, directly or not."""
    downstream = {module: graph.find_downstream_modules(module) for module in graph.modules}
    found = {
        tuple(sorted({module, *(other for other in importers if module in downstream[other])}))
        for module, importers in downstream.items()
    }
    return sorted(list(circle) for circle in found if len(circle) > 1)


def test_imports_make_no_circles(run_time_graph: grimp.ImportGraph) -> None:
    forbidden = [
        circle
        for circle in circles(run_time_graph)
        if not any(all(is_within(module, package) for module in circle) for package in FLUENT)
    ]
    assert forbidden == []


def test_a_circle_is_found(run_time_graph: grimp.ImportGraph) -> None:
    changed = deepcopy(run_time_graph)
    changed.add_import(importer="pystream.engine.time.clock", imported="pystream.engine.time.timers")
    changed.add_import(importer="pystream.engine.time.timers", imported="pystream.engine.time.clock")
    assert ["pystream.engine.time.clock", "pystream.engine.time.timers"] in circles(changed)


def named_modules(package: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield each string in the modules of a package that names a module, with the module it is in."""
    root = Path(__file__).parents[2]
    for path in sorted((root / package).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in re.findall(rf"\b{prefix}(?:\.\w+)+", node.value):
                    yield module, name


def test_no_string_of_the_types_names_a_module_of_pystream() -> None:
    assert list(named_modules("typeinfo", "pystream")) == []


def test_a_string_that_names_a_module_is_found() -> None:
    assert ("pystream.compat", "pystream.common") in named_modules("pystream", "pystream")


@pytest.mark.parametrize("package", sorted(RESTRICTED))
def test_restricted_package(run_time_graph: grimp.ImportGraph, package: str) -> None:
    importers = run_time_graph.find_modules_that_directly_import(package)
    allowed = RESTRICTED[package]
    assert importers
    assert [i for i in sorted(importers) if not any(is_within(i, module) for module in allowed)] == []


@pytest.mark.parametrize(
    ("program", "unused"),
    [
        pytest.param("import pystream", [*UNUSED, *COLUMNS, "pystream.engine", "pystream.plan"], id="import"),
        pytest.param(PROGRAM, [*UNUSED, *COLUMNS], id="program"),
        pytest.param(PROGRAM_WITH_TABLES, [*UNUSED, *COLUMNS], id="program-with-tables"),
        pytest.param(KINDS, [*UNUSED, *COLUMNS], id="kinds"),
        pytest.param(PROGRAM_WITH_CHECKED_ELEMENTS, UNUSED, id="program-with-checked-elements"),
        pytest.param(LOCAL_RUN, ["pyspark", "pandas", "pyarrow.compute"], id="local-run"),
    ],
)
def test_nothing_is_loaded_before_it_is_used(program: str, unused: list[str]) -> None:
    command = [sys.executable, "-c", f"{program}\n{SHOW_MODULES}"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    loaded = set(result.stdout.split())
    assert "pystream" in loaded
    assert sorted(loaded.intersection(unused)) == []
