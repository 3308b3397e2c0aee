"""Output tags pair themselves with values, and main results are independent of side outputs."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.common import Types
from pystream.datastream import OutputTag, ProcessFunction, SideOutput
from pystream.testing import ProcessFunctionTestHarnesses
from typeinfo.functions import result_type

WORDS = OutputTag("words", Types.STRING())


class Split(ProcessFunction[str, int]):
    def process_element(self, value: str, ctx: ProcessFunction.Context) -> Iterator[int | SideOutput[str]]:
        yield int(value) if value.isdigit() else WORDS.of(value)


def test_a_tag_sends_its_value_to_the_side_output() -> None:
    with ProcessFunctionTestHarnesses.for_process_function(Split()) as harness:
        harness.process_elements(["1", "a"])
        assert harness.extract_output_values() == [1]
        assert harness.get_side_output(WORDS) == ["a"]


def test_side_outputs_in_the_annotation_leave_the_result_to_the_class() -> None:
    inferred = result_type(Split(), "process_element", base=ProcessFunction, unwrap_iterable=True)
    assert inferred.type == Types.LONG()
