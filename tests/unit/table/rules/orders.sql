-- the order of a subquery decides nothing
SELECT a FROM (SELECT a, b FROM t ORDER BY b) AS s;
SELECT s.a FROM (SELECT t.a, t.b FROM t) AS s;

-- with a limit it does
SELECT a FROM (SELECT a, b FROM t ORDER BY b LIMIT 3) AS s;
SELECT s.a FROM (SELECT t.a, t.b FROM t ORDER BY b LIMIT 3) AS s;

-- the order of the whole query stays
SELECT a FROM (SELECT a, b FROM t ORDER BY b) AS s ORDER BY a;
SELECT s.a FROM (SELECT t.a, t.b FROM t) AS s ORDER BY a;

