-- tumbling_groups
SELECT shop, TUMBLE_START(ts, INTERVAL '5' SECOND), TUMBLE_END(ts, INTERVAL '5' SECOND) AS e, SUM(amount) AS s
FROM sales GROUP BY shop, TUMBLE(ts, INTERVAL '5' SECOND)

-- tumbling_groups_with_their_time
SELECT TUMBLE_ROWTIME(ts, INTERVAL '5' SECOND) AS t, COUNT(*) AS n FROM sales GROUP BY TUMBLE(ts, INTERVAL '5' SECOND)

-- hopping_groups
SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND) AS b, MAX(amount) AS g
FROM sales GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND)

-- hopping_groups_of_no_multiple
SELECT shop, HOP_START(ts, INTERVAL '4' SECOND, INTERVAL '10' SECOND) AS b, SUM(amount) AS s, COUNT(*) AS n
FROM sales GROUP BY shop, HOP(ts, INTERVAL '4' SECOND, INTERVAL '10' SECOND)

-- session_groups
SELECT shop, SESSION_START(ts, INTERVAL '5' SECOND) AS b, SESSION_END(ts, INTERVAL '5' SECOND) AS e, COUNT(*) AS n
FROM sales GROUP BY SESSION(ts, INTERVAL '5' SECOND), shop

-- conditions_on_groups_of_windows
SELECT shop, SUM(amount) + 1 FROM sales WHERE amount > 1 GROUP BY TUMBLE(ts, INTERVAL '5' SECOND), shop
HAVING TUMBLE_END(ts, INTERVAL '5' SECOND) > TIMESTAMP '2024-01-01 00:00:05' AND COUNT(*) > 0

-- groups_of_windows_of_a_named_table
SELECT s.shop, TUMBLE_END(s.ts, INTERVAL '5' SECOND) AS e, COUNT(*) AS n
FROM sales AS s GROUP BY s.shop, TUMBLE(s.ts, INTERVAL '5' SECOND)

-- groups_of_windows_of_a_subquery
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND) AS b, AVG(amount) AS a
FROM (SELECT ts, amount - 1 AS amount FROM sales WHERE shop IS NOT NULL) GROUP BY TUMBLE(ts, INTERVAL '10' SECOND)

-- windows_of_groups_of_windows
SELECT TUMBLE_END(t, INTERVAL '10' SECOND) AS e, SUM(n) AS s FROM (
    SELECT TUMBLE_ROWTIME(ts, INTERVAL '5' SECOND) AS t, COUNT(*) AS n FROM sales GROUP BY shop, TUMBLE(ts, INTERVAL '5' SECOND)
) GROUP BY TUMBLE(t, INTERVAL '10' SECOND)

-- expressions_as_keys_of_windows
SELECT amount > 3 AS is_large, COUNT(*) AS n, TUMBLE_START(ts, INTERVAL '5' SECOND) AS b
FROM sales GROUP BY amount > 3, TUMBLE(ts, INTERVAL '5' SECOND)

-- group_windows_of_fields
SELECT TUMBLE_START(ts, INTERVAL '5' SECOND) AS w, q.r.b, COUNT(*) AS n FROM (SELECT CAST(ROW(amount, item) AS ROW<a INT, b STRING>) AS r, ts FROM sales) AS q GROUP BY TUMBLE(ts, INTERVAL '5' SECOND), q.r.b
