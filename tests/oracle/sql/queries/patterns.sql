-- rising_amounts
SELECT * FROM orders MATCH_RECOGNIZE (
    PARTITION BY customer ORDER BY ts
    MEASURES FIRST(id) AS first_id, LAST(B.id) AS last_id, SUM(amount) AS total, COUNT(*) AS n
    AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+?) DEFINE B AS B.amount > LAST(amount, 1)
)

-- all_orders_in_time
SELECT * FROM orders MATCH_RECOGNIZE (
    ORDER BY ts, id DESC MEASURES A.id AS a, C.id AS c, C.price - A.price AS p, CAST(MATCH_ROWTIME() AS TIMESTAMP(3)) AS t
    PATTERN (A B* C) WITHIN INTERVAL '1' DAY DEFINE B AS B.amount < A.amount, C AS C.amount >= A.amount
)

-- matches_of_groups
SELECT m.k, c.city, m.n FROM (
    SELECT customer, ts, COUNT(*) AS n FROM orders GROUP BY customer, ts
) MATCH_RECOGNIZE (
    ORDER BY ts, customer MEASURES B.customer AS k, SUM(n) AS n PATTERN (A B) DEFINE B AS B.customer <> A.customer
) AS m LEFT JOIN customers AS c ON c.name = m.k

-- matches_in_windows
SELECT TUMBLE_START(t, INTERVAL '1' HOUR) AS s, COUNT(*) AS n FROM orders MATCH_RECOGNIZE (
    PARTITION BY customer ORDER BY ts MEASURES MATCH_ROWTIME() AS t PATTERN (A B) DEFINE B AS B.id > A.id
) GROUP BY TUMBLE(t, INTERVAL '1' HOUR)
