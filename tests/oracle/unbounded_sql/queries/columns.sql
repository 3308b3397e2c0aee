-- group_by_several_keys_with_nulls
SELECT shop AS k1, item AS k2, COUNT(*) AS n, COUNT(amount) AS amounts FROM sales GROUP BY shop, item

-- aggregates_of_each_type
SELECT shop AS k, SUM(amount) AS s1, AVG(amount) AS a1, MIN(amount) AS l1, MAX(amount) AS g1,
    SUM(price) AS s2, AVG(price) AS a2, MIN(price) AS l2, MAX(price) AS g2,
    SUM(weight) AS s3, AVG(weight) AS a3, MIN(weight) AS l3, MAX(weight) AS g3,
    MIN(item) AS l4, MAX(item) AS g4, MIN(ts) AS l5, MAX(ts) AS g5
FROM sales GROUP BY shop

-- global_aggregates
SELECT COUNT(*) AS n, COUNT(price) AS prices, SUM(price) AS s, AVG(weight) AS a, MAX(item) AS g FROM sales

-- distinct_aggregates
SELECT shop AS k, COUNT(DISTINCT item) AS items, SUM(DISTINCT amount) AS s, AVG(DISTINCT price) AS a,
    MIN(DISTINCT item) AS l FROM sales GROUP BY shop

-- global_distinct_aggregates
SELECT COUNT(DISTINCT shop) AS shops, COUNT(DISTINCT item) AS items FROM sales

-- first_and_last_value
SELECT item AS k, FIRST_VALUE(shop) AS f, LAST_VALUE(amount) AS l FROM sales GROUP BY item

-- key_not_selected
SELECT shop AS k, MAX(amount) AS g FROM sales GROUP BY shop, shop

-- distinct_column
SELECT DISTINCT item FROM sales

-- distinct_rows
SELECT DISTINCT shop, amount FROM sales

-- tumble
SELECT window_start, window_end, window_time, shop, SUM(amount) AS s, AVG(price) AS a, COUNT(*) AS n,
    MAX(item) AS g FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY shop, window_start, window_end, window_time

-- tumble_of_all_rows
SELECT COUNT(*) AS n, window_end, COUNT(DISTINCT shop) AS shops
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end

-- tumble_with_offset
SELECT t.window_start, t.shop, t.item, MIN(t.weight) AS l
FROM TABLE(TUMBLE(DATA => TABLE sales, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' SECONDS,
    `OFFSET` => INTERVAL '3' SECONDS)) AS t GROUP BY t.window_start, t.window_end, t.shop, t.item

-- tumble_with_negative_offset
SELECT window_start, FIRST_VALUE(item) AS f, LAST_VALUE(amount) AS l
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '-4' SECOND))
GROUP BY window_start, window_end

-- hop
SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(weight) AS s
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end, shop

-- hop_with_offset
SELECT window_start, window_end, COUNT(DISTINCT item) AS items
FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND, INTERVAL '1' SECOND))
GROUP BY window_start, window_end

-- cumulate
SELECT window_start, window_end, window_time, item, SUM(amount) AS s
FROM TABLE(CUMULATE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND))
GROUP BY window_start, window_end, window_time, item

-- cumulate_with_offset
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(CUMULATE(TABLE sales, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '6' SECOND, INTERVAL '1' SECOND))
GROUP BY window_start, window_end

-- session
SELECT window_start, window_end, COUNT(*) AS n, SUM(amount) AS s
FROM TABLE(SESSION(TABLE sales, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY window_start, window_end

-- session_with_key
SELECT window_start, window_end, window_time, shop, COUNT(*) AS n, MAX(price) AS g, COUNT(DISTINCT item) AS items
FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '7' SECOND))
GROUP BY window_start, window_end, window_time, shop

-- distinct_of_windows
SELECT DISTINCT window_start, window_end, item
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))

-- windows_of_windows_of_a_view
SELECT window_start, window_end, MAX(total) AS g, SUM(n) AS n, COUNT(*) AS rows_of_view
FROM TABLE(TUMBLE(TABLE totals, DESCRIPTOR(wt), INTERVAL '20' SECOND)) GROUP BY window_start, window_end

-- updates_of_windows
SELECT shop AS k, COUNT(*) AS n, MAX(total) AS g FROM totals GROUP BY shop

-- join
SELECT o.id, o.item, p.paid, p.note, o.ts AS ordered FROM orders AS o JOIN payments AS p ON o.id = p.id

-- join_of_two_keys
SELECT s.shop, s.item, s.amount, r.amount AS returned, s.weight
FROM sales AS s, returned AS r WHERE s.shop = r.shop AND r.item = s.item

-- join_with_a_bounded_table
SELECT city, item, amount FROM sales JOIN shops ON sales.shop = shops.shop

-- join_of_a_bounded_table_with_another
SELECT shops.city, r.price FROM shops JOIN returned AS r ON shops.shop = r.shop

-- updates_of_a_join
SELECT c.city AS k, SUM(s.amount) AS s, COUNT(*) AS n
FROM returned AS s JOIN shops AS c ON s.shop = c.shop GROUP BY c.city

-- join_of_three
SELECT o.item, p.paid, r.shop FROM orders AS o JOIN payments AS p ON o.id = p.id JOIN returned AS r ON r.item = o.item

-- interval_join_between
SELECT o.id, o.item, p.paid, p.ts FROM orders AS o JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND

-- interval_join_of_other_comparisons
SELECT o.id, o.item, p.paid FROM orders AS o, payments AS p
WHERE p.id = o.id AND o.ts >= p.ts - INTERVAL '10' SECOND AND o.ts < p.ts + INTERVAL '0' SECOND

-- interval_self_join
SELECT a.shop, a.item, b.item AS later, a.ts FROM returned AS a JOIN returned AS b
ON a.item = b.item AND b.ts >= a.ts AND b.ts <= a.ts + INTERVAL '8' SECOND

-- self_join
SELECT a.item, b.item AS other FROM orders AS a JOIN orders AS b ON a.id = b.id

-- union_all
SELECT shop, item, price, ts FROM sales UNION ALL SELECT shop, item, price, ts FROM returned

-- windows_of_a_union
WITH events AS (SELECT id, ts FROM orders UNION ALL SELECT id, ts FROM payments)
SELECT window_start, id, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, id

-- with_and_subqueries
WITH renamed AS (SELECT item AS thing, amount AS n, ts FROM sales), again AS (SELECT n, thing FROM renamed)
SELECT thing AS k, MAX(n) AS g FROM (SELECT thing, n FROM again) AS x GROUP BY thing

-- view_of_columns
SELECT place AS k, SUM(n) AS s FROM named GROUP BY place

-- windows_of_a_view_of_columns
SELECT window_start, place, SUM(n) AS s
FROM TABLE(TUMBLE(TABLE named, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, place

-- fields_of_rows
SELECT r.b AS item, r.a FROM (SELECT CAST(ROW(amount, item) AS ROW<a INT, b STRING>) AS r FROM sales)

-- windows_of_fields_of_rows
WITH v(r, t) AS (SELECT CAST(ROW(amount, item) AS ROW<a INT, b STRING>), ts FROM sales) SELECT window_start, r.b, MAX(r.a) AS m FROM TABLE(TUMBLE(TABLE v, DESCRIPTOR(t), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, r.b

-- numbered_columns_of_a_star
SELECT shop0, amount, city FROM (SELECT * FROM sales AS a JOIN shops AS b ON a.shop = b.shop)
