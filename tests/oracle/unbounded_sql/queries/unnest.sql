-- array
SELECT shop, amount, x FROM sales CROSS JOIN UNNEST(ARRAY[amount, 7]) AS u(x)

-- array_with_comma
SELECT s.shop, u.x FROM sales AS s, UNNEST(ARRAY[s.shop, s.item]) AS u(x) WHERE u.x <> 'pen'

-- left_join
SELECT shop, x FROM sales LEFT JOIN UNNEST(CASE WHEN amount > 5 THEN ARRAY[amount] END) AS u(x) ON TRUE

-- left_join_on_a_condition
SELECT shop, amount, x FROM sales LEFT JOIN UNNEST(ARRAY[amount, 7]) AS u(x) ON x > 5

-- null_array
SELECT shop, x FROM sales CROSS JOIN UNNEST(CASE WHEN amount > 5 THEN ARRAY[amount] END) AS u(x)

-- map
SELECT shop, k, v FROM sales CROSS JOIN UNNEST(MAP['a', amount, 'b', 1]) AS u(k, v)

-- left_join_of_a_map
SELECT shop, k, v FROM sales LEFT JOIN UNNEST(CASE WHEN amount > 5 THEN MAP['a', amount] END) AS u(k, v) ON TRUE

-- ordinality
SELECT shop, x, o FROM sales CROSS JOIN UNNEST(ARRAY[amount, 7]) WITH ORDINALITY AS u(x, o)

-- ordinality_of_rows
SELECT shop, p, q, o FROM sales CROSS JOIN UNNEST(ARRAY[ROW(amount, item)]) WITH ORDINALITY AS u(p, q, o)

-- ordinality_of_a_map
SELECT shop, k, v, o FROM sales CROSS JOIN UNNEST(MAP['a', amount]) WITH ORDINALITY AS u(k, v, o)

-- left_join_with_ordinality
SELECT shop, x, o FROM sales
LEFT JOIN UNNEST(CASE WHEN amount > 5 THEN ARRAY[amount] END) WITH ORDINALITY AS u(x, o) ON TRUE

-- names_of_columns
SELECT * FROM (SELECT shop, ARRAY[1, 7] AS a FROM sales) CROSS JOIN UNNEST(a)

-- name_of_the_table
SELECT shop, x FROM (SELECT shop, ARRAY[amount, 7] AS a FROM sales) CROSS JOIN UNNEST(a) AS x

-- names_of_columns_of_a_map
SELECT * FROM (SELECT shop, MAP['a', 1] AS a FROM sales) CROSS JOIN UNNEST(a)

-- names_of_columns_with_ordinality
SELECT * FROM (SELECT shop, ARRAY[1, 7] AS a FROM sales) CROSS JOIN UNNEST(a) WITH ORDINALITY

-- several
SELECT shop, x, y FROM sales CROSS JOIN UNNEST(ARRAY[amount, 7]) AS u(x) CROSS JOIN UNNEST(ARRAY[x, 8]) AS v(y)

-- nested_arrays
SELECT shop, y FROM sales CROSS JOIN UNNEST(ARRAY[ARRAY[amount, 1], ARRAY[2]]) AS u(x) CROSS JOIN UNNEST(x) AS v(y)

-- constants
SELECT x FROM UNNEST(ARRAY[1, 2, 3]) AS u(x)

-- of_a_subquery
SELECT k, x FROM (SELECT shop AS k, ARRAY[shop, item] AS a FROM sales WHERE amount > 0), UNNEST(a) AS u(x)
WHERE x LIKE 'p%'

-- updated_rows
SELECT k, x FROM (SELECT shop AS k, ARRAY[COUNT(*), SUM(amount)] AS a FROM sales GROUP BY shop)
CROSS JOIN UNNEST(a) AS u(x)

-- left_join_of_updated_rows
SELECT k, x FROM (SELECT shop AS k, COUNT(*) AS n FROM sales GROUP BY shop)
LEFT JOIN UNNEST(CASE WHEN n > 1 THEN ARRAY[n] END) AS u(x) ON TRUE

-- grouped
SELECT x AS k, COUNT(*) AS n FROM sales CROSS JOIN UNNEST(ARRAY[shop, item]) AS u(x) GROUP BY x

-- windows
SELECT window_start, x, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) CROSS JOIN UNNEST(ARRAY[shop, item]) AS u(x)
GROUP BY window_start, window_end, x

-- event_time
SELECT window_start, COUNT(*) AS n, SUM(x) AS s
FROM TABLE(TUMBLE(TABLE elements, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end

-- joined_tables
SELECT s.shop, c.city, x FROM sales AS s JOIN shops AS c ON s.shop = c.shop
CROSS JOIN UNNEST(ARRAY[s.item, c.city]) AS u(x) WHERE s.amount > 3

-- joined_after
SELECT s.amount, x, c.city FROM sales AS s CROSS JOIN UNNEST(ARRAY[s.shop, s.item]) AS u(x)
JOIN shops AS c ON x = c.shop
