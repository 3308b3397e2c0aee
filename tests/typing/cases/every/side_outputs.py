"""Side outputs: values and stream of a tag have its type."""

from collections.abc import Iterator
from typing import Any, assert_type

from pystream.common import Types
from pystream.datastream import DataStream, OutputTag, ProcessFunction, SideOutput

TEXT = OutputTag("text", Types.STRING())


class Split(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int | SideOutput[str]]:
        yield TEXT.of(str(value))
        yield TEXT, str(value)
        yield value


class Loose(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int | SideOutput]:
        yield TEXT.of(str(value))
        yield OutputTag("number", Types.INT()).of(value)


def tags() -> None:
    assert_type(TEXT, OutputTag[str])
    assert_type(OutputTag("any"), OutputTag[Any])
    assert_type(OutputTag("pair", Types.TUPLE(Types.INT(), Types.STRING())), OutputTag[tuple[int, str]])


def split(numbers: DataStream[int]) -> None:
    assert_type(numbers.process(Split()), DataStream[int])
    assert_type(numbers.process(Loose()).get_side_output(TEXT), DataStream[str])


def value_of_another_type() -> None:
    TEXT.of(3)  # E: Argument 1 to "of" of "OutputTag" has incompatible type "int"; expected "str"


def tag_of_a_class() -> None:
    OutputTag("text", str)  # E: "type[str]"; expected "TypeInformation[


def tag_without_a_name() -> None:
    OutputTag(Types.STRING())  # E: expected "str"


def side_output_by_a_name(numbers: DataStream[int]) -> None:
    numbers.process(Split()).get_side_output("text")  # E: "str"; expected "OutputTag[


def side_output_is_of_the_tags_type(numbers: DataStream[int]) -> None:
    side = numbers.process(Split()).get_side_output(TEXT)
    side.map(lambda text: text + 1)  # E: Unsupported operand types for + ("str" and "int")


def tags_of_two_types(tag: OutputTag[int]) -> None:
    other: OutputTag[str] = tag  # E: expression has type "OutputTag[int]", variable has type "OutputTag[str]"
    other.of("a")


class OtherSide(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int | SideOutput[str]]:
        # E: actual type "tuple[OutputTag[str], int]", expected type "int | tuple[OutputTag[str], str]"
        yield (TEXT, value)


class UndeclaredSide(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield TEXT.of("a")  # E: actual type "tuple[OutputTag[str], str]", expected type "int"


class OtherMain(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int | SideOutput[str]]:
        yield str(value)  # E: actual type "str", expected type "int | tuple[OutputTag[str], str]"
