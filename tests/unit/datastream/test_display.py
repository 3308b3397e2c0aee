"""The display of streams, plans and types in prompts and notebooks."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from pystream.common import Configuration, Row, Types
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.window import CountTumblingWindowAssigner
from pystream.plan.diagram import Arrow, Diagram, ExplainedOperator
from pystream.plan.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
PAIR = Types.ROW_NAMED(["id", "tags"], [Types.LONG(), Types.LIST(Types.STRING())])


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)


@pytest.fixture
def pairs(env: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
    return env.generate_sequence(1, 3).map(lambda n: Row(n, ["<b>"]), PAIR).name("pairs & <tags>")


def boxes(svg: str) -> dict[str, ElementTree.Element]:
    """The rectangle of each box by its tooltip's first line."""
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return {
        (group.findtext(f"{SVG}title") or "").splitlines()[0]: rect
        for group in groups
        if (rect := group.find(f"{SVG}rect")) is not None
    }


class TestRepr:
    def test_a_stream_shows_name_type_and_parallelism(self, pairs: DataStream[Any]) -> None:
        assert repr(pairs) == str(pairs) == f"DataStream('pairs & <tags>', {PAIR}, parallelism=2)"

    def test_a_keyed_stream_shows_its_key(self, pairs: DataStream[Any]) -> None:
        assert repr(pairs.key_by(lambda pair: pair.id, Types.LONG())).endswith("parallelism=2, key=Long)")

    def test_a_sink_shows_its_name(self, pairs: DataStream[Any]) -> None:
        assert repr(pairs.print().set_parallelism(1)) == (
            "DataStreamSink('Sink: Print to Std. Out', parallelism=1)"
        )

    def test_an_environment_shows_parallelism_mode_and_what_is_to_run(
        self, env: StreamExecutionEnvironment, pairs: DataStream[Any]
    ) -> None:
        assert repr(env) == "StreamExecutionEnvironment(parallelism=2, runtime_mode=STREAMING, pending=1)"
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)
        pairs.print()
        assert repr(env) == "StreamExecutionEnvironment(parallelism=2, runtime_mode=BATCH, pending=2)"

    def test_streams_of_streams_show_them(self, pairs: DataStream[Any]) -> None:
        keyed = pairs.key_by(lambda pair: pair.id, Types.LONG())
        windowed = keyed.window(CountTumblingWindowAssigner.of(3))
        assert repr(windowed).startswith(f"WindowedStream({keyed!r}, ")
        assert repr(keyed.connect(pairs)) == f"ConnectedStreams({keyed!r}, {pairs!r})"


class TestMermaid:
    def test_operators_tasks_partitionings_and_paths(self, env: StreamExecutionEnvironment) -> None:
        stream = env.from_collection([1], Types.LONG()).map(lambda n: n, Types.LONG()).name('a "b"')
        lines = stream.key_by(lambda n: n, Types.LONG()).sum().explain().to_mermaid().splitlines()
        assert lines[0] == "flowchart TD"
        assert lines.count('    subgraph task1["task 1"]') == 1
        (named,) = [line for line in lines if "a #34;b#34;" in line]
        assert named.strip().startswith('n2["<b>a #34;b#34; (lambda at')
        assert named.endswith('Long<br/>typed · parallelism 2"]:::typed')
        assert "    n1 --> n2" in lines
        assert [line for line in lines if "|HASH|" in line] == ["    n2 -->|HASH| n4"]

    def test_a_logical_plan_has_no_tasks_and_no_paths(self, pairs: DataStream[Any]) -> None:
        text = pairs.explain("logical").to_mermaid()
        assert "subgraph" not in text
        assert text.count(":::undecided") == 2

    def test_a_loop_leads_back(self, env: StreamExecutionEnvironment) -> None:
        loop = env.from_collection([1], Types.LONG()).iterate()
        loop.close_with(loop.filter(lambda n: n < 0))
        assert loop.explain("logical").to_mermaid().count("-.->") == 1


class TestSvg:
    def test_a_box_per_operator_in_the_colour_of_its_path(self, env: StreamExecutionEnvironment) -> None:
        numbers = env.generate_sequence(1, 9)
        native = numbers.map(lambda n: n + 1, Types.LONG()).name("native")
        typed = native.map(lambda n: hash(n), Types.LONG()).name("typed")
        drawn = boxes(typed.map(lambda n: {n, str(n)}).name("pickled").explain().to_svg())
        fills = [rect.get("fill") for title, rect in drawn.items() if "lambda" in title]
        assert len(drawn) == 4
        assert len(set(fills)) == 3

    def test_tooltips_escape_text_and_hold_whole_types(self, env: StreamExecutionEnvironment) -> None:
        names = [f"field{i}" for i in range(30)]
        wide = Types.ROW_NAMED(names, [Types.LONG()] * 30)
        svg = env.from_collection([], wide).name("a < b").explain().to_svg()
        titles = [title.text or "" for title in ElementTree.fromstring(svg).iter(f"{SVG}title")]
        assert [title.splitlines()[:2] for title in titles] == [["Source: a < b", str(wide)]]

    def test_boxes_of_a_layer_do_not_overlap_and_inputs_stand_above(self) -> None:
        ids = range(1, 8)
        arrows = ((1, 4), (2, 4), (3, 5), (4, 6), (5, 6), (1, 6), (6, 7), (2, 7))
        diagram = Diagram(
            tuple(ExplainedOperator(id, f"b{id}", "Long", 2, "typed", None, "") for id in ids),
            tuple(Arrow(source, target, "") for source, target in arrows),
            (),
        )
        drawn = boxes(to_svg(diagram))
        places = {
            id: (float(rect.get("x", "")), float(rect.get("y", "")), float(rect.get("width", "")))
            for id, rect in zip(ids, (drawn[f"b{id}"] for id in ids), strict=True)
        }
        assert all(places[source][1] < places[target][1] for source, target in arrows)
        for a in ids:
            for b in range(a + 1, 8):
                (xa, ya, width), (xb, yb, _) = places[a], places[b]
                assert ya != yb or abs(xa - xb) >= width


class TestHtml:
    def test_a_stream_shows_itself_its_fields_and_its_graph(self, pairs: DataStream[Any]) -> None:
        html = pairs._repr_html_()
        assert "pairs &amp; &lt;tags&gt;" in html
        assert "<td>tags[]</td><td>String</td>" in html
        assert "<svg" in html
        assert "== physical plan for Spark ==" in html
        assert "<tags>" not in html

    def test_a_stream_that_cannot_be_planned_is_shown_all_the_same(self) -> None:
        strict = Configuration().set_string("pystream.strict-types", "true")
        stream = StreamExecutionEnvironment.get_execution_environment(strict).from_collection([1, "a"])
        assert "Source: Collection Source" in stream._repr_html_()
        assert "<svg" not in stream._repr_html_()

    def test_a_large_plan_is_not_drawn(self, env: StreamExecutionEnvironment) -> None:
        stream = env.from_collection([1], Types.LONG())
        for _ in range(100):
            stream = stream.map(lambda n: n, Types.LONG())
        assert "<svg" not in stream.explain()._repr_html_()
        assert boxes(stream.explain().to_svg())

    def test_a_type_shows_its_fields(self) -> None:
        assert Types.LONG()._repr_html_() == "<code>Long</code>"
        assert PAIR._repr_html_().count("<tr>") == 4
        assert "<td>id</td><td>Long</td><td>yes</td>" in PAIR._repr_html_()


def test_explain_shows_whole_types(env: StreamExecutionEnvironment) -> None:
    wide = Types.ROW_NAMED([f"field{i}" for i in range(30)], [Types.LONG()] * 30)
    assert str(wide) in env.from_collection([], wide).explain()
