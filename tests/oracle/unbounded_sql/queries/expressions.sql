-- group_by_an_expression_of_filtered_rows
SELECT UPPER(shop) AS k, SUM(amount - 2) AS s, COUNT(*) AS n, MAX(price + 1) AS g
FROM sales WHERE weight > 0 GROUP BY UPPER(shop)

-- filtered_aggregates
SELECT item AS k, COUNT(*) FILTER (WHERE amount > 4) AS n, SUM(price) FILTER (WHERE shop = 'b') AS s,
    COUNT(DISTINCT shop) FILTER (WHERE weight > 0.2) AS shops FROM sales GROUP BY item

-- global_aggregates_of_expressions
SELECT AVG(CAST(amount AS DOUBLE)) AS a, MIN(shop || '-' || item) AS l FROM sales WHERE item <> 'pap'

-- distinct_expressions
SELECT DISTINCT amount IS NULL AS is_missing, CHAR_LENGTH(shop) AS len FROM sales WHERE item IS NOT NULL

-- windows_of_filtered_rows
SELECT window_start, UPPER(item) AS item, SUM(amount + 1) AS s
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE shop IS NOT NULL
GROUP BY window_start, window_end, UPPER(item)

-- windows_of_a_query
WITH dear AS (SELECT shop, price * 100 AS cents, ts FROM sales WHERE price > 1)
SELECT window_end, SUM(cents) AS s
FROM TABLE(HOP(TABLE dear, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end

-- join_of_filtered_rows
SELECT o.item, p.paid FROM orders AS o JOIN payments AS p ON o.id = p.id AND p.note = 'x' WHERE o.id > 1

-- interval_join_of_filtered_rows
SELECT o.id, p.paid FROM orders AS o, (SELECT id, paid * 2 AS paid, ts FROM payments WHERE paid > 2) AS p
WHERE o.id = p.id AND p.ts > o.ts - INTERVAL '3' SECOND AND p.ts <= o.ts + INTERVAL '10' SECOND

-- union_all_of_expressions
SELECT shop, amount - 10 AS n FROM sales WHERE amount > 4
UNION ALL SELECT LOWER(shop), -amount FROM returned WHERE shop <> 'filler'
