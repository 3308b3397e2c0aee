"""Bulk actions: what a sink asks the server to do for each element."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from typing import Any, NamedTuple

from pystream.engine.failure import ElementFailure, element_failures
from pystream.engine.formats.fields import MISSING, opener_of
from pystream.engine.formats.json_writer import JsonWriter
from pystream.errors import ConfigurationError, SinkError
from typeinfo.collection import MapTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import PyStreamError, UnsupportedTypeError
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind

__all__ = ["Action", "ActionFactory", "DocumentFormat"]

_REMOVING = frozenset({RowKind.UPDATE_BEFORE, RowKind.DELETE})


class Action(NamedTuple):
    """An action of a bulk request.

    Attributes:
        element: the element that it is for.
        document: the index and the id of the document; the latter is ``None`` if the server chooses it.
        lines: the action and its document, each on a line.
    """

    element: Any
    document: tuple[str, str | None]
    lines: bytes


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """Where the documents of elements go.

    Attributes:
        index: the name of the index, or of the field that has it.
        is_dynamic: whether ``index`` names a field.
        key_fields: the fields whose text is the id of the document; empty if the server chooses the ids.
        key_delimiter: between the texts of several fields.
        doc_type: the type of the documents, which only Elasticsearch 6 and 7 know.
    """

    index: str
    is_dynamic: bool = False
    key_fields: tuple[str, ...] = ()
    key_delimiter: str = "_"
    doc_type: str | None = None

    def check(self, t: TypeInformation[Any]) -> None:
        """Check that elements of a type have the fields, and a form in JSON.

        Raises:
            UnsupportedTypeError: they are not maps, rows, tuples or records, or JSON has no such values.
            ConfigurationError: they have no such field.
        """
        ActionFactory(self, t)


class ActionFactory:
    """Make actions for the elements of a type.

    Args:
        format: where the documents go.
        t: the type.

    Raises:
        UnsupportedTypeError: it is not the type of maps, rows, tuples or records, or JSON has no such values.
        ConfigurationError: elements have no such field.
    """

    def __init__(self, format: DocumentFormat, t: TypeInformation[Any]) -> None:
        from typeinfo.serde import serializer_for

        if not isinstance(t, (FieldsTypeInfo, MapTypeInfo)):
            raise UnsupportedTypeError(
                f"a document is made of a map, row, tuple or record, not of an element of type {t}; "
                "give the operator before the sink such an output_type"
            )
        self._format = format
        self._document = JsonWriter(t)
        self._serializer = serializer_for(t)
        self._index = _text_of_field(t, format.index) if format.is_dynamic else None
        self._keys = [_text_of_field(t, field) for field in format.key_fields]

    def actions(self, elements: Sequence[Any]) -> Iterator[Action]:
        """Yield the action of each element, in order.

        Raises:
            ElementFailure: one does not fit its type, or has a null for its index or in its id.
        """
        with element_failures(elements):
            rows = self._serializer.conform(list(elements))
        for element, conformed in zip(elements, rows, strict=True):
            try:
                yield self._action(element, conformed)
            except PyStreamError as error:
                raise ElementFailure(element) from error

    def _action(self, element: Any, conformed: Any) -> Action:
        index = self._format.index if self._index is None else self._index(conformed)
        id = self._format.key_delimiter.join(key(conformed) for key in self._keys) if self._keys else None
        target = {"_index": index}
        if self._format.doc_type is not None:
            target["_type"] = self._format.doc_type
        if id is not None:
            target["_id"] = id
        if isinstance(element, Row) and element.get_row_kind() in _REMOVING:
            if id is None:
                raise SinkError(
                    f"a row of kind {element.get_row_kind()} cannot be written without a key field"
                )
            return Action(element, (index, id), _line({"delete": target}))
        document = self._document(element)
        if id is None:
            return Action(element, (index, id), _line({"index": target}) + document + b"\n")
        body = b'{"doc":' + document + b',"doc_as_upsert":true}\n'
        return Action(element, (index, id), _line({"update": target}) + body)


def _line(action: dict[str, dict[str, str]]) -> bytes:
    return json.dumps(action, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _text_of_field(t: FieldsTypeInfo[Any] | MapTypeInfo[Any, Any], name: str) -> Callable[[Any], str]:
    """Return a function that returns the text of a field, as Java writes it."""
    from typeinfo.text import text_of

    value_of: Callable[[Any], Any]
    if isinstance(t, MapTypeInfo):
        value_type = t.slots()[1].type
        value_of = methodcaller("get", name)
    else:
        names = t.get_field_names()
        if name not in names:
            raise ConfigurationError(f"elements have no field {name!r}; they have {', '.join(names)}")
        position = names.index(name)
        value_type = t.slots()[position].type
        value_of = partial(_field, opener_of(t), position)
    if isinstance(value_type, OptionalTypeInfo):
        value_type = value_type.value_type
    return partial(_text, text_of(value_type, "encoder"), value_of, name)


def _field(open_element: Callable[[Any], Sequence[Any]], position: int, element: Any) -> Any:
    return open_element(element)[position]


def _text(text: Callable[[Any], str], value_of: Callable[[Any], Any], name: str, element: Any) -> str:
    value = value_of(element)
    if value is None or value is MISSING:
        raise SinkError(f"field {name!r} is missing or null, but the index or the id is made of it")
    return text(value)
