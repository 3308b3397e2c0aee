-- tumble
SELECT window_start, window_end, SUM(amount) AS total FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY window_start, window_end
-- tumble_columns
SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
-- tumble_named_arguments
SELECT id, window_start FROM TABLE(TUMBLE(DATA => TABLE orders, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES))
-- tumble_with_offset
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '3' MINUTES))
-- tumble_with_negative_offset
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '-3' MINUTES))
-- tumble_with_key
SELECT customer, window_start, window_end, COUNT(*) AS n, AVG(amount) AS mean FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY customer, window_start, window_end
-- tumble_of_days
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE times, DESCRIPTOR(ts), INTERVAL '1' DAY)) WHERE ts IS NOT NULL
-- tumble_of_a_view
SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE big, DESCRIPTOR(t), INTERVAL '10' MINUTES)) GROUP BY window_start, window_end
-- tumble_of_zoned_times
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ltz), INTERVAL '1' HOUR))
-- window_time
SELECT window_time, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY window_start, window_end, window_time
-- hop
SELECT window_start, window_end, COUNT(*) AS n, SUM(amount) AS total FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES)) GROUP BY window_start, window_end
-- hop_of_no_multiple
SELECT window_start, window_end, COUNT(*) AS n, SUM(amount) AS total FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '4' MINUTES, INTERVAL '10' MINUTES)) GROUP BY window_start, window_end
-- hop_with_offset
SELECT id, window_start, window_end FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES, INTERVAL '2' MINUTES)) WHERE id < 4
-- hop_with_key
SELECT customer, window_start, SUM(price) AS p FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '15' MINUTES, INTERVAL '30' MINUTES)) GROUP BY customer, window_start, window_end
-- cumulate
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '20' MINUTES)) GROUP BY window_start, window_end
-- cumulate_columns
SELECT id, window_start, window_end, window_time FROM TABLE(CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '20' MINUTES)) WHERE id < 5
-- cumulate_with_offset
SELECT id, window_start, window_end FROM TABLE(CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '20' MINUTES, INTERVAL '5' MINUTES)) WHERE id < 5
-- session
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(SESSION(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTES)) GROUP BY window_start, window_end
-- session_with_key
SELECT customer, window_start, window_end, COUNT(*) AS n FROM TABLE(SESSION(TABLE orders PARTITION BY customer, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY customer, window_start, window_end
-- windows_joined
SELECT l.id, r.id AS other, l.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES))) l JOIN (SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES))) r ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.id < r.id
-- window_top_n
SELECT * FROM (SELECT id, amount, window_start, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC, id) AS n FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES))) WHERE n <= 1
-- windows_with_grouping_sets
SELECT window_start, customer, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, GROUPING SETS ((customer), ())
-- grouped_windows
SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE) AS s, TUMBLE_END(ts, INTERVAL '10' MINUTE) AS e, COUNT(*) AS n FROM orders GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE)
-- over_partition
SELECT id, SUM(amount) OVER (PARTITION BY customer) AS a, COUNT(*) OVER (PARTITION BY customer) AS c, AVG(amount) OVER (PARTITION BY customer) AS e, MAX(price) OVER () AS g FROM orders
-- over_order
SELECT id, SUM(amount) OVER (PARTITION BY customer ORDER BY ts) AS a, COUNT(amount) OVER (ORDER BY id) AS c FROM orders
-- over_rows
SELECT id, SUM(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a, AVG(price) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS c, COUNT(*) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS e FROM orders
-- over_range
SELECT id, SUM(amount) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW) AS a FROM orders
-- over_range_of_numbers
SELECT id, COUNT(*) OVER (ORDER BY amount RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING) AS a FROM orders WHERE amount IS NOT NULL
-- named_window
SELECT id, SUM(amount) OVER w AS a, COUNT(*) OVER w AS c FROM orders WINDOW w AS (PARTITION BY customer ORDER BY id)
-- row_number
SELECT id, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts DESC) AS n FROM orders
-- ranks
SELECT id, RANK() OVER (ORDER BY amount) AS a, DENSE_RANK() OVER (ORDER BY amount) AS c, PERCENT_RANK() OVER (ORDER BY amount) AS e, CUME_DIST() OVER (ORDER BY amount) AS g, NTILE(3) OVER (ORDER BY id) AS h FROM orders
-- lag_and_lead
SELECT id, LAG(amount) OVER (ORDER BY id) AS a, LEAD(amount, 2) OVER (ORDER BY id) AS c FROM orders
-- first_and_last_over
SELECT id, FIRST_VALUE(amount) OVER (PARTITION BY customer ORDER BY id) AS a, LAST_VALUE(amount) OVER (PARTITION BY customer ORDER BY id) AS c FROM orders
-- top_n
SELECT customer, id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY amount DESC, id) AS n FROM orders) WHERE n <= 2
-- deduplication
SELECT id, customer FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts) AS n FROM orders) WHERE n = 1
-- over_of_aggregates
SELECT customer, SUM(amount) AS total, RANK() OVER (ORDER BY SUM(amount) DESC) AS r FROM orders GROUP BY customer
-- over_distinct
SELECT id, COUNT(DISTINCT customer) OVER (PARTITION BY amount) AS a FROM orders
-- over_without_order
SELECT id, ROW_NUMBER() OVER () AS n, COUNT(*) OVER () AS c FROM orders
-- over_following
SELECT id, SUM(amount) OVER (PARTITION BY customer ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS a, MIN(amount) OVER (PARTITION BY customer ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS b, COUNT(*) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING) AS c FROM orders
-- over_range_in_descending_order
SELECT id, COUNT(*) OVER (ORDER BY amount DESC RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) AS a, SUM(price) OVER (ORDER BY price RANGE BETWEEN 0.75 PRECEDING AND 0.75 FOLLOWING) AS b FROM orders WHERE amount IS NOT NULL AND price IS NOT NULL
-- over_range_with_nulls
SELECT id, COUNT(*) OVER (ORDER BY amount RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING) AS a, COUNT(*) OVER (ORDER BY amount DESC) AS b FROM orders
-- over_several_windows
SELECT id, SUM(amount) OVER (PARTITION BY customer ORDER BY id) AS a, RANK() OVER (ORDER BY price DESC) AS b, MAX(id) OVER (PARTITION BY amount) AS c FROM orders
-- over_expressions
SELECT id, SUM(amount + 1) OVER (PARTITION BY UPPER(customer) ORDER BY id * -1) + 1 AS a, LAG(amount * 2, 1, -1) OVER (ORDER BY id) AS b FROM orders
-- over_of_groups_with_having
SELECT customer, SUM(amount) AS s, SUM(SUM(amount)) OVER (ORDER BY customer) AS t, COUNT(*) + RANK() OVER (ORDER BY COUNT(*)) AS r FROM orders GROUP BY customer HAVING COUNT(*) > 1
-- over_of_all_aggregates
SELECT SUM(COUNT(*)) OVER () AS a FROM orders
-- distinct_over
SELECT DISTINCT customer, COUNT(*) OVER (PARTITION BY customer) AS n FROM orders
-- ranks_of_ties
SELECT id, RANK() OVER (PARTITION BY customer ORDER BY amount) AS a, DENSE_RANK() OVER (PARTITION BY customer ORDER BY amount) AS b, NTILE(2) OVER (PARTITION BY customer ORDER BY id) AS c FROM orders
-- rank_filter
SELECT id, amount FROM (SELECT *, RANK() OVER (ORDER BY amount DESC) AS r FROM orders) WHERE r <= 2
-- dense_rank_filter
SELECT id, amount, r FROM (SELECT *, DENSE_RANK() OVER (PARTITION BY customer ORDER BY amount) AS r FROM orders) WHERE r = 2
-- first_and_last_of_frames
SELECT id, FIRST_VALUE(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a, LAST_VALUE(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS b, LAST_VALUE(customer) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS c FROM orders
-- leads_with_defaults
SELECT id, LEAD(amount, 1, -1) OVER (PARTITION BY customer ORDER BY id) AS a, LEAD(customer) OVER (ORDER BY id) AS b FROM orders
-- over_joins
SELECT o.id, c.city, COUNT(*) OVER (PARTITION BY c.city) AS n FROM orders AS o LEFT JOIN customers AS c ON o.customer = c.name
-- over_in_order
SELECT id, amount, SUM(amount) OVER (ORDER BY id) AS s FROM orders ORDER BY amount DESC, id LIMIT 3
-- row_number_without_order
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY customer) AS n FROM orders WHERE customer = 'eve') WHERE n = 1
-- deviations_over
SELECT id, STDDEV_POP(amount) OVER (PARTITION BY customer) AS a, VAR_SAMP(CAST(amount AS DOUBLE)) OVER (ORDER BY id) AS b FROM orders
-- collected_over
SELECT id, LISTAGG(customer) OVER (ORDER BY id ROWS 1 PRECEDING) AS a, ARRAY_AGG(amount) OVER (PARTITION BY customer ORDER BY id) AS b FROM orders

-- first_rows_with_conditions_on_their_numbers
SELECT customer, amount, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY id) AS rn FROM orders) WHERE rn <= 3 AND (rn = 1 OR amount > rn * 10)
