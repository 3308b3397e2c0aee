-- a condition on the rows of one item is tested before the join
SELECT t.b, u.v FROM t JOIN u ON t.a = u.k WHERE t.c > 1 AND u.w = 'w';
SELECT t.b, u.v FROM (SELECT t.b, t.a FROM t WHERE t.c > 1) AS t JOIN (SELECT u.v, u.k FROM u WHERE u.w = 'w') AS u ON t.a = u.k;

-- a condition on pairs of an inner join is one of ON
SELECT t.b, u.v FROM t CROSS JOIN u WHERE t.a = u.k;
SELECT t.b, u.v FROM t JOIN u ON t.a = u.k;

-- a condition that is already in ON moves before the join, too
SELECT t.b FROM t JOIN u ON t.a = u.k AND t.c > 1;
SELECT t.b FROM (SELECT t.b, t.a FROM t WHERE t.c > 1) AS t JOIN u ON t.a = u.k;

-- a condition on rows that may have nulls in place of a partner is tested after the join
SELECT t.b FROM t LEFT JOIN u ON t.a = u.k WHERE u.v IS NULL;
SELECT t.b FROM t LEFT JOIN u ON t.a = u.k WHERE u.v IS NULL;

-- a condition that is never true of nulls makes an outer join an inner one
SELECT t.b FROM t LEFT JOIN u ON t.a = u.k WHERE u.v = 'v';
SELECT t.b FROM t JOIN (SELECT u.k FROM u WHERE u.v = 'v') AS u ON t.a = u.k;

-- a full join becomes a left join if the rows of the right side need a partner
SELECT t.b FROM t FULL JOIN u ON t.a = u.k WHERE t.c > 1;
SELECT t.b FROM (SELECT t.b, t.a FROM t WHERE t.c > 1) AS t LEFT JOIN u ON t.a = u.k;

-- ON of a left join may drop rows of the right side before it, not those of the left side
SELECT t.b, u.v FROM t LEFT JOIN u ON t.a = u.k AND u.v = 'v' AND t.c > 1;
SELECT t.b, u.v FROM t LEFT JOIN (SELECT u.v, u.k FROM u WHERE u.v = 'v') AS u ON t.a = u.k AND t.c > 1;

-- each condition goes to the first of several joins that has its columns
SELECT x.b FROM t AS x, t AS y, u WHERE x.a = y.a AND y.b = u.v AND u.k > 3 AND x.c + y.c > u.k;
SELECT x.b FROM t AS x JOIN t AS y ON x.a = y.a JOIN (SELECT u.v, u.k FROM u WHERE u.k > 3) AS u ON y.b = u.v AND x.c + y.c > u.k;

-- a condition on all rows of a join stays
SELECT t.b FROM t LEFT JOIN u ON t.a = u.k WHERE t.c > 1 OR u.v = 'v';
SELECT t.b FROM t LEFT JOIN u ON t.a = u.k WHERE t.c > 1 OR u.v = 'v';

-- the rows of a version are those that the join takes, whatever the condition
SELECT t.b FROM t JOIN u FOR SYSTEM_TIME AS OF t.ts ON t.a = u.k WHERE u.v = 'v' AND t.c > 1;
SELECT t.b FROM (SELECT t.b, t.a, t.ts FROM t WHERE t.c > 1) AS t JOIN u ON t.a = u.k AND $SYSTEM_TIME(t.ts) WHERE u.v = 'v';

-- the rows of a table function are tested by their join
SELECT t.a, x FROM t CROSS JOIN UNNEST(ARRAY[a, 1]) AS f(x) WHERE x > 1 AND t.c > 1;
SELECT t.a, f.x FROM (SELECT t.a FROM t WHERE t.c > 1) AS t JOIN UNNEST(ARRAY(t.a, 1)) AS f(x) ON f.x > 1;

-- a condition on the rows of a subquery becomes one of its own
SELECT n FROM (SELECT a + 1 AS n, b FROM t WHERE c > 1) AS s WHERE b = 'b' AND n > 3;
SELECT s.n FROM (SELECT t.a + 1 AS n, t.b FROM t WHERE t.c > 1 AND t.b = 'b' AND (t.a + 1) > 3) AS s;

-- it goes below joins
SELECT m FROM (SELECT x.b, x.a AS m, y.a AS k FROM t AS x JOIN t AS y ON x.b = y.b) AS s WHERE k > 3 AND m < 2;
SELECT s.m FROM (SELECT x.b, x.a AS m, y.a AS k FROM (SELECT x.b, x.a FROM t AS x WHERE x.a < 2) AS x JOIN (SELECT y.a, y.b FROM t AS y WHERE y.a > 3) AS y ON x.b = y.b) AS s;

-- it goes below groups if it is on their keys
SELECT b, s FROM (SELECT b, SUM(c) AS s FROM t GROUP BY b) AS g WHERE b = 'b' AND s > 3;
SELECT g.b, g.s FROM (SELECT t.b, SUM(t.c) AS s FROM t WHERE t.b = 'b' GROUP BY t.b) AS g WHERE g.s > 3;

-- it goes to both sides of UNION ALL
SELECT n FROM (SELECT a AS n, b FROM t UNION ALL SELECT k, v FROM u) AS s WHERE n > 3;
SELECT s.n FROM (SELECT t.a AS n, t.b FROM t WHERE t.a > 3 UNION ALL SELECT u.k, u.v FROM u WHERE u.k > 3) AS s;

-- and to the sides of a join that are subqueries
SELECT s.n FROM (SELECT a AS n FROM t) AS s JOIN u ON s.n = u.k WHERE s.n > 3;
SELECT s.n FROM (SELECT t.a AS n FROM t WHERE t.a > 3) AS s JOIN u ON s.n = u.k;

-- not below LIMIT
SELECT a FROM (SELECT a, b FROM t ORDER BY c LIMIT 3) AS s WHERE b = 'b';
SELECT s.a FROM (SELECT t.a, t.b FROM t ORDER BY t.c LIMIT 3) AS s WHERE s.b = 'b';

-- nor below functions OVER rows
SELECT a FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c) AS r FROM t) AS s WHERE r <= 3 AND a > 1;
SELECT s.a FROM (SELECT t.a, ROW_NUMBER() OVER (PARTITION BY t.b ORDER BY t.c) AS r FROM t) AS s WHERE s.r <= 3 AND s.a > 1;

-- nor where it would compute a function twice
SELECT n FROM (SELECT RAND() AS n FROM t) AS s WHERE n > 0.5;
SELECT s.n FROM (SELECT RAND() AS n FROM t) AS s WHERE s.n > 0.5;

-- the bounds of windows are tested after their groups
SELECT n FROM (SELECT window_start, window_end, b, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, b) AS s WHERE b = 'b' AND window_start > TIMESTAMP '2024-01-01 00:00:00';
SELECT s.n FROM (SELECT _0.window_start, _0.window_end, _0.b, COUNT(*) AS n FROM (SELECT t.a, t.b, t.c, t.p, t.ts, $WINDOW_START(t.ts) AS window_start, $WINDOW_END(t.ts) AS window_end, $WINDOW_TIME(t.ts) AS window_time FROM t) AS _0 WHERE _0.b = 'b' GROUP BY _0.window_start, _0.window_end, _0.b) AS s WHERE s.window_start > CAST('2024-01-01 00:00:00' AS TIMESTAMP_NTZ);

-- alternatives stay in parentheses
SELECT a FROM t WHERE a > 0 AND (b = 'b' OR c > 1) AND c IS NOT NULL;
SELECT t.a FROM t WHERE t.a > 0 AND (t.b = 'b' OR t.c > 1) AND NOT t.c IS NULL;

-- nor below the LIMIT of a query in parentheses
SELECT a FROM ((SELECT a, b FROM t) ORDER BY a LIMIT 3) AS s WHERE b = 'b';
SELECT s.a FROM ((SELECT t.a, t.b FROM t) ORDER BY a LIMIT 3) AS s WHERE s.b = 'b';

-- nor below the only group of a query with HAVING
SELECT n FROM (SELECT 1 AS n FROM t HAVING COUNT(*) = 0) AS s WHERE n > 1;
SELECT s.n FROM (SELECT 1 AS n FROM t HAVING COUNT(*) = 0) AS s WHERE s.n > 1;

-- a query whose rows are tested before a join has its own joins with conditions, too
SELECT s.b FROM (SELECT x.a, x.b FROM t AS x, u AS y WHERE x.a = y.k ORDER BY x.a LIMIT 3) AS s JOIN u ON s.a = u.k WHERE s.a > 0;
SELECT s.b FROM (SELECT s.b, s.a FROM (SELECT x.a, x.b FROM t AS x JOIN u AS y ON x.a = y.k ORDER BY x.a LIMIT 3) AS s WHERE s.a > 0) AS s JOIN u ON s.a = u.k;
