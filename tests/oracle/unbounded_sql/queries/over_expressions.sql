-- over_expressions_of_filtered_rows
SELECT UPPER(shop) AS up, ts, SUM(amount + 1) OVER (PARTITION BY UPPER(shop), item ORDER BY ts) AS s, amount - 2 AS less
FROM sales WHERE price > 0

-- over_the_rows_of_a_query
SELECT n, ts, AVG(n) OVER (ORDER BY ts ROWS 1 PRECEDING) AS a
FROM (SELECT amount - 1 AS n, ts FROM sales WHERE item <> 'pap')

-- ranks_by_time
SELECT shop, ts, amount, RANK() OVER w AS r, DENSE_RANK() OVER w AS d, COUNT(amount) OVER w AS c FROM sales WHERE item <> 'pap'
WINDOW w AS (PARTITION BY shop ORDER BY ts)

-- over_the_groups_of_windows
SELECT window_time, shop, SUM(COUNT(*)) OVER (PARTITION BY shop ORDER BY window_time) AS c, SUM(amount) + 1 AS s
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, window_time, shop
