"""Texts that a serializer may mistake for its own separators, marks of None and escapes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle

from typeinfo.basic import TRICKY_TEXTS
from typeinfo.testing.laws.subject import Subject
from typeinfo.testing.strategies.specimens import Specimens

__all__ = ["MARKS", "MARK", "written_texts"]

MARKS = tuple(f"Kq{number}z" for number in range(8))
"""Texts that no format knows."""
MARK = re.compile(rb"Kq\dz")
_RUN = re.compile(r"[^\x00-\x1f\x7f\ufffd]+")
_MOST, _LONGEST = 60, 40


def written_texts(subject: Subject) -> list[str]:
    """Return the texts that a serializer adds to known texts.

    Text between two of them may be a separator, text in the place of one a mark of None, and text that
    replaces a special character between two an escape.
    """
    found = _most_common(subject, MARKS)
    special = [*found, *TRICKY_TEXTS]
    wrapped = [f"{mark}{text}{mark}" for mark, text in zip(cycle(MARKS), special)]
    return list(dict.fromkeys([*found, *_most_common(subject, wrapped, special)])) if found else []


def _most_common(subject: Subject, texts: Sequence[str], known: Sequence[str] = ()) -> list[str]:
    """Return the most common pieces between texts, without the known ones."""
    found: Counter[str] = Counter()
    for data in _written(subject, texts):
        for piece in MARK.split(data):
            found.update(text for text in _texts(piece) if text not in known)
    return [text for text, _ in found.most_common(_MOST)]


def _written(subject: Subject, texts: Sequence[str]) -> Iterator[bytes]:
    """Yield the bytes of values that hold texts, those in the columns of batches among them."""
    specimens = Specimens(subject.type, texts)
    serializer = subject.fresh().serializer
    for number in range(specimens.count):
        with suppress(Exception):  # what cannot be made or written tells nothing here
            values = serializer.conform([specimens.made(number)[0]])
            columns = serializer.to_batch(values, conformed=True).columns
            buffers = [buffer for column in columns for buffer in column.buffers() if buffer is not None]
            yield bytes(serializer.serialize(values))
            yield from (buffer.to_pybytes() for buffer in buffers)


def _texts(piece: bytes) -> Iterator[str]:
    """Yield a piece as text, and the runs of printable characters in it."""
    text = piece.decode("utf-8", "replace")
    runs = _RUN.findall(text)
    whole = [] if "\ufffd" in text else [text]
    yield from (part for part in dict.fromkeys([*whole, *runs]) if 0 < len(part) <= _LONGEST)
