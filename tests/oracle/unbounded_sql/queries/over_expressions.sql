-- over_expressions_of_filtered_rows
SELECT UPPER(shop) AS up, ts, SUM(amount + 1) OVER (PARTITION BY UPPER(shop), item ORDER BY ts) AS s, amount - 2 AS less
FROM sales WHERE price > 0

-- over_the_rows_of_a_query
SELECT n, ts, AVG(n) OVER (ORDER BY ts ROWS 1 PRECEDING) AS a
FROM (SELECT amount - 1 AS n, ts FROM sales WHERE item <> 'pap')
