-- several_values_in
SELECT id FROM orders WHERE (id, amount) IN (SELECT id, id * 10 FROM nested)

-- in_a_union
SELECT id FROM orders WHERE id IN (SELECT id FROM nested UNION SELECT 7)

-- rows_in_a_list
SELECT id FROM orders WHERE (id, amount) IN ((1, 10), (2, 3), (7, 40))

-- values_of_one_row
SELECT id, (SELECT city FROM customers WHERE name = customer) AS city FROM orders WHERE amount > (SELECT level FROM customers WHERE name = 'bob')

-- value_of_the_first_row
SELECT id FROM orders WHERE amount = (SELECT amount FROM orders ORDER BY amount DESC NULLS LAST LIMIT 1)

-- values_without_tables
SELECT id, (SELECT 5) AS five FROM orders WHERE id = (SELECT 3)

-- value_of_several_rows
SELECT id FROM orders WHERE amount > (SELECT level FROM customers)

-- in_as_a_value
SELECT id, CASE WHEN id IN (SELECT id FROM nested) THEN 'y' ELSE 'n' END, customer IN (SELECT name FROM customers) AS b, amount NOT IN (SELECT level FROM customers WHERE level IS NOT NULL) AS c FROM orders

-- exists_as_a_value
SELECT id, EXISTS (SELECT 1 FROM nested WHERE nested.id = orders.id) AS e FROM orders

-- not_in_or
SELECT id FROM orders WHERE id NOT IN (SELECT id FROM nested) OR customer = 'ann'

-- sum_of_rows_in_a_subquery
SELECT SUM(CASE WHEN id IN (SELECT id FROM nested) THEN amount ELSE 0 END) AS s FROM orders
