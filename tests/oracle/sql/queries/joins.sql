-- inner
SELECT o.id, c.city FROM orders AS o JOIN customers AS c ON o.customer = c.name
-- left
SELECT o.id, c.city FROM orders o LEFT JOIN customers c ON o.customer = c.name
-- right
SELECT o.id, c.city FROM orders o RIGHT JOIN customers c ON o.customer = c.name
-- full
SELECT o.id, c.city FROM orders o FULL OUTER JOIN customers c ON o.customer = c.name
-- cross
SELECT c.name, d.city FROM customers c CROSS JOIN customers d WHERE c.level = 1
-- comma
SELECT o.id, c.city FROM orders o, customers c WHERE o.customer = c.name AND c.level > 1
-- using
SELECT * FROM (SELECT id, customer FROM orders) a JOIN (SELECT id, amount FROM orders) b USING (id)
-- natural
SELECT * FROM (SELECT id, customer FROM orders) a NATURAL JOIN (SELECT id, amount FROM orders) b
-- self
SELECT a.id, b.id AS other FROM orders a JOIN orders b ON a.customer = b.customer AND a.id < b.id
-- star_of_both
SELECT * FROM orders o JOIN customers c ON o.customer = c.name WHERE o.id = 1
-- star_of_equal_names
SELECT * FROM (SELECT id, amount FROM orders) a JOIN (SELECT id, amount FROM orders) b ON a.id = b.id
-- star_of_one
SELECT c.*, o.id FROM orders o JOIN customers c ON o.customer = c.name
-- inequality
SELECT a.id, b.id AS other FROM orders a JOIN orders b ON a.amount < b.amount
-- in_subquery
SELECT id FROM orders WHERE customer IN (SELECT name FROM customers WHERE city = 'Oslo')
-- not_in_subquery
SELECT id FROM orders WHERE customer NOT IN (SELECT name FROM customers WHERE name IS NOT NULL)
-- not_in_with_null
SELECT id FROM orders WHERE customer NOT IN (SELECT name FROM customers)
-- exists
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.name AND o.amount > 25)
-- not_exists
SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.name)
-- scalar_subquery
SELECT id, amount - (SELECT AVG(amount) FROM orders) AS off FROM orders
-- correlated_scalar_subquery
SELECT name, (SELECT SUM(amount) FROM orders o WHERE o.customer = c.name) AS total FROM customers c
-- lateral
SELECT c.name, t.id FROM customers c, LATERAL (SELECT id FROM orders o WHERE o.customer = c.name) AS t
-- interval
SELECT o.id, c.name FROM orders o JOIN customers c ON o.customer = c.name AND o.ts BETWEEN c.since AND c.since + INTERVAL '5' MINUTE
-- interval_of_both_sides
SELECT a.id, b.id AS other FROM orders a, orders b WHERE a.id <> b.id AND a.ts >= b.ts - INTERVAL '3' MINUTE AND a.ts < b.ts + INTERVAL '3' MINUTE
-- three_tables
SELECT o.id, c.city, d.name FROM orders o JOIN customers c ON o.customer = c.name JOIN customers d ON d.city = c.city
-- union_all
SELECT id FROM orders WHERE id < 3 UNION ALL SELECT id FROM orders WHERE id < 2
-- union
SELECT customer FROM orders UNION SELECT name FROM customers
-- union_of_types
SELECT ti AS x FROM numbers UNION ALL SELECT bi FROM numbers
-- union_of_decimals
SELECT de AS x FROM numbers UNION ALL SELECT i FROM numbers
-- intersect
SELECT customer FROM orders INTERSECT SELECT name FROM customers
-- intersect_all
SELECT customer FROM orders INTERSECT ALL SELECT customer FROM orders WHERE id > 1
-- except
SELECT customer FROM orders EXCEPT SELECT name FROM customers
-- except_all
SELECT customer FROM orders EXCEPT ALL SELECT name FROM customers
-- order_by
SELECT id, amount FROM orders ORDER BY amount, id DESC
-- order_by_nulls
SELECT id, amount FROM orders ORDER BY amount DESC NULLS LAST, id
-- order_by_descending
SELECT id, amount FROM orders ORDER BY amount DESC, id
-- order_by_position
SELECT id, amount FROM orders ORDER BY 2, 1
-- order_by_unselected
SELECT id FROM orders ORDER BY ts DESC
-- limit
SELECT id FROM orders ORDER BY id LIMIT 3
-- offset
SELECT id FROM orders ORDER BY id LIMIT 2 OFFSET 3
-- fetch
SELECT id FROM orders ORDER BY id OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY
-- fetch_first
SELECT id FROM orders ORDER BY id FETCH FIRST 1 ROWS ONLY
-- with
WITH t AS (SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer), u AS (SELECT * FROM t WHERE total > 20) SELECT u.customer, c.city FROM u LEFT JOIN customers c ON u.customer = c.name
-- with_columns
WITH t (a, b) AS (SELECT id, amount FROM orders) SELECT b, a FROM t WHERE a < 3
-- view
SELECT * FROM big_orders WHERE twice > 50
-- view_with_names
SELECT city FROM cities WHERE members > 1
-- qualified_by_table
SELECT orders.id, orders.amount FROM orders WHERE orders.id = 2
-- table_aliases
SELECT x.a FROM orders AS x(a, b, c, e, g) WHERE x.a > 6
-- nested_unions
(SELECT id FROM orders WHERE id = 1 UNION ALL SELECT id FROM orders WHERE id = 2) UNION ALL SELECT id FROM orders WHERE id = 3
-- any_and_all
SELECT id FROM orders WHERE amount > ALL (SELECT level * 10 FROM customers WHERE level IS NOT NULL)
-- some
SELECT id FROM orders WHERE amount = SOME (SELECT level * 10 FROM customers)
-- order_by_expression
SELECT id, amount FROM orders WHERE amount IS NOT NULL ORDER BY ABS(amount - 20) DESC, id
-- order_by_expression_of_result
SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer ORDER BY n * -1, UPPER(customer)

-- lateral_aggregates
SELECT name, n, total FROM customers AS c, LATERAL (
    SELECT COUNT(*) AS n, SUM(amount) AS total FROM orders WHERE customer = c.name) AS o

-- lateral_rows_by_a_condition
SELECT name, o.id FROM customers AS c, LATERAL (SELECT id FROM orders WHERE customer = c.name AND amount > 2) AS o
