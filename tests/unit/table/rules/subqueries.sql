-- IN is a join with distinct values
SELECT b FROM t WHERE a IN (SELECT k FROM u);
SELECT t.b FROM t JOIN (SELECT DISTINCT u.k AS key0 FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0;

-- a correlated IN compares the keys, too
SELECT b FROM t WHERE a IN (SELECT k FROM u WHERE u.v = t.b AND u.w = 'w');
SELECT t.b FROM t JOIN (SELECT DISTINCT u.k AS key0, u.v AS key1 FROM u WHERE u.w = 'w') AS `$subquery0` ON t.a = `$subquery0`.key0 AND t.b = `$subquery0`.key1;

-- EXISTS is a join with distinct keys
SELECT b FROM t WHERE EXISTS (SELECT * FROM u WHERE u.k = t.a);
SELECT t.b FROM t JOIN (SELECT DISTINCT u.k AS key0 FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0;

-- NOT EXISTS takes rows without a partner
SELECT b FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.k = t.a);
SELECT t.b FROM t LEFT JOIN (SELECT DISTINCT u.k AS key0, TRUE AS mark FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0 WHERE `$subquery0`.mark IS NULL;

-- NOT IN is true of no row if there is a null, and of all rows if there are no values
SELECT b FROM t WHERE a NOT IN (SELECT k FROM u);
SELECT t.b FROM t LEFT JOIN (SELECT DISTINCT u.k AS key0, TRUE AS mark FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0 LEFT JOIN (SELECT COUNT(*) AS rows, COUNT(of.k) AS values FROM (SELECT u.k FROM u) AS of) AS `$subquery1` ON TRUE WHERE ((`$subquery1`.rows = 0 OR `$subquery1`.rows IS NULL) OR (`$subquery1`.rows = `$subquery1`.values AND NOT t.a IS NULL AND `$subquery0`.mark IS NULL));

-- EXISTS beside OR is a mark that is not null
SELECT b FROM t WHERE a > 1 OR EXISTS (SELECT * FROM u WHERE u.k = t.a);
SELECT t.b FROM t LEFT JOIN (SELECT DISTINCT u.k AS key0, TRUE AS mark FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0 WHERE t.a > 1 OR NOT `$subquery0`.mark IS NULL;

-- a scalar subquery is joined with its aggregates
SELECT b FROM t WHERE c > (SELECT MAX(k) + 1 FROM u);
SELECT t.b FROM t LEFT JOIN (SELECT MAX(u.k) AS value0 FROM u) AS `$subquery0` ON TRUE WHERE t.c > (`$subquery0`.value0 + 1);

-- a correlated scalar subquery has an aggregate for each key; COUNT is 0 where there are no rows
SELECT b, (SELECT COUNT(*) FROM u WHERE u.k = t.a) AS n FROM t;
SELECT t.b, (COALESCE(`$subquery0`.value0, 0)) AS n FROM t LEFT JOIN (SELECT COUNT(*) AS value0, u.k AS key0 FROM u GROUP BY u.k) AS `$subquery0` ON t.a = `$subquery0`.key0;

-- = ANY is IN
SELECT b FROM t WHERE a = ANY (SELECT k FROM u);
SELECT t.b FROM t JOIN (SELECT DISTINCT u.k AS key0 FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0;

-- inner subqueries are joined first
SELECT b FROM t WHERE a IN (SELECT k FROM u WHERE v IN (SELECT b FROM t AS s));
SELECT t.b FROM t JOIN (SELECT DISTINCT u.k AS key0 FROM u JOIN (SELECT DISTINCT s.b AS key0 FROM t AS s) AS `$subquery0` ON u.v = `$subquery0`.key0) AS `$subquery1` ON t.a = `$subquery1`.key0;

-- IN as a value is not known where only a null may be it
SELECT b, a IN (SELECT k FROM u) AS m FROM t;
SELECT t.b, (CASE WHEN (`$subquery1`.rows = 0 OR `$subquery1`.rows IS NULL) THEN FALSE WHEN NOT `$subquery0`.mark IS NULL THEN TRUE WHEN t.a IS NULL OR `$subquery1`.values < `$subquery1`.rows THEN NULL ELSE FALSE END) AS m FROM t LEFT JOIN (SELECT DISTINCT u.k AS key0, TRUE AS mark FROM u) AS `$subquery0` ON t.a = `$subquery0`.key0 LEFT JOIN (SELECT COUNT(*) AS rows, COUNT(of.k) AS values FROM (SELECT u.k FROM u) AS of) AS `$subquery1` ON TRUE;
