-- versions_at_times
SELECT o.id, o.item, o.ts, p.paid, p.note, p.ts AS since
FROM orders AS o JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id = p.id

-- rows_without_versions
SELECT o.id, o.item, p.paid FROM orders AS o LEFT JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id = p.id

-- conditions_on_versions
SELECT o.id, o.ts, p.paid FROM orders AS o
LEFT JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id = p.id AND p.paid > 2 AND o.item <> 'pap'

-- conditions_in_where
SELECT o.id, o.item, p.paid FROM orders AS o JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id = p.id
WHERE p.note = 'x' AND o.id > 0

-- comparisons_of_both_sides
SELECT o.id, p.note FROM orders AS o JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON p.id = o.id AND p.paid > o.id

-- event_time_of_joined_rows
SELECT TUMBLE_END(ts, INTERVAL '10' SECOND) AS e, COUNT(*) AS n, SUM(paid) AS s FROM (
    SELECT o.ts, p.paid FROM orders AS o LEFT JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id = p.id
) GROUP BY TUMBLE(ts, INTERVAL '10' SECOND)

-- expressions_as_keys
SELECT o.id, p.paid FROM orders AS o JOIN last_payments FOR SYSTEM_TIME AS OF o.ts AS p ON o.id + 1 - 1 = p.id
