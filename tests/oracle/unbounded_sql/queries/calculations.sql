-- having
SELECT shop AS k, COUNT(*) AS n FROM sales GROUP BY shop HAVING COUNT(*) > 1 AND MAX(amount) < 1000

-- having_of_a_key_and_null
SELECT item AS k, SUM(amount) AS s FROM sales GROUP BY item HAVING item IS NOT NULL AND SUM(amount) > 5

-- having_without_group_by
SELECT SUM(weight) AS s FROM sales HAVING COUNT(*) BETWEEN 2 AND 5

-- expressions_of_aggregates
SELECT shop AS k, SUM(amount) / COUNT(*) AS a, SUM(price) * 2 + 1 AS p, MAX(weight) - MIN(weight) AS w,
    CASE WHEN COUNT(price) > 2 THEN 'many' WHEN COUNT(price) > 1 THEN 'two' ELSE 'few' END AS c
FROM sales GROUP BY shop

-- expressions_of_keys_and_aggregates
SELECT UPPER(shop) || '-' || CAST(COUNT(*) AS STRING) AS k, COALESCE(MAX(amount), -1) AS g
FROM sales GROUP BY shop, item

-- expression_of_an_expression_key
SELECT CHAR_LENGTH(item) + 1 AS k, CHAR_LENGTH(item) * COUNT(*) AS n FROM sales GROUP BY CHAR_LENGTH(item)

-- condition_on_a_grouped_subquery
SELECT k, n + 1 AS n FROM (SELECT shop AS k, COUNT(*) AS n FROM sales GROUP BY shop) WHERE n >= 2

-- window_with_having
SELECT window_start, shop, SUM(amount) AS s FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end, shop HAVING COUNT(*) > 1

-- expressions_of_window_bounds
SELECT window_start + INTERVAL '1' SECOND AS s, EXTRACT(SECOND FROM window_end) AS e, AVG(weight) * 2 AS a
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end HAVING MAX(shop) = 'b'

-- windows_of_a_condition_on_windows
WITH busy AS (SELECT * FROM totals WHERE n > 1)
SELECT window_start, MAX(total) AS g FROM TABLE(TUMBLE(TABLE busy, DESCRIPTOR(wt), INTERVAL '20' SECOND))
GROUP BY window_start, window_end

-- expressions_of_joined_rows
SELECT s.amount - 2 AS a, LOWER(c.city) AS c, s.amount > 3 OR c.city = 'Bari' AS b
FROM sales AS s JOIN shops AS c ON s.shop = c.shop WHERE s.amount + CHAR_LENGTH(c.city) > 7

-- groups_of_expressions_of_joined_rows
SELECT SUBSTRING(c.city, 1, 1) AS k, SUM(s.amount - 1) AS s
FROM returned AS s JOIN shops AS c ON s.shop = c.shop GROUP BY SUBSTRING(c.city, 1, 1)

-- expressions_of_an_interval_join
SELECT o.id + 1 AS i, p.paid * 3 AS p FROM orders AS o JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND WHERE p.note = 'x'

-- distinct_expressions_of_joined_rows
SELECT DISTINCT s.amount > 0 AS positive, c.city FROM sales AS s JOIN shops AS c ON s.shop = c.shop

-- two_conditions_on_one_table
SELECT item, amount FROM returned WHERE amount > 0 UNION ALL SELECT item, amount FROM returned WHERE item = 'ink'

-- self_join_with_one_condition
SELECT a.item, b.item AS other FROM orders AS a JOIN orders AS b ON a.id = b.id WHERE a.item = 'pen'

-- expressions_of_changes
SELECT k, LAST_VALUE(amount) IS NULL AS is_null, NULLIF(COUNT(DISTINCT item), 1) AS n
FROM (SELECT COALESCE(shop, '-') AS k, amount, item FROM sales) GROUP BY k

-- bounded_groups_joined_with_unbounded_rows
SELECT r.item, c.city FROM returned AS r JOIN cities AS c ON r.shop = c.shop
