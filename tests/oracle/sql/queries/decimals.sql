-- union
SELECT id, price FROM orders WHERE id < 3 UNION ALL SELECT id, price FROM orders WHERE id > 3
-- union_of_others
SELECT price AS p FROM orders UNION ALL SELECT CAST(amount AS DECIMAL(12, 1)) AS p FROM orders
-- keys_and_aggregates
SELECT price, COUNT(*) AS n, MAX(price) AS a, MIN(price) AS b, SUM(price) AS c, AVG(price) AS d FROM orders GROUP BY price
-- distinct
SELECT DISTINCT price FROM orders
-- join
SELECT o.price, p.price AS other, o.id FROM orders AS o JOIN orders AS p ON o.price = p.price
-- join_of_other_digits
SELECT o.price, p.wide FROM orders AS o JOIN (SELECT CAST(price AS DECIMAL(20, 4)) AS wide FROM orders) AS p ON o.price = p.wide
-- sort
SELECT price, id FROM orders ORDER BY price DESC, id
-- rank
SELECT price, n FROM (SELECT price, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY price DESC, id) AS n FROM orders) WHERE n = 1
-- over
SELECT id, SUM(price) OVER (PARTITION BY customer ORDER BY ts) AS s, LAG(price) OVER (PARTITION BY customer ORDER BY ts) AS l FROM orders
-- nested
SELECT id, ARRAY[price, price] AS a, MAP['k', price] AS m, ROW(price, id) AS r FROM orders UNION ALL SELECT id, ARRAY[price], MAP['l', price], ROW(price, 0) FROM orders
-- nested_after_groups
SELECT a[1] AS x, r.p AS y FROM (SELECT DISTINCT ARRAY[price] AS a, CAST(ROW(price) AS ROW<p DECIMAL(10, 2)>) AS r, id FROM orders)
-- text_after_groups
SELECT CAST(price AS STRING) AS t, CAST(MAX(price) AS STRING) AS m FROM orders GROUP BY price
-- text_after_union
SELECT CAST(p AS STRING) AS t FROM (SELECT price AS p FROM orders UNION ALL SELECT CAST(price AS DECIMAL(10, 2)) FROM orders)
-- text_after_join
SELECT CAST(o.price AS STRING) AS t, CAST(p.price AS STRING) AS u FROM orders AS o LEFT JOIN orders AS p ON o.price = p.price AND p.amount > 20
-- arithmetic_after_groups
SELECT price * 2 AS a, price / 3 AS b, price + m AS c, -price AS d, ABS(price) AS e FROM (SELECT price, MAX(price) AS m FROM orders GROUP BY price)
-- conditions_after_groups
SELECT price FROM (SELECT price, SUM(price) AS s FROM orders GROUP BY price) WHERE s > 2.5 AND price <> 7.000
-- many_digits
SELECT big, MAX(big) AS m, CAST(big AS STRING) AS t FROM edges GROUP BY big
-- all_digits_after_the_point
SELECT x, COUNT(*) AS n FROM (SELECT CAST(price AS DECIMAL(38, 30)) AS x FROM orders) GROUP BY x
-- no_digits_after_the_point
SELECT x, MAX(x) AS m FROM (SELECT CAST(price AS DECIMAL(38, 0)) AS x FROM orders) GROUP BY x
-- zeros
SELECT z, CAST(z AS STRING) AS t FROM (SELECT CAST(0 AS DECIMAL(16, 4)) AS z, id FROM orders UNION ALL SELECT CAST(-0.00004 AS DECIMAL(16, 4)), id FROM orders)
-- lag_with_a_default_of_other_digits
SELECT a, LAG(d, 1, 0.05) OVER (ORDER BY a) AS l, LAG(d, 1, 0.1) OVER (ORDER BY a) AS s FROM (VALUES (1, 1.5), (2, 2.5)) AS t(a, d)
-- quotients
SELECT id, de / 3 AS a, big / 7 AS b, de / (big * big + 1.5) AS c, i / (de + 10) AS d, 1 / (big + 0.5) AS e FROM edges WHERE id > 3
-- quotients_of_columns
SELECT o.id, p.id AS other, o.price / p.price AS q, o.amount / p.price AS r FROM orders AS o JOIN orders AS p ON p.price <> 0
-- remainders
SELECT id, de % 0.3 AS a, big % 0.07 AS b, de % (big + 0.5) AS c, MOD(de, 7) AS d, i % (de + 10) AS e FROM edges WHERE id > 3
-- products
SELECT id, de * de AS a, big * de AS b, big * big AS c, de * 0.908 AS d, big * i AS e FROM edges WHERE id > 3
-- sums_of_other_digits
SELECT id, big + de AS a, de - big AS b, big + 1 AS c, de + 0.125 AS d, big + bi AS e FROM edges WHERE id > 3
-- digits_that_are_rounded
SELECT id, ROUND(big, 5) AS a, ROUND(de, 1) AS b, ROUND(de, -1) AS c, TRUNCATE(big, 3) AS d, TRUNCATE(de, -1) AS e FROM edges WHERE id > 2
-- whole_numbers_and_signs
SELECT id, FLOOR(big) AS a, CEIL(big) AS b, FLOOR(de) AS c, CEIL(de) AS d, ABS(big) AS e, SIGN(de) AS f FROM edges WHERE id > 2
-- casts_of_decimals
SELECT id, CAST(big AS INT) AS a, CAST(de AS BIGINT) AS b, CAST(big AS DOUBLE) AS c, CAST(de AS FLOAT) AS d, CAST(big AS DECIMAL(10, 4)) AS e, CAST(de AS BOOLEAN) AS f FROM edges WHERE id > 3
-- text_of_decimals
SELECT id, CAST(big AS STRING) AS a, CAST(de AS STRING) AS b, CAST(CAST(de AS DECIMAL(20, 8)) AS STRING) AS c FROM edges
-- casts_to_decimals
SELECT id, CAST(d AS DECIMAL(25, 5)) AS a, CAST(f AS DECIMAL(20, 12)) AS b, CAST(i AS DECIMAL(12, 2)) AS c, CAST(b AS DECIMAL(4, 2)) AS d, CAST(CAST(d AS STRING) AS DECIMAL(25, 3)) AS e FROM edges WHERE id > 3
-- choices_of_decimals
SELECT id, CASE WHEN b THEN de ELSE big END AS a, COALESCE(de, big, 0) AS c, IF(i > 0, de, 1.125) AS d FROM edges WHERE id > 2
-- decimals_among_constants
SELECT id FROM edges WHERE de IN (0.01, 2.5, 10) OR big IN (0.1, 2.5)
-- quotients_in_aggregates
SELECT customer, SUM(price / amount) AS s, AVG(price) / 3 AS a, SUM(price) / COUNT(*) AS q FROM orders WHERE amount <> 0 GROUP BY customer
