-- HAVING with a subquery is WHERE of the groups
SELECT b, SUM(c) AS s FROM t GROUP BY b HAVING SUM(c) > (SELECT MAX(k) FROM u);
SELECT _groups.f0 AS b, _groups.f1 AS s FROM (SELECT t.b AS f0, SUM(t.c) AS f1 FROM t GROUP BY t.b) AS _groups WHERE _groups.f1 > (SELECT MAX(u.k) AS `EXPR$0` FROM u);

-- keys and aggregates that only HAVING has are computed with the groups
SELECT SUM(c) AS s FROM t GROUP BY b HAVING b IN (SELECT v FROM u) AND COUNT(*) > 1;
SELECT _groups.f0 AS s FROM (SELECT SUM(t.c) AS f0, t.b AS f1, COUNT(*) AS f2 FROM t GROUP BY t.b) AS _groups WHERE _groups.f1 IN (SELECT u.v FROM u) AND _groups.f2 > 1;

-- other HAVING stays
SELECT b, SUM(c) AS s FROM t GROUP BY b HAVING SUM(c) > 1;
SELECT t.b, SUM(t.c) AS s FROM t GROUP BY t.b HAVING SUM(t.c) > 1;

