-- a query of WITH stands where it is named
WITH s AS (SELECT a, b FROM t) SELECT x.a FROM s AS x JOIN s AS y ON x.a = y.a;
SELECT x.a FROM (SELECT t.a, t.b FROM t) AS x JOIN (SELECT t.a, t.b FROM t) AS y ON x.a = y.a;

-- a query of WITH may name an earlier one
WITH r AS (SELECT a FROM t), s AS (SELECT a + 1 AS n FROM r) SELECT n FROM s;
SELECT s.n FROM (SELECT r.a + 1 AS n FROM (SELECT t.a FROM t) AS r) AS s;

-- a query of WITH is inlined in subqueries, too
WITH s AS (SELECT k FROM u) SELECT b FROM t WHERE a IN (SELECT k FROM s);
SELECT t.b FROM t WHERE t.a IN (SELECT s.k FROM (SELECT u.k FROM u) AS s);

