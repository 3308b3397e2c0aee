-- access
SELECT id, ints[1] AS a, tags[2] AS b, counts['a'] AS c, r.a AS e, nested.r.b AS g, items[1].b AS h FROM nested
-- access_out_of_range
SELECT id, ints[9] AS a, counts['zzz'] AS b FROM nested
-- element
SELECT ELEMENT(ARRAY['x']) AS c
-- cardinality
SELECT id, CARDINALITY(ints) AS a, CARDINALITY(counts) AS b, CARDINALITY(ARRAY[1, 2]) AS c FROM nested
-- constructors
SELECT id, ARRAY[id, 2] AS a, MAP['k', id] AS b, ROW(id, 'x') AS c, ARRAY['a', 'bcd'] AS e, MAP['k', 1, 'l', 2] AS g, ARRAY[ARRAY[1], ARRAY[2, 3]] AS h FROM nested
-- functions_of_arrays
SELECT id, ARRAY_CONTAINS(ints, 2) AS a, ARRAY_DISTINCT(ints) AS b, ARRAY_POSITION(ints, 5) AS c, ARRAY_REVERSE(ints) AS e, ARRAY_REMOVE(ints, 5) AS g, ARRAY_MAX(ints) AS h, ARRAY_MIN(ints) AS k FROM nested
-- more_functions_of_arrays
SELECT id, ARRAY_JOIN(tags, '-') AS a, ARRAY_CONCAT(ints, ARRAY[9]) AS b, ARRAY_SLICE(ints, 2, 3) AS c, ARRAY_APPEND(ints, 7) AS e, ARRAY_PREPEND(ints, 7) AS g, ARRAY_UNION(ints, ARRAY[1, 9]) AS h, ARRAY_SORT(ints) AS k FROM nested
-- functions_of_maps
SELECT id, MAP_KEYS(counts) AS a, MAP_VALUES(counts) AS b, MAP_FROM_ARRAYS(ARRAY['x'], ARRAY[1]) AS c, MAP_ENTRIES(counts) AS e FROM nested WHERE id <> 1
-- array_contains_null
SELECT id, ARRAY_CONTAINS(ints, 9) AS a, ARRAY_CONTAINS(tags, 'x') AS b FROM nested
-- unnest
SELECT id, x FROM nested CROSS JOIN UNNEST(ints) AS u(x)
-- unnest_with_comma
SELECT n.id, u.tag FROM nested n, UNNEST(n.tags) AS u(tag) WHERE u.tag = 'x'
-- left_join_unnest
SELECT id, x FROM nested LEFT JOIN UNNEST(ints) AS u(x) ON TRUE
-- unnest_rows
SELECT id, p, q FROM nested CROSS JOIN UNNEST(items) AS u(p, q)
-- unnest_map
SELECT id, k, v FROM nested CROSS JOIN UNNEST(counts) AS u(k, v)
-- unnest_constant
SELECT x FROM UNNEST(ARRAY[1, 2, 3]) AS u(x)
-- unnest_rows_with_ordinality
SELECT id, p, q, o FROM nested CROSS JOIN UNNEST(items) WITH ORDINALITY AS u(p, q, o)
-- unnest_map_with_ordinality
SELECT id, k, v, o FROM nested LEFT JOIN UNNEST(counts) WITH ORDINALITY AS u(k, v, o) ON TRUE
-- unnest_multiset
SELECT customer, x FROM (SELECT customer, COLLECT(amount) AS m FROM orders GROUP BY customer) CROSS JOIN UNNEST(m) AS u(x)
-- unnest_with_ordinality
SELECT id, x, o FROM nested CROSS JOIN UNNEST(tags) WITH ORDINALITY AS u(x, o)
-- columns
SELECT * FROM nested
-- row_of_a_subquery
SELECT t.x.a AS a, t.x.b AS b FROM (SELECT r AS x FROM nested) AS t
-- row_field_star
SELECT id, nested.r.* FROM nested
-- comparison_of_arrays
SELECT id FROM nested WHERE ints = ARRAY[1, 2, 3]
-- collect
SELECT customer, COLLECT(amount) AS a FROM orders GROUP BY customer
-- array_agg
SELECT customer, ARRAY_AGG(amount) AS a FROM orders WHERE customer = 'ann' GROUP BY customer
-- access_by_columns
SELECT id, ints[id] AS a, ints[id + 1] AS b, ints[CAST(2 AS INT)] AS c, MAP[1, 'x', 2, 'y'][id % 2 + 1] AS e, MAP[1, 'x', 2, 'y'][1] AS g, MAP[CAST(1 AS BIGINT), 'x'][2 - 1] AS h, ints[CARDINALITY(ints)] AS k FROM nested WHERE id <> 2
-- unnest_in_lateral
SELECT id, x FROM nested, LATERAL (SELECT x FROM UNNEST(nested.ints) AS u(x)) AS q

-- equal_collections
SELECT ARRAY[1, 2] = ARRAY[2, 1] AS a, ARRAY[1] <> ARRAY[1, 2] AS b, ARRAY[1, CAST(NULL AS INT)] = ARRAY[1, CAST(NULL AS INT)] AS c, ARRAY[1] = ARRAY[CAST(1 AS BIGINT)] AS e, MAP['a', 1, 'b', 2] = MAP['b', 2, 'a', 1] AS g, MAP['a', 1] <> MAP['a', 2] AS h, ARRAY[1] IN (ARRAY[1], ARRAY[2]) AS k, ARRAY[1] IS NOT DISTINCT FROM ARRAY[1] AS l, ARRAY[1] = CAST(NULL AS ARRAY<INT>) AS m

-- ordered_collections
SELECT ints < ARRAY[1] AS a FROM nested
