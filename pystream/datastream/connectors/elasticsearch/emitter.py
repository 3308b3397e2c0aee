"""ElasticsearchEmitter: how documents are made of elements."""

from __future__ import annotations

from typing import ClassVar

from pystream.arguments.checks import require
from pystream.engine.connectors.elasticsearch.actions import DocumentFormat
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments

__all__ = ["ElasticsearchEmitter"]


@checks_arguments(ArgumentTypeError)
class ElasticsearchEmitter:
    """Make a document of each element: of a map, or of a row, tuple or record with its fields by name.

    Values are written as ``JsonRowSerializationSchema`` writes them. An element for which a key field is
    given is an upsert: it sets the fields of the document with this id, and creates the document if there is
    none. A ``Row`` of kind ``DELETE`` or ``UPDATE_BEFORE`` deletes it. Without key field, each element is a
    new document, whose id the server chooses; it is written again when an epoch is repeated.

    Made by `static_index` or `dynamic_index`.
    Mirrors ``org.apache.flink.connector.elasticsearch.sink.ElasticsearchEmitter``.
    """

    _example: ClassVar[str] = "ElasticsearchEmitter.static_index('orders')"

    def __init__(self, format: DocumentFormat) -> None:
        self._format = format

    @staticmethod
    def static_index(
        index: str, key_field: str | None = None, doc_type: str | None = None
    ) -> ElasticsearchEmitter:
        """Write to one index.

        Args:
            index: its name.
            key_field: the field whose text is the id of the document; it must not be null.
            doc_type: the type of the documents, which only Elasticsearch 6 and 7 know.

        Raises:
            PlanTypeError: an argument is not a str.
        """
        return ElasticsearchEmitter(_format("static_index", index, False, key_field, doc_type))

    @staticmethod
    def dynamic_index(
        index_field: str, key_field: str | None = None, doc_type: str | None = None
    ) -> ElasticsearchEmitter:
        """Write each element to the index that it names.

        Args:
            index_field: the field that has the name of the index; it must not be null.
            key_field: the field whose text is the id of the document; it must not be null.
            doc_type: the type of the documents, which only Elasticsearch 6 and 7 know.

        Raises:
            PlanTypeError: an argument is not a str.
        """
        return ElasticsearchEmitter(_format("dynamic_index", index_field, True, key_field, doc_type))


def _format(
    call: str, index: str, is_dynamic: bool, key_field: str | None, doc_type: str | None
) -> DocumentFormat:
    if not index:
        named = "a field" if is_dynamic else "an index"
        raise ConfigurationError(f"{call}: index is empty; give the name of {named}")
    for value in (index, key_field, doc_type):
        require(value, (str, type(None)) if value is not index else str, call, "texts")
    return DocumentFormat(index, is_dynamic, () if key_field is None else (key_field,), doc_type=doc_type)
