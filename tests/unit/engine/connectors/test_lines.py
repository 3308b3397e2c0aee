"""Where lines end, and what cannot be decoded."""

from __future__ import annotations

import io

import pytest

from pystream.engine.connectors.lines import (
    LINE_BATCH,
    UndecodableBytes,
    ends_lines_with_ascii,
    lines_of,
    next_line_start,
    texts_of,
)


def lines(*texts: str) -> list[str]:
    return [line for batch in lines_of(texts) for line in batch]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("a\n\nb", ["a", "", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("a\r", ["a"]),
        ("\r", [""]),
        ("a\r\r\nb", ["a", "", "b"]),
        ("a\n\rb", ["a", "", "b"]),
        # As Flink 2.3 reads it.
        (
            "one\r\ntwo\rthree\n\nfour\x0bfive\u2028six\x0cseven\x85eight\r\r\nlast",
            ["one", "two", "three", "", "four\x0bfive\u2028six\x0cseven\x85eight", "", "last"],
        ),
        ("a\x1c\x1d\x1e\u2029b", ["a\x1c\x1d\x1e\u2029b"]),
    ],
)
def test_a_line_ends_with_lf_crlf_or_cr_and_nothing_else(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


def test_a_line_end_may_lie_between_two_texts() -> None:
    assert lines("a\r", "\nb", "c", "\r", "d\r", "\r", "\n") == ["a", "bc", "d", ""]


def test_lists_of_lines_are_bounded() -> None:
    batches = list(lines_of(["\n" * (2 * LINE_BATCH + 1)]))
    assert [len(batch) for batch in batches] == [LINE_BATCH, LINE_BATCH, 1]


@pytest.mark.parametrize(
    ("offset", "start"),
    [(0, 0), (1, 4), (3, 4), (4, 4), (5, 6), (6, 6), (7, 8), (8, 8), (9, 11), (11, 11), (99, 11)],
)
def test_a_range_owns_the_lines_that_start_in_it(offset: int, start: int) -> None:
    content = b"ab\r\nc\nd\rxy"
    assert next_line_start(io.BytesIO(content), offset, len(content)) == min(start, len(content))


def test_a_carriage_return_at_the_end_of_what_is_scanned_at_once_keeps_its_line_feed() -> None:
    content = b"x" * (64 * 1024) + b"\r\n" + b"y"
    assert next_line_start(io.BytesIO(content), 2, len(content)) == len(content) - 1


@pytest.mark.parametrize(
    "charset", ["UTF-8", "ISO-8859-1", "US-ASCII", "windows-1252", "GB18030", "Shift_JIS", "Big5"]
)
def test_line_ends_are_found_from_the_middle_in_most_charsets(charset: str) -> None:
    assert ends_lines_with_ascii(charset)


@pytest.mark.parametrize(
    "charset", ["UTF-16", "UTF-16LE", "UTF-32", "UTF-7", "ISO-2022-JP", "HZ", "UTF-8-SIG", "cp037"]
)
def test_line_ends_are_not_looked_for_in_others(charset: str) -> None:
    assert not ends_lines_with_ascii(charset)


@pytest.mark.parametrize("charset", ["UTF-8", "UTF-16", "UTF-16LE", "UTF-32BE", "GB18030", "UTF-7"])
def test_a_character_may_lie_between_two_blocks(charset: str) -> None:
    content = "äöü😀x\n".encode(charset)
    assert "".join(texts_of([bytes([byte]) for byte in content], charset)) == "äöü😀x\n"


def test_utf_16_without_a_mark_is_big_endian_as_in_java() -> None:
    assert "".join(texts_of(["hi".encode("utf-16-be")], "UTF-16")) == "hi"
    assert "".join(texts_of(["hi".encode("utf-32-be")], "UTF-32")) == "hi"


def test_a_mark_in_utf_8_stays_as_in_flink() -> None:
    assert "".join(texts_of([b"\xef\xbb\xbfx"], "UTF-8")) == "\ufeffx"


@pytest.mark.parametrize(
    ("blocks", "charset", "offset", "line_ends"),
    [
        ([b"ok\nb\xffd\n"], "UTF-8", 4, 1),
        ([b"ok\nb\xe2", b"\x82", b"xd\n"], "UTF-8", 4, 1),
        ([b"a\r\nb\rc", b"\r\n", b"\xff"], "UTF-8", 8, 3),
        ([b"a\n\xe2\x82"], "UTF-8", 2, 1),
        ([b"\xfe\xff\x00a\x00\n\x00"], "UTF-16", 6, 1),
        ([b"a\n\x81"], "windows-1252", 2, 1),
        ([b"\x80"], "US-ASCII", 0, 0),
    ],
)
def test_bytes_that_are_no_text_are_reported_with_their_place(
    blocks: list[bytes], charset: str, offset: int, line_ends: int
) -> None:
    with pytest.raises(UndecodableBytes) as caught:
        list(texts_of(blocks, charset))
    assert (caught.value.offset, caught.value.lines) == (offset, line_ends)
