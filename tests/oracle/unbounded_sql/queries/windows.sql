-- rows_of_windows
SELECT window_start, window_end, window_time, shop, amount, ts
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))

-- rows_of_hopping_windows
SELECT * FROM TABLE(HOP(TABLE returned, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND, INTERVAL '1' SECOND))

-- rows_of_cumulative_windows
SELECT window_end, shop FROM TABLE(CUMULATE(TABLE returned, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '6' SECOND))

-- rows_of_sessions
SELECT window_start, window_end, window_time, shop, amount, ts
FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND))

-- names_of_the_columns_of_windows
SELECT a, b, SUM(z) AS s FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '5' SECOND))
AS t(x, z, y, u, a, b, c) GROUP BY a, b

-- windows_in_a_subquery
SELECT b, e, SUM(n) AS s FROM (
    SELECT window_start AS b, window_end AS e, amount AS n FROM (
        SELECT * FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)))
) GROUP BY b, e

-- windows_of_a_view_of_windows
SELECT e, place, SUM(n) AS s, COUNT(*) AS c FROM placed GROUP BY b, e, place

-- windows_of_a_view_with_their_time
SELECT b, t, MAX(n) AS g FROM placed GROUP BY b, e, t

-- windows_of_hopping_windows_of_a_view
SELECT b, e, AVG(n) AS a FROM (SELECT n, e, b FROM hopping) GROUP BY e, b

-- distinct_bounds_of_a_view
SELECT DISTINCT b, e, place FROM placed

-- updates_of_a_view_by_its_start
SELECT b AS k, SUM(n) AS s FROM placed GROUP BY b

-- updates_by_the_start
SELECT window_start AS k, SUM(amount) AS s
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start

-- updates_of_rows_of_hopping_windows
SELECT shop AS k, COUNT(*) AS n
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY shop

-- aggregates_of_bounds
SELECT window_start, MAX(window_time) AS m, COUNT(DISTINCT window_end) AS n, MIN(ts) AS l
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end

-- windows_of_the_results_of_windows
SELECT window_start, window_end, SUM(s) AS t, COUNT(*) AS c FROM (
    SELECT window_start, window_end, shop, SUM(amount) AS s
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, shop
) GROUP BY window_start, window_end

-- windows_of_the_results_of_hopping_windows
SELECT window_end, window_time, MAX(s) AS t, COUNT(*) AS c FROM (
    SELECT window_start, window_end, window_time, shop, SUM(amount) AS s
    FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
    GROUP BY window_start, window_end, window_time, shop
) GROUP BY window_start, window_end, window_time

-- updates_of_the_results_of_sessions
SELECT window_start AS k1, window_end AS k2, COUNT(*) AS c FROM (
    SELECT window_start, window_end, shop, SUM(amount) AS s
    FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND))
    GROUP BY window_start, window_end, shop
) GROUP BY window_start, window_end

-- sessions_grouped_by_another_column
SELECT window_start AS k1, window_end AS k2, item AS k3, COUNT(*) AS c, SUM(amount) AS s
FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, item

-- sessions_grouped_by_a_further_column
SELECT window_start AS k1, window_end AS k2, shop AS k3, item AS k4, COUNT(*) AS c
FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, item, shop

-- sessions_of_all_rows_grouped_by_a_column
SELECT window_start AS k1, window_end AS k2, item AS k3, COUNT(*) AS c
FROM TABLE(SESSION(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, item

-- sessions_of_a_view
SELECT b, e, place, COUNT(*) AS c FROM visits GROUP BY b, e, place

-- windows_of_a_union_of_windows
SELECT b, e, COUNT(*) AS c, SUM(id) AS s FROM (
    SELECT window_start AS b, window_end AS e, id FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' SECOND))
    UNION ALL
    SELECT window_start, window_end, id FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '5' SECOND))
) GROUP BY b, e

-- join_in_windows
SELECT l.shop, l.amount, r.amount AS returned, l.window_start, r.window_end, l.window_time
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS l
JOIN TABLE(TUMBLE(TABLE returned, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS r
ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.item = r.item

-- join_in_windows_without_a_key
SELECT l.id, r.paid, l.window_end FROM (
    SELECT * FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) AS l
JOIN (SELECT * FROM TABLE(HOP(TABLE payments, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) AS r
ON l.window_end = r.window_end AND r.window_start = l.window_start

-- join_of_the_results_of_windows
SELECT l.item, l.c, r.s, l.b FROM (
    SELECT window_start AS b, window_end AS e, id, COUNT(*) AS c, MAX(item) AS item
    FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, id
) AS l JOIN (
    SELECT window_start AS b, window_end AS e, id, SUM(paid) AS s
    FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, id
) AS r ON l.b = r.b AND l.e = r.e AND l.id = r.id

-- windows_of_joined_windows
SELECT window_start, window_end, COUNT(*) AS c, SUM(paid) AS s FROM (
    SELECT l.window_start, l.window_end, r.paid
    FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS l
    JOIN TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS r
    ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.id = r.id
) GROUP BY window_start, window_end

-- session_of_keys_in_parentheses
SELECT window_start, shop, item, COUNT(*) AS n FROM TABLE(SESSION(TABLE sales PARTITION BY (shop, item), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, shop, item
