-- projection
SELECT url, n + 1 AS m FROM clicks WHERE n > 3

-- group_aggregate
SELECT u, COUNT(*) AS c, SUM(n) * 2 AS m FROM clicks WHERE n > 3 GROUP BY u HAVING COUNT(*) > 1

-- group_aggregate_of_updates
SELECT c, COUNT(*) AS k FROM (SELECT u, COUNT(*) AS c FROM clicks GROUP BY u) GROUP BY c

-- total
SELECT COUNT(*) AS c, MAX(n) AS m FROM clicks

-- distinct
SELECT DISTINCT u, url FROM clicks

-- tumble
SELECT window_start, u, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, u

-- hop_rows
SELECT u, window_end, n FROM TABLE(HOP(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE))

-- top_n
SELECT u, n, r FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY u ORDER BY n DESC) AS r FROM clicks) WHERE r <= 3

-- top_n_of_updates
SELECT u, c FROM (SELECT u, c, ROW_NUMBER() OVER (ORDER BY c DESC) AS r FROM (SELECT u, COUNT(*) AS c FROM clicks GROUP BY u)) WHERE r <= 3

-- first_row
SELECT u, url FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY u ORDER BY ts) AS r FROM clicks) WHERE r = 1

-- last_row
SELECT u, url FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY u ORDER BY ts DESC) AS r FROM clicks) WHERE r = 1

-- over
SELECT u, SUM(n) OVER (PARTITION BY u ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM clicks

-- union
SELECT u FROM clicks UNION ALL SELECT name FROM users

-- join
SELECT clicks.url, users.city FROM clicks JOIN users ON clicks.u = users.name

-- left_join
SELECT clicks.url, users.city FROM clicks LEFT JOIN users ON clicks.u = users.name AND clicks.n > 1

-- interval_join
SELECT clicks.url, users.city FROM clicks JOIN users ON clicks.u = users.name AND clicks.ts BETWEEN users.`at` - INTERVAL '1' MINUTE AND users.`at`

-- sort_by_time
SELECT u, ts FROM clicks ORDER BY ts, u

-- sort_limit
SELECT u, n FROM clicks ORDER BY n LIMIT 2

-- windows_of_windows
SELECT MAX(c) AS m FROM (SELECT window_start, window_end, u, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, u) GROUP BY window_start, window_end

-- grouping_sets
SELECT u, url, GROUPING(url) AS g, COUNT(*) AS c FROM clicks GROUP BY GROUPING SETS ((u), (url), ())

-- rollup_of_updates
SELECT u, c, SUM(n) AS s FROM (SELECT u, n, COUNT(*) AS c FROM clicks GROUP BY u, n) GROUP BY ROLLUP (u, c)

-- windows_with_grouping_sets
SELECT window_start, u, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, GROUPING SETS ((u), ())

-- window_top_n
SELECT u, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS r FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) WHERE r <= 3

-- window_top_n_of_groups
SELECT u, c, r FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY c DESC) AS r FROM (SELECT window_start, window_end, u, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, u)) WHERE r <= 3

-- window_last_row
SELECT u, url FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, u ORDER BY ts DESC) AS r FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) WHERE r = 1

-- unnest
SELECT u, x FROM clicks CROSS JOIN UNNEST(ARRAY[url, u]) AS t(x)

-- left_unnest
SELECT u, k, v FROM clicks LEFT JOIN UNNEST(MAP['a', n]) AS t(k, v) ON TRUE

-- unnest_of_updates
SELECT u, x FROM (SELECT u, ARRAY[COUNT(*)] AS a FROM clicks GROUP BY u) CROSS JOIN UNNEST(a) AS t(x)

-- windows_of_unnested_rows
SELECT window_start, x, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) CROSS JOIN UNNEST(ARRAY[url, u]) AS t(x) GROUP BY window_start, window_end, x

-- matches
SELECT * FROM clicks MATCH_RECOGNIZE (PARTITION BY u ORDER BY ts, n DESC MEASURES A.n AS a, SUM(B.n) AS s AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C) WITHIN INTERVAL '1' MINUTE DEFINE B AS B.n > LAST(A.n, 1)) AS m

-- groups_of_matches
SELECT u, COUNT(*) AS c FROM clicks MATCH_RECOGNIZE (PARTITION BY u ORDER BY ts MEASURES A.n AS a PATTERN (A B) DEFINE B AS B.n > A.n) GROUP BY u

-- top_n_of_updates_without_their_key
SELECT c FROM (SELECT u, c, ROW_NUMBER() OVER (ORDER BY c DESC) AS r FROM (SELECT u, COUNT(*) AS c FROM clicks GROUP BY u)) WHERE r <= 3

-- conditions_below_a_join
SELECT m FROM (SELECT clicks.u, n AS m, city AS k FROM clicks JOIN users ON clicks.u = users.name) WHERE k > 'a' AND m < 2

-- conditions_below_groups
SELECT u, s FROM (SELECT u, n, SUM(n) AS s FROM clicks GROUP BY u, n) WHERE u = 'a' AND s > 3

-- conditions_below_a_union
SELECT n FROM (SELECT u, n FROM clicks UNION ALL SELECT city, 5 FROM users) WHERE u > 'a'

-- an_outer_join_without_nulls
SELECT clicks.u, users.city FROM clicks LEFT JOIN users ON clicks.u = users.name WHERE users.city LIKE 'a%'

-- merged_selects
SELECT m FROM (SELECT u AS x, n + 1 AS m FROM clicks WHERE n > 1) WHERE x = 'a'
