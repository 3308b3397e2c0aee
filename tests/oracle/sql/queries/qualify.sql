-- first_rows
SELECT id, customer FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts) = 1

-- numbers_by_name
SELECT id, customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts DESC) AS rn FROM orders QUALIFY rn <= 2

-- sums
SELECT id, customer FROM orders WHERE id > 1 QUALIFY SUM(amount) OVER (PARTITION BY customer) > 40

-- ranks_of_all_columns
SELECT * FROM orders QUALIFY RANK() OVER (ORDER BY amount DESC) < 3 AND id > 3

-- several_functions
SELECT id AS k, MAX(amount) OVER (PARTITION BY customer) AS m FROM orders QUALIFY m > 25 AND k > 2 AND LAG(amount) OVER (PARTITION BY customer ORDER BY ts) IS NOT NULL

-- names_before_columns
SELECT id AS amount, customer FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY amount) <= 2

-- with_a_subquery
SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY id) IN (SELECT id FROM nested)

-- named_windows
SELECT id FROM orders WINDOW w AS (PARTITION BY customer ORDER BY ts) QUALIFY ROW_NUMBER() OVER w = 1

-- in_a_subquery
SELECT * FROM orders WHERE id IN (SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts) = 1)

-- of_a_join
SELECT o.id, c.city FROM orders o JOIN customers c ON o.customer = c.name QUALIFY ROW_NUMBER() OVER (PARTITION BY c.city ORDER BY o.ts DESC) = 1

-- ordered_by_another_column
SELECT customer, id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts) = 1 ORDER BY amount LIMIT 3

-- distinct_rows
SELECT DISTINCT customer FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ts) <= 2

-- of_the_last_part_of_a_union
SELECT id FROM orders UNION ALL SELECT id FROM nested QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1

-- two_columns_of_a_name
SELECT id, id AS id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM orders QUALIFY r < 3

-- fields_of_rows
SELECT r.b FROM nested QUALIFY ROW_NUMBER() OVER (ORDER BY r.a DESC) = 2 AND r.b IS NOT NULL

-- defaults_of_other_types
SELECT id, LAG(i, 1, 0.7) OVER (ORDER BY id), LAG(d, 1, 2) OVER (ORDER BY id), LEAD(bi, 1, '7') OVER (ORDER BY id), LAG(s, 1, DATE '2020-01-01') OVER (ORDER BY id), LEAD(s, -1) OVER (ORDER BY id), LAG(b, 1, 'true') OVER (ORDER BY id) FROM (SELECT n.*, CAST(n.id AS STRING) AS s FROM numbers AS n WHERE n.i IS NOT NULL)

-- defaults_of_columns
SELECT id, LAG(bi, 1, d) OVER (ORDER BY id), LAG(ts, 1, ltz) OVER (ORDER BY id) FROM (SELECT n.id, bi, d, ts, ltz FROM numbers AS n JOIN times AS t ON n.id = t.id WHERE n.id < 4)
