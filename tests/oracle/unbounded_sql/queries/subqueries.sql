-- in_subquery
SELECT id AS k, item FROM orders WHERE id IN (SELECT id FROM payments)

-- in_subquery_or_condition
SELECT id AS k, item FROM orders WHERE id IN (SELECT id FROM payments WHERE note = 'y') OR item = 'ink'

-- in_subquery_of_groups
SELECT shop AS k, amount FROM sales WHERE shop IN (SELECT shop FROM returned GROUP BY shop HAVING SUM(amount) > 0)

-- not_in_subquery
SELECT id AS k, paid FROM payments WHERE note NOT IN (SELECT shop FROM returned WHERE shop IS NOT NULL) AND paid < 9

-- not_in_with_null
SELECT shop AS k, amount FROM sales WHERE amount NOT IN (SELECT id FROM orders WHERE item = 'pap' OR id > 0)

-- not_in_with_key
SELECT s.shop AS k, s.amount FROM sales AS s WHERE s.amount NOT IN (SELECT r.amount FROM returned AS r WHERE r.shop = s.shop)

-- not_in_with_key_and_null
SELECT o.id AS k, o.item FROM orders AS o WHERE o.item NOT IN (SELECT p.note FROM payments AS p WHERE p.id = o.id)

-- exists_with_key
SELECT o.id AS k, o.item FROM orders AS o WHERE EXISTS (SELECT 1 FROM payments AS p WHERE p.id = o.id AND p.paid > 2)

-- not_exists_with_key
SELECT o.id AS k, o.item FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM payments AS p WHERE p.id = o.id AND p.paid > 2)

-- exists_without_key
SELECT id AS k, item FROM orders WHERE EXISTS (SELECT 1 FROM payments WHERE paid > 6)

-- value_in_condition
SELECT shop AS k, amount FROM sales WHERE amount > (SELECT AVG(amount) FROM returned)

-- value_in_select
SELECT id AS k, (SELECT MAX(paid) FROM payments WHERE paid < 9) AS m FROM orders WHERE id > 0

-- value_with_key
SELECT o.id AS k, (SELECT MAX(p.paid) FROM payments AS p WHERE p.id = o.id) AS m FROM orders AS o WHERE o.id > 0

-- count_with_key
SELECT o.id AS k, (SELECT COUNT(*) FROM payments AS p WHERE p.id = o.id) AS c FROM orders AS o WHERE o.id > 0

-- intersect_distinct
SELECT shop AS k, item FROM sales INTERSECT SELECT shop, item FROM returned

-- intersect_all
SELECT item AS k FROM sales INTERSECT ALL SELECT item FROM orders

-- except_distinct
SELECT item AS k FROM sales EXCEPT SELECT item FROM orders

-- except_all
SELECT item AS k FROM sales EXCEPT ALL SELECT item FROM orders

-- in_as_a_value
SELECT shop, item, shop IN (SELECT shop FROM returned) AS b FROM sales

-- value_of_one_row
SELECT shop, amount, (SELECT city FROM shops WHERE shops.shop = sales.shop) AS city FROM sales

-- exists_as_a_value
SELECT shop, item, EXISTS (SELECT 1 FROM returned AS r WHERE r.shop = sales.shop) AS e FROM sales

-- several_values_in
SELECT shop, item, amount FROM sales WHERE (shop, item) IN (SELECT shop, item FROM returned)

-- not_in_or
SELECT shop, item, amount FROM sales WHERE shop NOT IN (SELECT shop FROM returned WHERE shop IS NOT NULL) OR amount > 100
