"""Tables of generated rows."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.data_generator import DataGeneratorSource
from pystream.datastream.connectors.rate_limiter import RateLimiterStrategy
from pystream.datastream.functions import MapFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ConfigurationError
from pystream.settings.config_values import DOUBLE, DURATION, LONG, named
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.generators import Generator, random_values, sequence
from pystream.table.connectors.options import POSITIVE, Option
from typeinfo.row import Row, make_row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment

__all__ = ["DataGenerator"]

_OF_COLUMN = "fields.#."


class DataGenerator(Connector):
    """Generate rows: of each column a sequence, or random values of its type.

    The table is unbounded unless ``number-of-rows`` is given, or a column is a sequence, at whose end the
    table ends, too. A job that is repeated after a failure generates the same values again, except for
    times, which are those of the clock. Mirrors Flink's connector ``datagen``.
    """

    name = "datagen"
    options: ClassVar[Mapping[str, Option]] = {
        "number-of-rows": Option(POSITIVE),
        "rows-per-second": Option(POSITIVE, default=10_000),
        "scan.parallelism": Option(POSITIVE),
        f"{_OF_COLUMN}kind": Option(named("random", "sequence"), default="random"),
        f"{_OF_COLUMN}start": Option(LONG),
        f"{_OF_COLUMN}end": Option(LONG),
        f"{_OF_COLUMN}min": Option(DOUBLE),
        f"{_OF_COLUMN}max": Option(DOUBLE),
        f"{_OF_COLUMN}length": Option(POSITIVE),
        f"{_OF_COLUMN}max-past": Option(DURATION),
        f"{_OF_COLUMN}null-rate": Option(DOUBLE, default=0.0),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._counts = [] if values["number-of-rows"] is None else [values["number-of-rows"]]
        self._generators = [self._generator(column) for column in table.columns]

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the generated rows."""
        source = DataGeneratorSource(
            _Rows(self._generators, self.table.row_type.get_field_names(), secrets.randbits(63)),
            min(self._counts, default=DataGeneratorSource.UNBOUNDED),
            RateLimiterStrategy.per_second(self.values["rows-per-second"]),
            type_info=self.table.read_type,
        )
        stream = environment.from_source(source, WatermarkStrategy.no_watermarks(), self.table.path)
        parallelism = self.values["scan.parallelism"]
        return stream if parallelism is None else stream.set_parallelism(parallelism)

    def _generator(self, column: TableColumn) -> Generator:
        names = (key.removeprefix(_OF_COLUMN) for key in self.options if key.startswith(_OF_COLUMN))
        options = {name: self.values[f"fields.{column.name}.{name}"] for name in names}
        owner = f"table {self.table.path!r}, column {column.name!r}"
        start, end = options["start"], options["end"]
        if options["kind"].lower() == "random":
            if start is not None or end is not None:
                raise ConfigurationError(f"{owner}: start and end need the kind sequence")
            return random_values(column.data_type, options, owner)
        if start is None or end is None or start > end:
            raise ConfigurationError(f"{owner}: a sequence needs a start and an end that is not less")
        self._counts.append(end - start + 1)
        return sequence(column.data_type, start, owner)


class _Rows(MapFunction[int, Any]):
    """Generate the row of an index."""

    def __init__(self, generators: Sequence[Generator], names: Sequence[str], seed: int) -> None:
        self._generators = generators
        self._names = tuple(names)
        self._seed = seed

    def map(self, value: int) -> Row[Any]:
        random = Random(self._seed << 64 | value)
        return make_row([generate(random, value) for generate in self._generators], self._names)
