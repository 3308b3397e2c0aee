-- counts
SELECT COUNT(*) AS a, COUNT(i) AS b, COUNT(DISTINCT ti) AS c, COUNT(1) AS e, COUNT(ti + 1) AS g FROM numbers
-- sums
SELECT SUM(ti) AS a, SUM(si) AS b, SUM(i) AS c, SUM(bi) AS e, SUM(f) AS g, SUM(d) AS h, SUM(de) AS k FROM numbers
-- averages
SELECT AVG(ti) AS a, AVG(si) AS b, AVG(i) AS c, AVG(bi) AS e, AVG(f) AS g, AVG(d) AS h, AVG(de) AS k FROM numbers
-- minima_and_maxima
SELECT MIN(ti) AS a, MAX(si) AS b, MIN(d) AS c, MAX(de) AS e, MIN(b) AS g, MAX(b) AS h, MAX(f) AS k FROM numbers
-- of_text
SELECT MIN(s) AS a, MAX(s) AS b, COUNT(s) AS c FROM texts
-- of_nothing
SELECT COUNT(*) AS a, SUM(i) AS b, AVG(d) AS c, MIN(s.s) AS e FROM numbers, texts s WHERE numbers.id > 100
-- of_expressions
SELECT SUM(ti + 1) AS a, SUM(amount * 2) AS b, AVG(amount / 2) AS c, MAX(ABS(ti)) AS e, SUM(CASE WHEN ti > 0 THEN 1 ELSE 0 END) AS g FROM numbers, orders
-- expressions_of_aggregates
SELECT SUM(amount) / COUNT(*) AS a, SUM(amount) + 1 AS b, MAX(amount) - MIN(amount) AS c, SUM(price) / COUNT(price) AS e, SUM(price) * 2 AS g FROM orders
-- group_by
SELECT customer, COUNT(*) AS n, SUM(amount) AS total, AVG(price) AS mean FROM orders GROUP BY customer
-- group_by_expression
SELECT amount / 10 AS bucket, COUNT(*) AS n FROM orders GROUP BY amount / 10
-- group_by_without_aggregate
SELECT customer FROM orders GROUP BY customer
-- distinct
SELECT DISTINCT customer, amount FROM orders
-- distinct_aggregates
SELECT SUM(DISTINCT amount) AS a, AVG(DISTINCT amount) AS b, COUNT(DISTINCT customer) AS c, MAX(DISTINCT amount) AS e FROM orders
-- filter
SELECT COUNT(*) FILTER (WHERE amount > 10) AS a, SUM(amount) FILTER (WHERE customer = 'ann') AS b, AVG(amount) FILTER (WHERE amount > 1000) AS c, COUNT(DISTINCT customer) FILTER (WHERE amount > 5) AS e FROM orders
-- having
SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer HAVING COUNT(*) > 1 AND SUM(amount) > 50
-- having_alone
SELECT COUNT(*) AS n FROM orders HAVING COUNT(*) > 100
-- grouping_sets
SELECT customer, amount, COUNT(*) AS n, GROUPING(customer) AS g, GROUPING_ID(customer, amount) AS gi FROM orders GROUP BY GROUPING SETS ((customer), (amount), ())
-- rollup
SELECT customer, amount, SUM(price) AS p FROM orders GROUP BY ROLLUP (customer, amount)
-- cube
SELECT customer, amount, COUNT(*) AS n FROM orders GROUP BY CUBE (customer, amount)
-- listagg
SELECT LISTAGG(s) AS a FROM (SELECT s FROM texts WHERE id = 1)
-- listagg_with_separator
SELECT n, LISTAGG(x, '; ') AS a, LISTAGG(DISTINCT x) AS b FROM (VALUES (1, 'p'), (1, 'p'), (2, CAST(NULL AS STRING))) AS v(n, x) GROUP BY n
-- deviations
SELECT STDDEV_POP(d) AS a, STDDEV_SAMP(d) AS b, VAR_POP(d) AS c, VAR_SAMP(d) AS e, STDDEV(d) AS g, VARIANCE(d) AS h FROM numbers WHERE id <> 5
-- deviations_of_integers
SELECT STDDEV_POP(amount) AS a, VAR_POP(amount) AS b, VAR_SAMP(amount) AS c, STDDEV_SAMP(amount) AS e FROM orders
-- deviations_of_one
SELECT VAR_SAMP(d) AS a, STDDEV_SAMP(d) AS b, VAR_POP(d) AS c FROM numbers WHERE id = 1
-- first_and_last
SELECT customer, FIRST_VALUE(amount) AS a, LAST_VALUE(amount) AS b FROM orders WHERE id < 3 GROUP BY customer
-- single_value
SELECT SINGLE_VALUE(s) AS a FROM texts WHERE id = 1
-- nested_query
SELECT AVG(total) AS a FROM (SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer) AS t
-- group_by_position_of_nothing
SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer ORDER BY n DESC, customer LIMIT 2
-- aggregates_of_booleans
SELECT COUNT(*) AS n, b FROM numbers GROUP BY b
-- unnamed
SELECT customer, SUM(amount), COUNT(*) FROM orders GROUP BY customer
-- group_by_time
SELECT FLOOR(ts TO HOUR) AS h, COUNT(*) AS n FROM orders GROUP BY FLOOR(ts TO HOUR)
-- bit_aggregates
SELECT JSON_OBJECTAGG(KEY 'k' VALUE amount) AS a FROM orders WHERE id = 1
-- group_id_of_equal_sets
SELECT customer, GROUP_ID() AS g, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((customer), (), (customer))
-- group_id_of_sets
SELECT customer, amount, GROUP_ID() AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (customer, amount)
-- grouping_of_several
SELECT customer, amount, GROUPING(amount, customer) AS g, MAX(customer) AS m FROM orders GROUP BY CUBE (customer, amount)
-- having_grouping
SELECT customer, amount, COUNT(*) AS n FROM orders GROUP BY CUBE (customer, amount) HAVING GROUPING(customer) = 1 AND GROUPING_ID(customer, amount) < 3
-- product_of_sets
SELECT customer, amount, id > 3 AS late, COUNT(*) AS n FROM orders GROUP BY customer, ROLLUP (amount), GROUPING SETS ((id > 3), ())
-- rollup_of_tuples
SELECT customer, amount, id, COUNT(*) AS n FROM orders GROUP BY ROLLUP ((customer, amount), id)
-- sets_of_nothing
SELECT customer, COUNT(*) AS n FROM orders WHERE id > 1000 GROUP BY GROUPING SETS ((customer), ())
-- empty_set_of_nothing
SELECT COUNT(*) AS n FROM orders WHERE id > 1000 GROUP BY ()
-- keys_in_parentheses
SELECT customer, amount, COUNT(*) AS n FROM orders GROUP BY (customer, amount)
-- deviations_of_groups
SELECT customer, STDDEV_POP(amount) AS a, STDDEV_SAMP(amount) AS b, VAR_POP(price) AS c, VAR_SAMP(price) AS e, STDDEV(price) AS g FROM orders GROUP BY customer
-- deviations_of_each_type
SELECT STDDEV_POP(ti) AS a, STDDEV_SAMP(si) AS b, VAR_POP(i) AS c, VAR_SAMP(f) AS e, STDDEV_POP(f) AS g, VAR_POP(de) AS h, STDDEV_SAMP(de) AS k, VAR_POP(ti) AS l FROM numbers
-- deviations_of_distinct
SELECT STDDEV_POP(DISTINCT ti) AS a, VAR_SAMP(DISTINCT d) AS b FROM numbers
-- arrays_of_groups
SELECT customer, ARRAY_AGG(id) AS a FROM orders WHERE customer <> 'bob' GROUP BY customer
-- percentiles
SELECT PERCENTILE(amount, 0.5) AS a, PERCENTILE(price, 0.25) AS b, PERCENTILE(amount, ARRAY[0.0, 0.3, 1.0]) AS c, PERCENTILE(amount, 0.5, id) AS e FROM orders
-- percentile_of_groups
SELECT customer, PERCENTILE(amount, 0.75) AS a FROM orders GROUP BY customer
-- objects
SELECT customer, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE amount) AS a, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE price ABSENT ON NULL) AS b FROM orders GROUP BY customer
-- json_arrays
SELECT customer, JSON_ARRAYAGG(amount) AS a, JSON_ARRAYAGG(price NULL ON NULL) AS b, JSON_ARRAYAGG(customer) AS c, JSON_ARRAYAGG(ts) AS e FROM orders GROUP BY customer
-- approximate_counts
SELECT APPROX_COUNT_DISTINCT(amount) AS a, APPROX_COUNT_DISTINCT(customer) AS b FROM orders
-- counts_of_several
SELECT COUNT(amount, price) AS a, COUNT(DISTINCT customer, amount) AS b FROM orders
-- single_value_of_several
SELECT SINGLE_VALUE(amount) AS a FROM orders
-- of_nothing_at_all
SELECT LISTAGG(customer) AS a, STDDEV_POP(amount) AS b, ARRAY_AGG(amount) AS c, PERCENTILE(amount, 0.5) AS e, JSON_ARRAYAGG(amount) AS g, SINGLE_VALUE(id) AS h FROM orders WHERE id > 1000
-- filters_of_others
SELECT LISTAGG(customer) FILTER (WHERE amount > 10) AS a, VAR_POP(amount) FILTER (WHERE amount > 10) AS b, ARRAY_AGG(amount) FILTER (WHERE amount > 10) AS c FROM orders
-- having_of_a_subquery
SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer HAVING COUNT(*) > (SELECT MIN(id) FROM orders)
-- having_in_a_subquery
SELECT customer, SUM(amount) + 1 AS s FROM orders GROUP BY customer HAVING customer IN (SELECT name FROM customers WHERE level > 0) AND COUNT(*) > 1
-- having_of_a_correlated_subquery
SELECT o.customer, MAX(o.amount) AS m FROM orders AS o GROUP BY o.customer HAVING MAX(o.amount) > (SELECT MIN(p.amount) FROM orders AS p WHERE p.customer = o.customer)
-- having_in_the_same_table
SELECT customer FROM orders GROUP BY customer HAVING customer IN (SELECT customer FROM orders WHERE amount > 20) AND COUNT(*) > 1
-- having_of_all_rows
SELECT COUNT(*) AS n FROM orders HAVING COUNT(*) > (SELECT MAX(level) FROM customers)
