"""However a text is cut, its lines come out once and in order."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lines import lines_of, texts_of
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.connectors.text_files import TextLineReader

TEXTS = st.text(st.sampled_from("ab\n\n\r\r\x0b\x0c\x1c\x85\u2028é😀"), max_size=40)
CHARSETS = st.sampled_from(["UTF-8", "UTF-16", "UTF-16LE", "UTF-32", "GB18030", "UTF-8-SIG"])


def python_lines(text: str) -> list[str]:
    """Python's universal newlines end lines exactly where Java's BufferedReader does."""
    lines = io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True).split("\n")
    return lines if lines[-1] else lines[:-1]


def pieces(whole: Any, cuts: list[int]) -> list[Any]:
    bounds = [0, *sorted(cut % (len(whole) + 1) for cut in cuts), len(whole)]
    return [whole[start:end] for start, end in pairwise(bounds)]


@given(TEXTS, st.lists(st.integers(0, 100), max_size=6))
def test_lines_do_not_depend_on_where_the_text_is_cut(text: str, cuts: list[int]) -> None:
    assert [line for batch in lines_of(pieces(text, cuts)) for line in batch] == python_lines(text)


@given(TEXTS, CHARSETS, st.lists(st.integers(0, 200), max_size=6))
def test_text_does_not_depend_on_where_the_bytes_are_cut(text: str, charset: str, cuts: list[int]) -> None:
    assert "".join(texts_of(pieces(text.encode(charset), cuts), charset)) == text


@given(TEXTS, st.sampled_from(["UTF-8", "GB18030"]), st.lists(st.integers(0, 200), max_size=6))
def test_byte_ranges_that_cover_a_file_have_each_line_once(text: str, charset: str, cuts: list[int]) -> None:
    content = text.encode(charset)
    reader = TextLineReader(charset)
    file = InputFile("/", "/f.txt", len(content))
    bounds = [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    stream: Any = io.BytesIO(content)
    lines = [
        line
        for start, end in pairwise(bounds)
        for batch in reader.read(stream, FileSplit(0, start, end, file))
        for line in batch
    ]
    assert lines == python_lines(text)
