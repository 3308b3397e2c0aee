"""Tables that are only written to: standard output, and nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.datastream.connectors.base import Sink
from pystream.datastream.functions import MapFunction, RuntimeContext
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.connectors.dropping import DroppingOutput
from pystream.settings.config_values import STRING
from pystream.table.connectors.base import Connector
from pystream.table.connectors.options import POSITIVE, Option
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["BlackHole", "Print"]


class Print(Connector):
    """Print each row to the program's standard output, as ``+I[1, a, null]`` on a line.

    A line starts with ``identifier:subtask> ``, as that of ``DataStream.print`` does.
    Mirrors Flink's connector ``print``.
    """

    name = "print"
    takes_updates = True
    options: ClassVar[Mapping[str, Option]] = {
        "print-identifier": Option(STRING),
        "sink.parallelism": Option(POSITIVE),
    }

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Print the text of each row."""
        own = rows.get_parallelism()
        texts = rows.map(_RowText(rows._type), Types.STRING()).set_parallelism(own)
        sink = texts.print(self.values["print-identifier"])
        return sink.set_parallelism(self.values["sink.parallelism"] or own)


class _RowText(MapFunction[Any, str]):
    """Format rows as text."""

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        self._type = type_info

    def open(self, runtime_context: RuntimeContext) -> None:
        from typeinfo.text import text_of  # it takes the columns of Arrow

        self._text = text_of(self._type, "encoder")

    def map(self, value: Any) -> str:
        return self._text(value)


class BlackHole(Connector):
    """Read all rows and drop them.

    Mirrors Flink's connector ``blackhole``.
    """

    name = "blackhole"
    takes_updates = True

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Drop the rows."""
        return rows.sink_to(_Dropping())


class _Dropping(Sink[Any]):
    def bind(self, type_info: TypeInformation[Any]) -> DroppingOutput:
        return DroppingOutput()
