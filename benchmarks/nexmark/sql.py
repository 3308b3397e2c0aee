"""The queries in Flink's SQL, and the tables that they read."""

from __future__ import annotations

from pathlib import Path

from benchmarks.nexmark.files import EVENTS, SIDE_INPUT
from benchmarks.nexmark.generator import SIDE_INPUT_KEYS

_EVENTS = """
CREATE TABLE events (
    event_type INT,
    person ROW<
        id BIGINT, name STRING, email_address STRING, credit_card STRING, city STRING, state STRING,
        date_time TIMESTAMP(3), extra STRING>,
    auction ROW<
        id BIGINT, item_name STRING, description STRING, initial_bid BIGINT, reserve BIGINT,
        date_time TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING>,
    bid ROW<
        auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING,
        date_time TIMESTAMP(3), extra STRING>,
    date_time AS CASE event_type
        WHEN 0 THEN person.date_time WHEN 1 THEN auction.date_time ELSE bid.date_time END,
    WATERMARK FOR date_time AS date_time - INTERVAL '4' SECOND
) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'json'{options})
"""
_PERSONS = """
CREATE VIEW person AS
SELECT person.id, person.name, person.email_address, person.credit_card, person.city, person.state,
    date_time, person.extra
FROM events WHERE event_type = 0
"""
_AUCTIONS = """
CREATE VIEW auction AS
SELECT auction.id, auction.item_name, auction.description, auction.initial_bid, auction.reserve,
    date_time, auction.expires, auction.seller, auction.category, auction.extra
FROM events WHERE event_type = 1
"""
_BIDS = """
CREATE VIEW bid AS
SELECT bid.auction, bid.bidder, bid.price, bid.channel, bid.url, date_time, bid.extra
FROM events WHERE event_type = 2
"""
_SIDE_INPUT = """
CREATE TABLE side_input (`key` BIGINT, `value` STRING)
WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv')
"""


def statements(directory: Path, options: str = "") -> list[str]:
    """Return the statements that define the tables of a data set.

    Args:
        directory: the directory of the data set.
        options: further options of the table of events, after a comma.
    """
    return [
        _EVENTS.format(path=directory / EVENTS, options=options),
        _PERSONS,
        _AUCTIONS,
        _BIDS,
        _SIDE_INPUT.format(path=directory / SIDE_INPUT),
    ]


VIEWS = {"q12": "CREATE VIEW bid_now AS SELECT bidder, PROCTIME() AS p_time FROM bid"}
"""Further views, by the query that reads them."""


def count_char(text: str, char: str) -> int:
    """Count a character in a text: the function of q14."""
    return text.count(char)


_SALES = """
    SELECT a.*, b.auction, b.bidder, b.price, b.date_time AS bid_date_time, b.extra AS bid_extra,
        ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.date_time) AS place
    FROM auction a JOIN bid b ON a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires
"""
_CHANNEL_ID = r"REGEXP_EXTRACT(url, '(&|^)channel_id=([^&]*)', 2)"
_RANKS = ("price < 10000", "price >= 10000 AND price < 1000000", "price >= 1000000")


def _counts(counted: str) -> str:
    """Return the expressions that count in all and by rank of the price."""
    by_rank = (f"COUNT({counted}) FILTER (WHERE {rank})" for rank in _RANKS)
    return ", ".join([f"COUNT({counted})", *by_rank])


_REPORT = ", ".join([_counts("*"), _counts("DISTINCT bidder"), _counts("DISTINCT auction")])
_DAY = "DATE_FORMAT(date_time, 'yyyy-MM-dd')"

QUERIES = {
    "q0": "SELECT auction, bidder, price, date_time, extra FROM bid",
    "q1": "SELECT auction, bidder, 0.908 * price AS price, date_time, extra FROM bid",
    "q2": "SELECT auction, price FROM bid WHERE MOD(auction, 123) = 0",
    "q3": """
        SELECT p.name, p.city, p.state, a.id
        FROM auction a JOIN person p ON a.seller = p.id
        WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA')
    """,
    "q4": """
        SELECT category, AVG(final) AS final FROM (
            SELECT MAX(b.price) AS final, a.category
            FROM auction a JOIN bid b ON a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires
            GROUP BY a.id, a.category)
        GROUP BY category
    """,
    "q5": """
        WITH counts AS (
            SELECT auction, COUNT(*) AS num, window_start, window_end
            FROM HOP(TABLE bid, DESCRIPTOR(date_time), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
            GROUP BY auction, window_start, window_end)
        SELECT c.auction, c.num FROM counts c
        JOIN (
            SELECT MAX(num) AS most, window_start, window_end
            FROM counts GROUP BY window_start, window_end) m
        ON c.window_start = m.window_start AND c.window_end = m.window_end AND c.num = m.most
    """,
    "q6": f"""
        SELECT seller, avg_price FROM (
            SELECT seller,
                AVG(price) OVER (
                    PARTITION BY seller ORDER BY expires, id ROWS BETWEEN 9 PRECEDING AND CURRENT ROW
                ) AS avg_price,
                ROW_NUMBER() OVER (PARTITION BY seller ORDER BY expires DESC, id DESC) AS back
            FROM ({_SALES}) WHERE place = 1)
        WHERE back = 1
    """,
    "q7": """
        SELECT b.auction, b.price, b.bidder, b.date_time, b.extra
        FROM bid b JOIN (
            SELECT MAX(price) AS most, window_start, window_end
            FROM TUMBLE(TABLE bid, DESCRIPTOR(date_time), INTERVAL '10' SECOND)
            GROUP BY window_start, window_end) w
        ON b.price = w.most AND b.date_time >= w.window_start AND b.date_time < w.window_end
    """,
    "q8": """
        SELECT p.id, p.name, p.window_start AS stime FROM (
            SELECT id, name, window_start, window_end
            FROM TUMBLE(TABLE person, DESCRIPTOR(date_time), INTERVAL '10' SECOND)
            GROUP BY id, name, window_start, window_end) p
        JOIN (
            SELECT seller, window_start, window_end
            FROM TUMBLE(TABLE auction, DESCRIPTOR(date_time), INTERVAL '10' SECOND)
            GROUP BY seller, window_start, window_end) a
        ON p.id = a.seller AND p.window_start = a.window_start AND p.window_end = a.window_end
    """,
    "q9": f"""
        SELECT id, item_name, description, initial_bid, reserve, date_time, expires, seller, category, extra,
            auction, bidder, price, bid_date_time, bid_extra
        FROM ({_SALES}) WHERE place <= 1
    """,
    "q10": f"""
        SELECT auction, bidder, price, date_time, extra, {_DAY} AS dt, DATE_FORMAT(date_time, 'HH:mm') AS hm
        FROM bid
    """,
    "q11": """
        SELECT bidder, COUNT(*) AS bid_count, window_start AS starttime, window_end AS endtime
        FROM SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(date_time), INTERVAL '10' SECOND)
        GROUP BY bidder, window_start, window_end
    """,
    "q12": """
        SELECT bidder, COUNT(*) AS bid_count, window_start AS starttime, window_end AS endtime
        FROM TUMBLE(TABLE bid_now, DESCRIPTOR(p_time), INTERVAL '10' SECOND)
        GROUP BY bidder, window_start, window_end
    """,
    "q13": f"""
        SELECT b.auction, b.bidder, b.price, b.date_time, s.`value`
        FROM bid b JOIN side_input s ON MOD(b.auction, {SIDE_INPUT_KEYS}) = s.`key`
    """,
    "q14": """
        SELECT auction, bidder, 0.908 * price AS price,
            CASE
                WHEN HOUR(date_time) BETWEEN 8 AND 18 THEN 'dayTime'
                WHEN HOUR(date_time) <= 6 OR HOUR(date_time) >= 20 THEN 'nightTime'
                ELSE 'otherTime'
            END AS bid_time_type,
            date_time, extra, count_char(extra, 'c') AS c_counts
        FROM bid WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000
    """,
    "q15": f"SELECT {_DAY}, {_REPORT} FROM bid GROUP BY {_DAY}",
    "q16": f"""
        SELECT channel, {_DAY}, MAX(DATE_FORMAT(date_time, 'HH:mm')), {_REPORT}
        FROM bid GROUP BY channel, {_DAY}
    """,
    "q17": f"""
        SELECT auction, {_DAY}, {_counts("*")}, MIN(price), MAX(price), AVG(price), SUM(price)
        FROM bid GROUP BY auction, {_DAY}
    """,
    "q18": """
        SELECT auction, bidder, price, channel, url, date_time, extra FROM (
            SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY date_time DESC) AS place
            FROM bid)
        WHERE place <= 1
    """,
    "q19": """
        SELECT * FROM (
            SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, date_time) AS rank_number
            FROM bid)
        WHERE rank_number <= 10
    """,
    "q20": """
        SELECT b.auction, b.bidder, b.price, b.channel, b.url, b.date_time AS bid_date_time,
            b.extra AS bid_extra, a.item_name, a.description, a.initial_bid, a.reserve,
            a.date_time AS auction_date_time, a.expires, a.seller, a.category, a.extra AS auction_extra
        FROM bid b JOIN auction a ON b.auction = a.id WHERE a.category = 10
    """,
    "q21": f"""
        SELECT auction, bidder, price, channel,
            CASE LOWER(channel)
                WHEN 'apple' THEN '0' WHEN 'google' THEN '1' WHEN 'facebook' THEN '2' WHEN 'baidu' THEN '3'
                ELSE {_CHANNEL_ID}
            END AS channel_id
        FROM bid
        WHERE {_CHANNEL_ID} IS NOT NULL OR LOWER(channel) IN ('apple', 'google', 'facebook', 'baidu')
    """,
    "q22": """
        SELECT auction, bidder, price, channel, SPLIT_INDEX(url, '/', 3) AS dir1,
            SPLIT_INDEX(url, '/', 4) AS dir2, SPLIT_INDEX(url, '/', 5) AS dir3
        FROM bid
    """,
}
"""The queries by name. q13 is a plain join, as PyFlink looks no rows up in files."""

LOOKUP = f"""
    SELECT b.auction, b.bidder, b.price, b.date_time, s.`value`
    FROM (SELECT *, PROCTIME() AS p_time FROM bid) b
    JOIN side_input FOR SYSTEM_TIME AS OF b.p_time AS s ON MOD(b.auction, {SIDE_INPUT_KEYS}) = s.`key`
"""
"""q13 as published: a lookup join."""

PARTITIONED = """
CREATE TABLE q10 (
    auction BIGINT, bidder BIGINT, price BIGINT, date_time TIMESTAMP(3), extra STRING, dt STRING, hm STRING
) PARTITIONED BY (dt, hm) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv')
"""
"""The table that q10 writes to as published, by the path of its folder."""
