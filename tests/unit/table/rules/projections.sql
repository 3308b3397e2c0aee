-- a column of a subquery that nothing reads is left out
SELECT a FROM (SELECT * FROM t) AS s;
SELECT s.a FROM (SELECT t.a FROM t /* a */) AS s;

-- columns of conditions, orders and groups are read
SELECT n FROM (SELECT a AS n, b FROM t WHERE c > 1 ORDER BY b LIMIT 3) AS s;
SELECT s.n FROM (SELECT t.a AS n, t.b FROM t /* a, b, c */ WHERE t.c > 1 ORDER BY b LIMIT 3) AS s;

-- an order by a result keeps it
SELECT n FROM (SELECT a AS n, c + 1 AS m, b FROM t ORDER BY m LIMIT 3) AS s;
SELECT s.n FROM (SELECT t.a AS n, t.c + 1 AS m FROM t /* a, c */ ORDER BY m LIMIT 3) AS s;

-- fields of rows are read by themselves, also through a subquery
SELECT s.q.x FROM (SELECT p AS q, b FROM t) AS s;
SELECT s.q.x AS x FROM (SELECT t.p AS q FROM t /* p.x */) AS s;

-- a row that is read as a whole is read with all its fields
SELECT s.q.x, q FROM (SELECT p AS q, b FROM t) AS s;
SELECT s.q.x AS x, s.q FROM (SELECT t.p AS q FROM t /* p, p.x */) AS s;

-- a query of no columns keeps one
SELECT COUNT(*) AS n FROM (SELECT a, b FROM t) AS s;
SELECT COUNT(*) AS n FROM (SELECT t.a FROM t /* a */) AS s;

-- a query that aggregates still does
SELECT 1 AS one FROM (SELECT 2 AS two, COUNT(*) AS n, MAX(a) AS m FROM t) AS s;
SELECT 1 AS one FROM (SELECT 2 AS two, COUNT(*) AS n FROM t) AS s;

-- groups keep their keys, which need not be results
SELECT n FROM (SELECT b, COUNT(*) AS n, MAX(c) AS m FROM t GROUP BY b) AS s;
SELECT s.n FROM (SELECT COUNT(*) AS n FROM t /* b */ GROUP BY t.b) AS s;

-- DISTINCT compares whole rows
SELECT a FROM (SELECT DISTINCT a, b FROM t) AS s;
SELECT s.a FROM (SELECT DISTINCT t.a, t.b FROM t /* a, b */) AS s;

-- UNION ALL leaves out columns on both sides
SELECT n FROM (SELECT a AS n, b AS m FROM t UNION ALL SELECT k, v FROM u) AS s;
SELECT s.n FROM (SELECT t.a AS n FROM t /* a */ UNION ALL SELECT u.k FROM u /* k */) AS s;

-- UNION ALL keeps a column that one side needs
SELECT n FROM (SELECT a AS n, b AS m FROM t UNION ALL SELECT DISTINCT k, v FROM u) AS s;
SELECT s.n FROM (SELECT t.a AS n, t.b AS m FROM t /* a, b */ UNION ALL SELECT DISTINCT u.k, u.v FROM u /* k, v */) AS s;

-- INTERSECT compares whole rows
SELECT n FROM (SELECT a AS n, b AS m FROM t INTERSECT SELECT k, v FROM u) AS s;
SELECT s.n FROM (SELECT t.a AS n, t.b AS m FROM t /* a, b */ INTERSECT SELECT u.k, u.v FROM u /* k, v */) AS s;

-- each side of a join has what the condition and the results need
SELECT t.b FROM (SELECT * FROM t) AS t JOIN (SELECT * FROM u) AS u ON t.a = u.k;
SELECT t.b FROM (SELECT t.a, t.b FROM t /* a, b */) AS t JOIN (SELECT u.k FROM u /* k */) AS u ON t.a = u.k;

-- EXISTS reads no columns but those of its conditions
SELECT a FROM t WHERE EXISTS (SELECT * FROM u WHERE u.k = t.a);
SELECT t.a FROM t /* a */ WHERE EXISTS(SELECT u.k FROM u /* k */ WHERE u.k = t.a);

-- IN reads the columns that it compares
SELECT b FROM t WHERE a IN (SELECT k FROM (SELECT * FROM u) AS s);
SELECT t.b FROM t /* a, b */ WHERE t.a IN (SELECT s.k FROM (SELECT u.k FROM u /* k */) AS s);

-- a query of WITH has what all its readers need
WITH s AS (SELECT * FROM t) SELECT x.a FROM s AS x JOIN s AS y ON x.a = y.a WHERE y.b = 'b';
WITH s AS (SELECT t.a, t.b FROM t /* a, b */) SELECT x.a FROM s AS x JOIN s AS y ON x.a = y.a WHERE y.b = 'b';

-- a name inside hides the same one outside
SELECT t.a FROM (SELECT t.a, t.b FROM (SELECT a, b, c FROM t) AS t WHERE t.c > 1) AS t;
SELECT t.a FROM (SELECT t.a FROM (SELECT t.a, t.c FROM t /* a, c */) AS t WHERE t.c > 1) AS t;

-- windows keep their bounds and their times
SELECT b FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS s;
SELECT s.b FROM (SELECT t.b, $WINDOW_START(t.ts) AS window_start, $WINDOW_END(t.ts) AS window_end, $WINDOW_TIME(t.ts) AS window_time FROM t /* b, ts */) AS s;

-- the rows of sessions keep their keys
SELECT window_end FROM TABLE(SESSION(TABLE t PARTITION BY b, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS s;
SELECT s.window_end FROM (SELECT t.b, $WINDOW_START(t.ts) AS window_start, $WINDOW_END(t.ts) AS window_end, $WINDOW_TIME(t.ts) AS window_time FROM t /* b, ts */) AS s;

-- functions OVER rows that nothing reads are not computed
SELECT a FROM (SELECT a, SUM(c) OVER (PARTITION BY b ORDER BY ts) AS s FROM t) AS s;
SELECT s.a FROM (SELECT t.a FROM t /* a */) AS s;

-- ranks are computed of the columns that are read
SELECT b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c DESC) AS r FROM t) AS s WHERE r <= 3;
SELECT s.b FROM (SELECT t.b, ROW_NUMBER() OVER (PARTITION BY t.b ORDER BY t.c DESC) AS r FROM t /* b, c */) AS s WHERE s.r <= 3;

-- rows that are ranked keep the keys of their groups, by which they are updated
SELECT n FROM (SELECT b, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS r FROM (SELECT b, COUNT(*) AS n, MAX(c) AS m FROM t GROUP BY b) AS g) AS s WHERE r <= 3;
SELECT s.n FROM (SELECT g.b, g.n, ROW_NUMBER() OVER (ORDER BY g.n DESC) AS r FROM (SELECT t.b, COUNT(*) AS n FROM t /* b */ GROUP BY t.b) AS g) AS s WHERE s.r <= 3;

-- the arguments of table functions are read
SELECT x FROM (SELECT a, b, c FROM t) AS t CROSS JOIN UNNEST(ARRAY[a, 1]) AS f(x);
SELECT f.x FROM (SELECT t.a FROM t /* a */) AS t CROSS JOIN UNNEST(ARRAY(t.a, 1)) AS f(x);

-- an item whose columns have new names is read as a whole
SELECT z FROM u AS s(z, y, x);
SELECT s.z FROM u AS s(z, y, x) /* all */;

-- matches read the columns of their conditions, measures, keys and orders
SELECT n FROM t MATCH_RECOGNIZE (PARTITION BY b ORDER BY ts MEASURES A.a AS n PATTERN (A B) DEFINE B AS B.c > A.c) AS m;
SELECT m.n FROM (SELECT `$matches`.n FROM (SELECT t.b, t.ts AS `$order0`, $MATCH_VALUE(0, -1, t.a) AS n, $MATCH_VALUE(1, -1, t.c) > $MATCH_VALUE(0, -1, t.c) AS `$define0` FROM t /* a, b, c, ts */) AS `$matches`) AS m;

-- a query in parentheses keeps the columns that it is sorted by
SELECT b FROM ((SELECT a, b FROM t) ORDER BY a LIMIT 3) AS s;
SELECT s.b FROM ((SELECT t.a, t.b FROM t /* a, b */) ORDER BY a LIMIT 3) AS s;
