-- union_of_equal_names
SELECT 1 AS a, 2 AS a UNION ALL SELECT 3, 4
-- intersection_of_equal_names
SELECT 1 AS a, 2 AS a INTERSECT SELECT 1, 2
-- field_of_a_union
SELECT r.x FROM (SELECT CAST(ROW(1, 2) AS ROW<x INT, y INT>) AS r UNION ALL SELECT CAST(ROW(3, 4) AS ROW<x INT, y INT>)) AS t
-- order_of_equal_names
SELECT 1 AS b, 2 AS b UNION ALL SELECT 0, 1 ORDER BY b
-- order_of_equal_names_in_one_query
SELECT x AS b, y AS b FROM (VALUES (1, 3), (2, 1), (3, 2)) AS t (x, y) ORDER BY b
-- order_of_one_column_twice
SELECT x, x FROM (VALUES (1, 3), (2, 1), (3, 2)) AS t (x, y) ORDER BY x
-- order_by_a_number
SELECT x AS b, y AS b FROM (VALUES (1, 3), (2, 1), (3, 2)) AS t (x, y) ORDER BY 2
-- order_by_too_large_a_number
SELECT x, y FROM (VALUES (1, 3), (2, 1), (3, 2)) AS t (x, y) ORDER BY 3
-- order_by_0
SELECT x, y FROM (VALUES (1, 3), (2, 1), (3, 2)) AS t (x, y) ORDER BY 0
-- equal_names_in_a_subquery
SELECT * FROM (SELECT 1 AS a, 2 AS a UNION ALL SELECT 3, 4)
