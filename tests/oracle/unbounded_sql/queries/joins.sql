-- left_join
SELECT o.id, o.item, p.paid, p.note FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id

-- right_join
SELECT o.item, p.id, p.paid, p.note, p.ts FROM orders AS o RIGHT OUTER JOIN payments AS p ON o.id = p.id

-- full_join
SELECT o.id, o.item, o.ts, p.paid, p.note FROM orders AS o FULL JOIN payments AS p ON o.id = p.id

-- left_join_with_a_bounded_table
SELECT s.shop, s.item, s.amount, c.city FROM sales AS s LEFT JOIN shops AS c ON s.shop = c.shop

-- full_join_of_two_keys
SELECT s.shop, s.item, s.amount, r.shop AS shop2, r.item AS item2, r.amount AS returned
FROM sales AS s FULL JOIN returned AS r ON s.shop = r.shop AND s.item = r.item

-- full_join_of_equal_rows
SELECT a.shop, b.shop AS other
FROM (SELECT shop FROM sales) AS a FULL JOIN (SELECT shop FROM returned) AS b ON a.shop = b.shop

-- outer_joins_of_three
SELECT o.id, o.item, p.paid, p.note, r.shop
FROM orders AS o FULL JOIN payments AS p ON o.id = p.id LEFT JOIN returned AS r ON o.item = r.item

-- inner_join_after_an_outer_one
SELECT o.id, o.item, p.note, p.paid, c.city FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id
JOIN returned AS r ON o.item = r.item JOIN shops AS c ON r.shop = c.shop

-- join_of_updates
SELECT g.shop, g.n, g.s, c.city
FROM (SELECT shop, COUNT(*) AS n, SUM(amount) AS s FROM sales GROUP BY shop) AS g JOIN shops AS c ON g.shop = c.shop

-- left_join_of_updates
SELECT g.shop, g.n, c.city
FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop) AS g LEFT JOIN shops AS c ON g.shop = c.shop

-- right_join_of_updates
SELECT g.shop, g.n, c.city
FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop) AS g RIGHT JOIN shops AS c ON g.shop = c.shop

-- full_join_of_updates_on_both_sides
SELECT a.item, a.n, b.item AS item2, b.n AS n2 FROM (SELECT item, COUNT(*) AS n FROM sales GROUP BY item) AS a
FULL JOIN (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) AS b ON a.item = b.item

-- join_of_updates_with_rows
SELECT g.item, g.n, o.id FROM (SELECT item, COUNT(*) AS n FROM sales GROUP BY item) AS g
JOIN orders AS o ON g.item = o.item

-- full_join_on_a_value_that_is_updated
SELECT a.shop, a.m, b.item, b.g FROM (SELECT shop, MAX(amount) AS m FROM sales GROUP BY shop) AS a
FULL JOIN (SELECT item, MAX(id) AS g FROM orders GROUP BY item) AS b ON a.m = b.g

-- inner_join_with_another_condition
SELECT o.id, o.item, p.paid, p.note FROM orders AS o JOIN payments AS p ON o.id = p.id AND p.paid < o.id + 1

-- left_join_with_another_condition
SELECT o.id, o.item, p.paid, p.note FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id AND p.paid < o.id + 1

-- full_join_with_conditions_on_one_side
SELECT o.id, o.item, p.id AS id2, p.paid, p.note
FROM orders AS o FULL JOIN payments AS p ON o.id = p.id AND p.paid > 2 AND o.id < 3

-- left_join_with_a_condition_on_the_left_side
SELECT o.id, o.item, p.paid, p.note FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id AND o.id <> 1

-- outer_join_whose_nulls_are_dropped
SELECT o.id, o.item, p.paid, p.note FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id WHERE o.item <> p.note

-- join_of_expressions
SELECT o.id, o.item, p.id AS id2, p.note FROM orders AS o JOIN payments AS p ON o.id + 1 = p.id * 2 - 1

-- left_join_of_expressions
SELECT o.id, o.item, p.id AS id2, p.note FROM orders AS o LEFT JOIN payments AS p ON o.id + 1 = p.id

-- cross_join
SELECT c.shop, c.city, r.item, r.price, r.ts FROM shops AS c CROSS JOIN returned AS r

-- join_without_an_equality
SELECT o.id, o.item, p.id AS id2, p.note FROM orders AS o JOIN payments AS p ON o.id > p.id

-- full_join_without_an_equality
SELECT o.id, o.item, p.id AS id2, p.note, p.paid FROM orders AS o FULL JOIN payments AS p ON o.id > p.id

-- join_on_null
SELECT s.shop, s.item, r.price FROM sales AS s JOIN returned AS r ON s.item IS NOT DISTINCT FROM r.item

-- join_of_integers_with_decimals
SELECT s.shop, s.item, s.amount, r.price, r.item AS item2 FROM sales AS s JOIN returned AS r ON s.amount = r.price

-- join_of_integers_with_floats
SELECT s.shop, s.item, s.amount, r.weight, r.item AS item2 FROM sales AS s JOIN returned AS r ON s.amount = r.weight

-- full_join_of_floats_with_decimals
SELECT s.shop, s.item, s.weight, r.price, r.item AS item2, s.ts FROM sales AS s
FULL JOIN returned AS r ON s.weight = r.price

-- join_on_one_bound
SELECT o.id, o.item, p.paid, p.note, o.ts FROM orders AS o JOIN payments AS p ON o.id = p.id AND p.ts > o.ts

-- left_join_on_one_bound
SELECT o.id, o.item, p.paid, p.note, o.ts FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id AND p.ts > o.ts

-- union_all_of_other_types
SELECT shop, amount AS x, price AS y FROM sales UNION ALL SELECT item, price, weight FROM returned
