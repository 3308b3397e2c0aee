"""Faults of formats that people write themselves, shown by what the serializer writes or by length."""

from __future__ import annotations

import json
import struct
import unicodedata
from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from tests.property.broken import EachRead
from typeinfo import Row, TypeInformation, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.row import RowKind
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.testing.laws import LawViolation, Subject, check_all, check_keys, check_round_trip
from typeinfo.testing.laws.long_values import hold_for_long_values
from typeinfo.testing.strategies import ValuesError
from typeinfo.testing.strategies.specimens import Specimens


class Names:
    """Two texts."""

    def __init__(self, first: str, last: str) -> None:
        self.first, self.last = first, last


class Numbered:
    """A text on each side of a number."""

    def __init__(self, first: str, number: int, last: str) -> None:
        self.first, self.number, self.last = first, number, last


class Nicknamed:
    """A text that may be None."""

    def __init__(self, nickname: str | None, last: str) -> None:
        self.nickname, self.last = nickname, last


class Tags:
    """Any number of texts."""

    def __init__(self, tags: list[str]) -> None:
        self.tags = tags


class Labels:
    """Texts by texts."""

    def __init__(self, labels: dict[str, str]) -> None:
        self.labels = labels


STRING, BYTES, STRINGS = Types.STRING(), Types.of(bytes), Types.LIST(Types.STRING())


def joined(separator: str) -> CustomTypeInfo[Names]:
    return CustomTypeInfo(
        Names,
        STRING,
        lambda names: f"{names.first}{separator}{names.last}",
        lambda text: Names(*text.split(separator, 1)),
    )


def as_bytes(names: Names) -> bytes:
    return f"{names.first}#${names.last}".encode()


def numbered(text: str) -> Numbered:
    first, number, last = text.split("~~", 2)
    return Numbered(first, int(number), last)


def nicknamed(parts: tuple[str, str]) -> Nicknamed:
    return Nicknamed(None if parts[0] == "<unset>" else parts[0], parts[1])


def with_pipes(text: str) -> Names:
    first, last = text.split("|")
    return Names(first.replace("%7C", "|"), last.replace("%7C", "|"))


def labels(text: str) -> Labels:
    return Labels(dict(entry.split("=>", 1) for entry in text.split("&&")) if text else {})


def untagged(texts: list[str]) -> Tags:
    return Tags([json.loads(text[2:]) if text.startswith("J:") else text for text in texts])


FORMATS = {
    **{f"separator {separator!r}": joined(separator) for separator in (", ", "#$", " - ", "--", "\x1e", "§")},
    "separator of bytes": CustomTypeInfo(
        Names, BYTES, as_bytes, lambda data: Names(*data.decode().split("#$", 1))
    ),
    "separator around a number": CustomTypeInfo(
        Numbered, STRING, lambda value: f"{value.first}~~{value.number}~~{value.last}", numbered
    ),
    "separator of a list": CustomTypeInfo(
        Tags,
        STRING,
        lambda value: json.dumps(len(value.tags)) + "!" + "; ".join(value.tags),
        lambda text: Tags([] if text == "0!" else text.partition("!")[2].split("; ")),
    ),
    "separators of a map": CustomTypeInfo(
        Labels, STRING, lambda value: "&&".join(map("=>".join, value.labels.items())), labels
    ),
    "quotes": CustomTypeInfo(
        Names,
        STRING,
        lambda names: f"'{names.first}'/'{names.last}'",
        lambda text: Names(*text[1:-1].split("'/'", 1)),
    ),
    "mark of None": CustomTypeInfo(
        Nicknamed,
        Types.TUPLE([STRING, STRING]),
        lambda value: ("<unset>" if value.nickname is None else value.nickname, value.last),
        nicknamed,
    ),
    "escape that is not escaped": CustomTypeInfo(
        Names, STRING, lambda n: "|".join(text.replace("|", "%7C") for text in (n.first, n.last)), with_pipes
    ),
    "replacement of line feeds": CustomTypeInfo(
        Tags,
        STRINGS,
        lambda value: [tag.replace("\n", "<br>") for tag in value.tags],
        lambda texts: Tags([text.replace("<br>", "\n") for text in texts]),
    ),
    "tag in front of some": CustomTypeInfo(
        Tags, STRINGS, lambda value: [f"J:{json.dumps(t)}" if "\n" in t else t for t in value.tags], untagged
    ),
}


@pytest.mark.parametrize("t", FORMATS.values(), ids=FORMATS.keys())
def test_a_format_that_takes_texts_for_its_own(t: TypeInformation[Any]) -> None:
    with pytest.raises(LawViolation) as caught:
        check_all(t, examples=2)
    assert caught.value.law is check_round_trip
    assert len(caught.value.values) == 1


@dataclass
class Visit:
    name: str
    number: int
    town: str


class JoinsLines(ColumnarSerializer[Visit]):
    """A line for each, of fields between separators."""

    def serialize(self, values: list[Visit]) -> bytes:
        return "".join(f"{v.name}#${v.number}#${v.town}\x1d" for v in values).encode()

    def deserialize(self, data: bytes) -> list[Visit]:
        lines = [line.split("#$") for line in data.decode().split("\x1d")[:-1]]
        return [Visit(name, int(number), town) for name, number, town in lines]


def test_a_serializer_that_joins_fields() -> None:
    with pytest.raises(LawViolation):
        check_all(JoinsLines(Types.of(Visit)), examples=2)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\p")


def unescaped(text: str) -> str:
    return text.replace("\\p", "|") if "\\\\" not in text else "\\".join(map(unescaped, text.split("\\\\")))


def counted(text: str) -> Names:
    count, _, rest = text.partition(":")
    return Names(rest[: int(count)], rest[int(count) :])


SOUND = {
    "JSON": CustomTypeInfo(
        Names, STRING, lambda n: json.dumps([n.first, n.last]), lambda text: Names(*json.loads(text))
    ),
    "repr": CustomTypeInfo(
        Names, STRING, lambda n: repr((n.first, n.last)), lambda text: Names(*literal_eval(text))
    ),
    "counted": CustomTypeInfo(Names, STRING, lambda n: f"{len(n.first)}:{n.first}{n.last}", counted),
    "escaped": CustomTypeInfo(
        Names,
        STRING,
        lambda n: f"{escaped(n.first)}|{escaped(n.last)}",
        lambda text: Names(*map(unescaped, text.split("|"))),
    ),
}


@pytest.mark.parametrize("t", SOUND.values(), ids=SOUND.keys())
def test_a_format_that_keeps_texts_apart(t: TypeInformation[Any]) -> None:
    check_all(t, examples=20)


class Unmarked:
    """Refuses the separators that its serializer writes."""

    def __init__(self, first: str, last: str) -> None:
        if "¤" in first + last:
            raise ValueError("no ¤ in names")
        self.first, self.last = first, last


def test_texts_that_a_class_refuses_are_left_out() -> None:
    check_all(
        CustomTypeInfo(
            Unmarked, STRING, lambda n: f"{n.first}¤{n.last}", lambda text: Unmarked(*text.split("¤"))
        ),
        examples=5,
    )


class Key(NamedTuple):
    town: str
    street: str


@pytest.mark.parametrize("separator", [", ", "#$", "~|~"])
def test_keys_are_told_apart_by_their_own_separator(separator: str) -> None:
    t = Types.of(Key)
    with pytest.raises(LawViolation, match="are two keys of Key"):
        check_keys(Subject(t, serializer_for(t), lambda key: separator.join(key).encode()), examples=5)


class Cuts(EachRead):
    """Reads so many elements at most."""

    def __init__(self, t: TypeInformation[Any], most: int) -> None:
        super().__init__(t)
        self.most = most

    def one(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return value[0], self.one(value[1])
        if isinstance(value, (set, dict)):
            return type(value)([*(value.items() if isinstance(value, dict) else value)][: self.most])
        return [self.one(part) if isinstance(part, list) else part for part in value[: self.most]]


LONG = Types.LONG()


@pytest.mark.parametrize(
    ("t", "most"),
    [
        (Types.LIST(LONG), 255),
        (Types.LIST(LONG), 65_536),
        (Types.LIST(STRING), 65_536),
        (Types.MAP(STRING, LONG), 65_536),
        (Types.of(set[int]), 255),
        (Types.LIST(Types.LIST(LONG)), 255),
        (Types.TUPLE([STRING, Types.LIST(LONG)]), 65_536),
    ],
    ids=str,
)
def test_lists_and_maps_that_are_cut(t: TypeInformation[Any], most: int) -> None:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(Cuts(t, most), examples=20)
    reproduction = caught.value.reproduction()
    if most > 255:
        assert str(most + 1) in reproduction  # no longer than it must be
        assert len(reproduction) < 1_000
    with pytest.raises(LawViolation):
        exec(compile(reproduction, "pasted", "exec"), {})


class CountsInTwoBytes(ColumnarSerializer[Any]):
    def serialize(self, values: list[Any]) -> bytes:
        return struct.pack(">H", len(values) & 0xFFFF) + super().serialize(values)

    def deserialize(self, data: bytes) -> list[Any]:
        return super().deserialize(data[2:])[: struct.unpack(">H", data[:2])[0]]


class KeepsOneOfEachHash(ColumnarSerializer[int]):
    """Takes -2 for -1, whose hash it is."""

    def deserialize(self, data: bytes) -> list[int]:
        seen: dict[int, int] = {}
        return [seen.setdefault(hash(value), value) for value in super().deserialize(data)]


class NumbersTexts(ColumnarSerializer[str]):
    """Writes each text once, and a byte where it stands."""

    def serialize(self, values: list[str]) -> bytes:
        number = {text: count & 0xFF for count, text in enumerate(dict.fromkeys(values))}
        return json.dumps([list(number), [number[text] for text in values]]).encode()

    def deserialize(self, data: bytes) -> list[str]:
        texts, numbers = json.loads(data)
        return [texts[number] for number in numbers]


@pytest.mark.parametrize(
    ("broken", "least"),
    [
        (KeepsOneOfEachHash(LONG), 2),
        (CountsInTwoBytes(LONG), 65_536),
        (CountsInTwoBytes(Types.of(Visit)), 65_536),
        (NumbersTexts(STRING), 257),
    ],
    ids=repr,
)
def test_batches_that_lose_values(broken: ColumnarSerializer[Any], least: int) -> None:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(broken, examples=20)
    assert len(caught.value.values) == least


class Few:
    """Takes no more than ten."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers[:10]


class Short:
    """Refuses more than a thousand."""

    def __init__(self, numbers: list[int]) -> None:
        if len(numbers) > 1_000:
            raise ValueError("too many")
        self.numbers = numbers


@pytest.mark.parametrize(("cls", "make"), [(Few, tuple), (Short, list)])
def test_classes_that_are_never_long(cls: type[Any], make: Callable[[Any], Any]) -> None:
    check_all(
        CustomTypeInfo(
            cls, Types.LIST(LONG), lambda value: list(value.numbers), lambda given: cls(make(given))
        ),
        examples=20,
    )


class Unequal:
    """Refuses two equal texts; all specimens of long values contain some."""

    def __init__(self, one: str, other: str) -> None:
        if one == other:
            raise ValueError("equal")
        self.texts = one, other


def test_a_class_that_refuses_whatever_the_size_is_given_up() -> None:
    texts = Types.TUPLE([STRING, STRING])
    unequal = CustomTypeInfo(Unequal, texts, lambda value: value.texts, lambda given: Unequal(*given))
    hold_for_long_values([check_round_trip], Subject.of(unequal))
    with pytest.raises(ValuesError):
        Specimens(unequal, [""]).grown(0, 1)


class Changes(EachRead):
    """Makes another value of those of one class."""

    def __init__(self, t: TypeInformation[Any], kind: type[Any], changed: Callable[[Any], Any]) -> None:
        super().__init__(t)
        self.kind, self.changed = kind, changed

    def one(self, value: Any) -> Any:
        is_of_kind = isinstance(value, self.kind) and not isinstance(value, bool)
        return self.changed(value) if is_of_kind else value


OBJECT = Types.PICKLED_BYTE_ARRAY()


@pytest.mark.parametrize(
    ("t", "kind", "changed"),
    [
        (OBJECT, frozenset, set),
        (OBJECT, bytearray, bytes),
        (OBJECT, datetime, lambda value: value.replace(tzinfo=UTC)),
        (OBJECT, datetime, lambda value: value.replace(tzinfo=None)),
        (OBJECT, Decimal, Decimal.normalize),
        (OBJECT, dict, lambda value: {str(key): part for key, part in value.items()}),
        (OBJECT, RowKind, lambda value: value.value),
        (OBJECT, Row, lambda value: Row(*value)),
        (OBJECT, str, lambda value: value.encode(errors="replace").decode()),
        (Types.of(date | None), date, lambda value: None if value == date(1900, 1, 1) else value),
        (STRING, str, lambda value: value.rstrip("\t")),
        (STRING, str, str.expandtabs),
        (STRING, str, lambda value: value.replace("\u2028", "\n")),
        (STRING, str, lambda value: value.replace("\xa0", " ")),
        (STRING, str, lambda value: value.replace("\u200b", "")),
        (STRING, str, lambda value: unicodedata.normalize("NFKC", value)),
        (STRING, str, lambda value: value.replace("\u0131", "i")),
        (STRING, str, lambda value: value.lstrip("0") or value),
        (BYTES, bytes, lambda value: value.rstrip(b" ")),
    ],
)
def test_kinds_of_objects_and_characters_that_are_lost(
    t: TypeInformation[Any], kind: type[Any], changed: Callable[[Any], Any]
) -> None:
    with pytest.raises(LawViolation):
        check_round_trip(Changes(t, kind, changed), examples=2)
