-- rollup
SELECT shop AS k1, item AS k2, GROUPING_ID(shop, item) AS kg, COUNT(*) AS c, SUM(amount) AS s, MIN(item) AS m
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY ROLLUP (shop, item)

-- cube
SELECT item AS k1, shop AS k2, GROUPING(item) AS k3, GROUPING(shop) AS k4, AVG(price) AS a
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY CUBE (item, shop)

-- grouping_sets
SELECT shop AS k1, item AS k2, GROUPING(item, shop) AS kg, COUNT(shop) AS c, COUNT(DISTINCT item) AS d
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY GROUPING SETS ((item), shop, ())

-- sets_of_several_elements
SELECT shop AS k1, item AS k2, amount > 4 AS k3, GROUPING(shop, item, amount > 4) AS kg, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop, ROLLUP (item), GROUPING SETS ((amount > 4), ())

-- rollup_of_tuples
SELECT shop AS k1, item AS k2, amount AS k3, GROUPING(shop, item, amount) AS kg, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY ROLLUP ((shop, item), amount)

-- nested_sets
SELECT shop AS k1, item AS k2, GROUPING(shop, item) AS kg, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY GROUPING SETS (CUBE (shop, item))

-- sets_that_occur_twice
SELECT shop AS k1, GROUPING(shop) AS k2, GROUP_ID() AS k3, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY GROUPING SETS ((shop), (), (), (shop))

-- group_id_of_different_sets
SELECT shop AS k1, item AS k2, GROUPING_ID(shop, item) AS k3, GROUP_ID() AS g, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY CUBE (shop, item)

-- one_set
SELECT shop AS k1, GROUPING(shop) AS g, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY GROUPING SETS ((shop))

-- having_of_sets
SELECT shop AS k1, item AS k2, GROUPING_ID(shop, item) AS kg, COUNT(*) AS c FROM sales
WHERE item IS DISTINCT FROM 'filler' GROUP BY CUBE (shop, item) HAVING GROUPING(shop) = 0 AND COUNT(*) > 1

-- rollup_of_updates
SELECT c AS k1, GROUPING(c) AS kg, COUNT(*) AS n, MAX(shop) AS m
FROM (SELECT shop, COUNT(*) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop) GROUP BY ROLLUP (c)

-- expressions_of_keys
SELECT UPPER(shop) || '!' AS k1, GROUPING(UPPER(shop)) + 1 AS kg, COUNT(*) AS c
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY ROLLUP (UPPER(shop))

-- windows_with_grouping_sets
SELECT window_start, window_end, shop, item, GROUPING(shop, item) AS g, COUNT(*) AS c, SUM(price) AS p
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, GROUPING SETS ((shop), (item), ())

-- windows_with_bounds_in_each_set
SELECT window_start, shop, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY GROUPING SETS ((window_start, window_end, shop), (window_start, window_end))

-- hopping_windows_with_rollup
SELECT window_start, window_time, shop, item, MAX(amount) AS m
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end, window_time, ROLLUP (shop, item)

-- cumulative_windows_with_cube
SELECT window_end, shop, item, GROUPING_ID(shop, item) AS g, COUNT(*) AS c
FROM TABLE(CUMULATE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND))
GROUP BY CUBE (shop, item), window_start, window_end

-- windows_of_a_view_with_rollup
SELECT b, e, place, COUNT(n) AS c FROM windowed GROUP BY b, e, ROLLUP (place)
