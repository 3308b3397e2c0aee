-- the limit of a choice of columns is that of the query with the order
SELECT a FROM (SELECT a, b FROM t ORDER BY b) AS s LIMIT 3;
SELECT s.a FROM (SELECT t.a, t.b FROM t ORDER BY b LIMIT 3) AS s;

-- so is it through several choices
SELECT a FROM (SELECT a, b FROM (SELECT a, b, c FROM t ORDER BY c) AS r) AS s LIMIT 3 OFFSET 2;
SELECT s.a FROM (SELECT r.a, r.b FROM (SELECT t.a, t.b, t.c FROM t ORDER BY c LIMIT 3 OFFSET 2) AS r) AS s;

-- a limit after a condition stays
SELECT a FROM (SELECT a, b FROM t ORDER BY b) AS s WHERE a > 1 LIMIT 3;
SELECT s.a FROM (SELECT t.a, t.b FROM t ORDER BY b) AS s WHERE s.a > 1 LIMIT 3;

-- two limits stay two
SELECT a FROM (SELECT a, b FROM t ORDER BY b LIMIT 5) AS s LIMIT 3;
SELECT s.a FROM (SELECT t.a, t.b FROM t ORDER BY b LIMIT 5) AS s LIMIT 3;

