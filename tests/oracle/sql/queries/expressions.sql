-- columns
SELECT * FROM numbers
-- aliases
SELECT id AS `my id`, i + 1 AS next_i, i AS I2 FROM numbers
-- unnamed_columns
SELECT id, i + 1, UPPER('a'), 1 FROM numbers
-- arithmetic_of_integers
SELECT id, ti + 1 AS a, ti + si AS b, si - bi AS c, i * 2 AS d, -ti AS e, bi + 1 AS f, +i AS g FROM numbers
-- types_of_arithmetic
SELECT id, ti + ti AS a, si * CAST(2 AS SMALLINT) AS b, ti * CAST(2 AS TINYINT) AS c, f + f AS d, i + f AS g, i + d AS h FROM numbers
-- float_and_double
SELECT id, f + d AS e FROM numbers
-- division_of_integers
SELECT id, i / 3 AS a, ti / CAST(2 AS TINYINT) AS b, bi / 7 AS c, si / 7 AS e, -17 / 5 AS f, 17 / -5 AS g, 7 / 2 AS h FROM numbers
-- division_of_doubles
SELECT id, d / 2 AS a, f / 2 AS b, d / f AS c, i / 2.0 AS e, i / 2e0 AS g FROM numbers WHERE id <> 3
-- division_of_doubles_by_zero
SELECT id, d / CAST(0 AS DOUBLE) AS a, CAST(1 AS DOUBLE) / d AS b, f / CAST(0 AS FLOAT) AS c FROM numbers
-- modulo
SELECT id, i % 5 AS a, MOD(i, 5) AS b, MOD(i, -5) AS c, MOD(bi, 7) AS e, MOD(ti, CAST(2 AS TINYINT)) AS f, MOD(de, 3) AS g FROM numbers
-- decimals
SELECT id, de + de AS a, de - 1 AS b, de * de AS c, de * 2 AS e, de + i AS g, -de AS h FROM numbers
-- division_of_decimals
SELECT id, de / 3 AS a, de / CAST(7 AS DECIMAL(5, 1)) AS b, 1.0 / 3.0 AS c, 10 / 4.0 AS e FROM numbers
-- decimal_literals
SELECT 1.50 AS a, 0.1 + 0.2 AS b, 1e2 AS c, 123456789012 AS e, 1.0 * 2 AS g, 0.5 AS h
-- comparisons
SELECT id, i > 0 AS a, i >= 0 AS b, i <> 17 AS c, d = 2.25 AS e, de < 1 AS g, ti = si AS h FROM numbers
-- booleans
SELECT id, b AND TRUE AS a, b OR CAST(NULL AS BOOLEAN) AS c, NOT b AS d2, b IS TRUE AS e, b IS NOT FALSE AS g, b IS UNKNOWN AS h, b IS NOT NULL AS k FROM numbers
-- between_and_in
SELECT id, i BETWEEN -17 AND 17 AS a, i NOT BETWEEN 0 AND 20 AS b, i IN (17, 0) AS c, i NOT IN (17, 0) AS e, BETWEEN_LIKE.x AS g FROM numbers, (VALUES (1)) AS BETWEEN_LIKE(x)
-- between_symmetric
SELECT id, i BETWEEN SYMMETRIC 17 AND -17 AS a FROM numbers
-- is_distinct_from
SELECT id, i IS DISTINCT FROM NULL AS a, i IS NOT DISTINCT FROM 17 AS b FROM numbers
-- searched_case
SELECT id, CASE WHEN i > 0 THEN 'positive' WHEN i < 0 THEN 'negative' ELSE 'other' END AS a, CASE WHEN i > 0 THEN 1 END AS c FROM numbers
-- simple_case
SELECT id, CASE ti WHEN 7 THEN 'seven' WHEN 3 THEN 'three' END AS a, CASE WHEN b THEN i ELSE bi END AS c FROM numbers
-- nulls
SELECT id, COALESCE(i, -1) AS a, NULLIF(ti, 3) AS c, IFNULL(i, 5) AS e, COALESCE(NULL, si, i) AS g, IF(i > 0, 'y', 'n') AS h FROM numbers
-- greatest_and_least
SELECT id, GREATEST(ti, si) AS a, LEAST(ti, si, 1) AS c FROM numbers
-- null_literals
SELECT CAST(NULL AS INT) AS a, CAST(NULL AS STRING) || 'x' AS c, NULLIF(1, 1) AS e
-- constants
SELECT 1 AS a, 'x' AS b, TRUE AS c, 'it''s' AS e, 'a\nb' AS g, '{x}' AS h, U&'\00e9' AS k
-- absolute_and_sign
SELECT id, ABS(i) AS a, ABS(de) AS c, ABS(d) AS e, SIGN(i) AS g, SIGN(d) AS h, SIGN(de) AS k FROM numbers
-- floor_and_ceil
SELECT id, FLOOR(d) AS a, CEIL(d) AS c, FLOOR(de) AS e, CEILING(de) AS g, FLOOR(i) AS h, CEIL(f) AS k FROM numbers
-- round
SELECT id, ROUND(d, 1) AS a, ROUND(de, 1) AS c, ROUND(d) AS e, ROUND(i, -1) AS g, ROUND(de) AS h, ROUND(2.5) AS k, ROUND(-2.5) AS l FROM numbers
-- truncate
SELECT id, TRUNCATE(d, 1) AS a, TRUNCATE(de, 1) AS c, TRUNCATE(de) AS e, TRUNCATE(d) AS g, TRUNCATE(i, -1) AS h FROM numbers
-- powers
SELECT id, POWER(ti, 2) AS a, SQRT(ABS(i)) AS c, EXP(0) AS e, POWER(2, 0.5) AS g FROM numbers
-- logarithms
SELECT LN(10) AS a, LOG10(1000) AS b, LOG2(8) AS c, LOG(2, 8) AS e, LOG(10) AS g
-- trigonometry
SELECT SIN(1) AS a, COS(1) AS b, TAN(1) AS c, ATAN(1) AS e, ATAN2(1, 2) AS g, ASIN(0.5) AS h, ACOS(0.5) AS k, PI() AS l, E() AS m, DEGREES(1) AS o, RADIANS(180) AS p, SINH(1) AS q, COSH(1) AS r, TANH(1) AS s, COT(1) AS t
-- bases
SELECT BIN(10) AS a, HEX(255) AS b, HEX('hello') AS c, BIN(-1) AS e
-- values
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))) AS v(n, s)
-- bare_values
VALUES (1, 'a'), (2, 'b')
-- values_of_mixed_types
SELECT n, n / 2 AS half FROM (VALUES (1), (2.5), (3)) AS v(n)
-- row_comparison
SELECT id FROM numbers WHERE (ti, si) = (3, 2)
-- where
SELECT id FROM numbers WHERE i > 0 AND (b OR d < 100) AND de IS NOT NULL
-- where_null
SELECT id FROM numbers WHERE i <> 17
-- literals_of_great_integers
SELECT 2147483647 AS a, 2147483648 AS b, -2147483648 AS c, 9223372036854775807 AS e
-- values_with_null
SELECT n, t FROM (VALUES (1, 'a'), (NULL, 'b'), (2, NULL)) AS v(n, t)

-- equal_rows_of_values
SELECT a, ROW(a, b) = ROW(2, 5) AS c, (a, b) = ROW(1, 5) AS e, ROW(a, CAST(NULL AS INT)) = ROW(1, CAST(NULL AS INT)) AS g, ROW(a, b) = ROW(CAST(1 AS BIGINT), 5) AS h, ROW(a, 7) <> ROW(3, 7) AS k FROM (VALUES (1, 5), (2, CAST(NULL AS INT)), (3, 7)) AS t(a, b)

-- unequal_rows_with_nulls
SELECT a, ROW(a, b) <> ROW(2, 5) AS c FROM (VALUES (1, 5), (2, CAST(NULL AS INT)), (3, 7)) AS t(a, b)

-- equal_rows_in_rows
SELECT a, ROW(ROW(a, b), 1) = ROW(ROW(2, CAST(NULL AS INT)), 1) AS c FROM (VALUES (1, 5), (2, CAST(NULL AS INT)), (3, 7)) AS t(a, b)

-- equal_constant_rows
SELECT ROW(1, CAST(NULL AS INT)) = ROW(1, CAST(NULL AS INT)) AS a, ROW(1, 2) = ROW(1, 2) AS b

-- a_row_equal_to_one_of_values
SELECT a, r = ROW(2, CAST(NULL AS INT)) AS b FROM (SELECT a, ROW(a, b) AS r FROM (VALUES (1, 5), (2, CAST(NULL AS INT)), (3, 7)) AS t(a, b)) AS u

-- rows_of_other_lengths
SELECT ROW(a, 1, 2) = ROW(1, 1) AS b FROM (VALUES 1, 2) AS t(a)

-- division_by_a_constant_zero
SELECT a / 0 AS b, a / 0e0 AS c FROM (VALUES 1.5e0, 0e0, -1e0) AS t(a)
