-- fields_of_rows_of_a_subquery
SELECT r.a, UPPER(r.b) AS b FROM (SELECT * FROM nested) WHERE r.a + 1 > 0 ORDER BY r.b NULLS LAST

-- groups_of_fields_of_rows
SELECT r.a, COUNT(*) AS n, MAX(q.r.b) FROM (SELECT * FROM nested) AS q GROUP BY r.a

-- fields_of_rows_in_a_join
SELECT t.r.b, n.d FROM (SELECT * FROM nested) AS t JOIN numbers AS n ON t.r.a = n.id

-- fields_of_rows_in_with
WITH x(k, v) AS (SELECT id, r FROM nested) SELECT v.a, x.v.b FROM x

-- fields_of_elements
SELECT r.a AS b, items[1].b AS c, items[1].a, (r).b FROM nested WHERE r.a IS NOT NULL ORDER BY r.b

-- all_fields_of_rows
SELECT t.*, r.* FROM (SELECT id, r FROM nested) AS t

-- grouping_sets_of_fields
SELECT r.a AS a, COUNT(*) AS n FROM (SELECT * FROM nested) GROUP BY GROUPING SETS ((r.a), ())

-- names_of_with
WITH x(a, b) AS (SELECT id, amount FROM orders ORDER BY amount, id LIMIT 3), y(c) AS (SELECT a + b FROM x) SELECT c, x.a FROM x JOIN y ON c > a

-- names_of_a_union
WITH x(a, b) AS (SELECT id, amount FROM orders UNION ALL SELECT id, id FROM nested ORDER BY amount, id LIMIT 3) SELECT * FROM x

-- names_of_a_sorted_subquery
SELECT b, a FROM (SELECT id, amount AS z FROM orders ORDER BY z + 1, id LIMIT 2) AS t(a, b)

-- numbered_columns_of_a_star
SELECT id0, amount, q.customer0 FROM (SELECT * FROM orders a JOIN orders b ON a.id = b.id) AS q WHERE q.id0 < 4

-- numbered_columns_behind_others
SELECT id, *, 1 AS x FROM (SELECT id FROM orders) WHERE id = 2

-- numbered_columns_beside_using
SELECT customer0, id FROM (SELECT * FROM orders a JOIN orders b USING (id))

-- columns_of_two_subqueries_without_names
SELECT * FROM (SELECT id FROM orders), (SELECT name FROM customers) WHERE id = 1

-- order_by_one_of_two_columns
SELECT a.*, b.amount AS x FROM orders a JOIN orders b ON a.id = b.id ORDER BY amount, 1

-- order_by_a_numbered_column
SELECT * FROM orders a JOIN orders b ON a.id = b.id ORDER BY id0 DESC

-- order_of_a_union_by_an_expression
SELECT id, amount FROM orders UNION ALL SELECT level, level + 1 FROM customers ORDER BY amount + id, id DESC LIMIT 5

-- order_by_a_number_beyond_int
SELECT * FROM orders ORDER BY 3000000000, id DESC

-- limit_all
SELECT id FROM orders ORDER BY 1 LIMIT ALL
