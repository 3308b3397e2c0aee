-- windows_of_a_filtered_subquery
SELECT window_start, window_end, SUM(amount) AS s FROM (
    SELECT * FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE price > 0
) GROUP BY window_start, window_end

-- windows_of_a_filtered_view
SELECT b, e, place, SUM(n) AS s FROM paid GROUP BY b, e, place

-- windows_of_expressions_of_a_filtered_view
SELECT e, UPPER(place) AS p, SUM(n + 1) AS s FROM paid WHERE place IS NOT NULL GROUP BY b, e, UPPER(place)

-- windows_of_a_subquery_of_a_filtered_view
SELECT e, s2, COUNT(*) AS c FROM (SELECT b, e, n - 2 AS s2 FROM paid WHERE place IS NOT NULL) GROUP BY b, e, s2

-- windows_of_a_condition_on_bounds
SELECT window_start, window_end, COUNT(*) AS c
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))
WHERE window_start > TIMESTAMP '2024-01-01 00:00:03' GROUP BY window_start, window_end

-- windows_of_a_condition_on_a_bound_and_a_time
SELECT window_start, window_end, COUNT(*) AS c
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
WHERE ts > window_start + INTERVAL '2' SECOND GROUP BY window_start, window_end

-- windows_with_an_expression_of_a_bound
SELECT window_start, window_end, SUM(EXTRACT(SECOND FROM window_start)) AS s, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end

-- windows_with_a_key_of_a_bound
SELECT window_end, shop, window_start + INTERVAL '1' SECOND AS later, COUNT(*) AS c
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, shop, window_start + INTERVAL '1' SECOND

-- sessions_of_a_filtered_subquery
SELECT window_start, window_end, shop, COUNT(*) AS c FROM (
    SELECT * FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE price > 0
) GROUP BY window_start, window_end, shop
