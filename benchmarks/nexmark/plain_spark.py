"""The queries in Spark's own SQL, over tables and, where Spark can, over streams."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from benchmarks.nexmark import sql
from benchmarks.nexmark.files import EVENTS, SIDE_INPUT
from benchmarks.suite.runner import LeftOutError

_EVENTS = """
    event_type INT,
    person STRUCT<
        id: BIGINT, name: STRING, email_address: STRING, credit_card: STRING, city: STRING, state: STRING,
        date_time: TIMESTAMP, extra: STRING>,
    auction STRUCT<
        id: BIGINT, item_name: STRING, description: STRING, initial_bid: BIGINT, reserve: BIGINT,
        date_time: TIMESTAMP, expires: TIMESTAMP, seller: BIGINT, category: BIGINT, extra: STRING>,
    bid STRUCT<
        auction: BIGINT, bidder: BIGINT, price: BIGINT, channel: STRING, url: STRING,
        date_time: TIMESTAMP, extra: STRING>
"""
_KINDS = ("person", "auction", "bid")
_PAIRS = "`key` BIGINT, `value` STRING"

# Where Spark's SQL differs from Flink's.
_OWN = {
    "q5": """
        WITH counts AS (
            SELECT auction, COUNT(*) AS num, window(date_time, '10 seconds', '2 seconds') AS w
            FROM bid GROUP BY auction, window(date_time, '10 seconds', '2 seconds'))
        SELECT c.auction, c.num FROM counts c
        JOIN (SELECT MAX(num) AS most, w FROM counts GROUP BY w) m ON c.w = m.w AND c.num = m.most
    """,
    "q7": """
        SELECT b.auction, b.price, b.bidder, b.date_time, b.extra
        FROM bid b JOIN (
            SELECT MAX(price) AS most, window(date_time, '10 seconds') AS w
            FROM bid GROUP BY window(date_time, '10 seconds')) m
        ON b.price = m.most AND b.date_time >= m.w.start AND b.date_time < m.w.end
    """,
    "q8": """
        SELECT p.id, p.name, p.w.start AS stime
        FROM (
            SELECT id, name, window(date_time, '10 seconds') AS w
            FROM person GROUP BY id, name, window(date_time, '10 seconds')) p
        JOIN (
            SELECT seller, window(date_time, '10 seconds') AS w
            FROM auction GROUP BY seller, window(date_time, '10 seconds')) a
        ON p.id = a.seller AND p.w = a.w
    """,
    "q11": """
        SELECT bidder, COUNT(*) AS bid_count, session_window.start AS starttime, session_window.end AS endtime
        FROM bid GROUP BY bidder, session_window(date_time, '10 seconds')
    """,
    "q14": sql.QUERIES["q14"].replace(
        "count_char(extra, 'c')", "LENGTH(extra) - LENGTH(REPLACE(extra, 'c', ''))"
    ),
    "q21": sql.QUERIES["q21"].replace("IS NOT NULL", "<> ''"),
    "q22": """
        SELECT auction, bidder, price, channel,
            SPLIT_PART(url, '/', 4) AS dir1, SPLIT_PART(url, '/', 5) AS dir2, SPLIT_PART(url, '/', 6) AS dir3
        FROM bid
    """,
}
_QUERIES = {name: text for name, text in (sql.QUERIES | _OWN).items() if name != "q12"}

_MODES = {
    **dict.fromkeys(("q0", "q1", "q2", "q10", "q13", "q14", "q21", "q22", "q3", "q20"), "append"),
    **dict.fromkeys(("q11", "q17"), "update"),
}
"""The output modes of the queries that Spark can run over streams."""


def query(session: SparkSession, name: str, directory: Path) -> DataFrame:
    """Return the results of a query over tables.

    Raises:
        LeftOutError: Spark has no such query.
    """
    if name not in _QUERIES:
        raise LeftOutError("Spark has no windows of processing time over tables")
    _create_views(session, session.read.schema(_EVENTS).json(str(directory / EVENTS)), directory)
    return session.sql(_QUERIES[name])


def run_stream(session: SparkSession, name: str, directory: Path, checkpoint: str) -> None:
    """Run a query over a stream of the files to its end.

    Raises:
        LeftOutError: Spark cannot run it.
    """
    if name not in _MODES:
        raise LeftOutError("Spark cannot run the query over streams")
    _create_views(session, session.readStream.schema(_EVENTS).json(str(directory / EVENTS)), directory)
    session.conf.set("spark.sql.shuffle.partitions", "2")  # each has a store of state
    writer = session.sql(_QUERIES[name]).writeStream.format("noop").outputMode(_MODES[name])
    writer = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    try:
        writer.start().awaitTermination()
    finally:
        session.conf.unset("spark.sql.shuffle.partitions")


def _create_views(session: SparkSession, events: DataFrame, directory: Path) -> None:
    for number, kind in enumerate(_KINDS):
        frame = events.where(F.col("event_type") == number).select(f"{kind}.*")
        if frame.isStreaming:
            frame = frame.withWatermark("date_time", "4 seconds")
        frame.createOrReplaceTempView(kind)
    pairs = session.read.schema(_PAIRS).csv(str(directory / SIDE_INPUT))
    pairs.createOrReplaceTempView("side_input")
