-- left_interval_join
SELECT o.id, o.item, o.ts, p.paid, p.note, p.ts AS paid_at FROM orders AS o LEFT JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND

-- right_interval_join
SELECT o.id, o.item, o.ts, p.paid, p.note, p.ts AS paid_at FROM orders AS o RIGHT JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND

-- full_interval_join
SELECT o.id, o.item, o.ts, p.paid, p.note, p.ts AS paid_at FROM orders AS o FULL JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND

-- full_interval_join_with_another_condition
SELECT o.id, o.item, o.ts, p.paid, p.note FROM orders AS o FULL JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '9' SECOND AND p.paid < o.id + 1

-- interval_join_with_another_condition
SELECT o.id, o.item, o.ts, p.paid, p.note FROM orders AS o JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '9' SECOND AND p.paid < o.id + 1

-- left_interval_join_in_the_past
SELECT o.id, o.item, o.ts, p.paid, p.note FROM orders AS o LEFT JOIN payments AS p
ON o.id = p.id AND p.ts BETWEEN o.ts - INTERVAL '5' SECOND AND o.ts - INTERVAL '1' SECOND

-- left_interval_join_of_late_rows
SELECT s.shop, s.item, s.amount, s.ts, r.ts AS returned_at FROM sales AS s LEFT JOIN returned AS r
ON s.shop = r.shop AND r.ts BETWEEN s.ts AND s.ts + INTERVAL '3' SECOND

-- join_of_equal_times
SELECT o.id, o.item, o.ts, p.id AS id2, p.note FROM orders AS o JOIN payments AS p ON o.ts = p.ts

-- full_join_of_equal_times_and_keys
SELECT o.id, o.item, o.ts, p.id AS id2, p.note, p.ts AS paid_at FROM orders AS o
FULL JOIN payments AS p ON o.id = p.id AND o.ts = p.ts

-- windows_of_an_interval_join
WITH paid AS (SELECT o.id, o.ts AS ordered FROM orders AS o JOIN payments AS p ON o.id IS NOT DISTINCT FROM p.id
AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND)
SELECT window_start, COUNT(*) AS n, MAX(id) AS g
FROM TABLE(TUMBLE(TABLE paid, DESCRIPTOR(ordered), INTERVAL '5' SECOND)) GROUP BY window_start, window_end

-- windows_of_a_left_interval_join
WITH paid AS (SELECT o.id, o.ts AS ordered, p.paid FROM orders AS o LEFT JOIN payments AS p ON o.id = p.id
AND p.ts BETWEEN o.ts - INTERVAL '2' SECOND AND o.ts + INTERVAL '4' SECOND)
SELECT window_start, COUNT(*) AS n, COUNT(paid) AS payments
FROM TABLE(TUMBLE(TABLE paid, DESCRIPTOR(ordered), INTERVAL '5' SECOND)) GROUP BY window_start, window_end
