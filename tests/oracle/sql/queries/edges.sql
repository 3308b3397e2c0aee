-- columns
SELECT * FROM edges
-- integers_and_floats
SELECT id, i = f AS a, i > f AS b, bi = f AS c, ti < f AS e FROM edges
-- integers_and_doubles
SELECT id, i = d AS a, bi = d AS b, bi < d AS c, si >= d AS e FROM edges
-- decimals_and_floats
SELECT id, de = f AS a, de = d AS b, big > d AS c, de < f AS e, f = 0.1 AS g, f = d AS h, f > 0.1 AS k FROM edges
-- integers_and_decimals
SELECT id, i = de AS a, bi < big AS b, ti > 1.5 AS c, de = 2.5 AS e, de <> big AS g FROM edges
-- distinct_from
SELECT id, i IS DISTINCT FROM bi AS a, d IS NOT DISTINCT FROM f AS b, de IS DISTINCT FROM 2.5 AS c, b IS NOT DISTINCT FROM NULL AS e FROM edges
-- not_a_number
SELECT n = n AS a, n > 1 AS b, n < 1 AS c, n <> n AS e, n IS NOT DISTINCT FROM n AS g, n IN (n, 1) AS h, n BETWEEN n AND n AS k FROM (SELECT CAST('NaN' AS DOUBLE) AS n FROM edges WHERE id = 7)
-- comparisons_of_booleans
SELECT id, b > FALSE AS a, b = TRUE AS c, b <> FALSE AS e, b <= FALSE AS g FROM edges
-- truth_tables
SELECT id, b AND CAST(NULL AS BOOLEAN) AS a, b OR CAST(NULL AS BOOLEAN) AS c, NOT (b AND i > 0) AS e, b IS NOT TRUE AS g, (i > 0) IS UNKNOWN AS h, b IS NOT UNKNOWN AS k, (b OR i > 0) AND ti < 5 AS l FROM edges
-- in_with_null
SELECT id, i IN (1, NULL) AS a, i NOT IN (1, NULL) AS b, i IN (1, 2.5, -3) AS c, d IN (1e-7, 123456.789) AS e, de IN (2.5, 0.1) AS g, bi IN (i, ti) AS h FROM edges
-- between_of_mixed_types
SELECT id, i BETWEEN ti AND bi AS a, d BETWEEN i AND de AS b, i NOT BETWEEN 1 AND NULL AS c, i BETWEEN SYMMETRIC 5 AND de AS e FROM edges
-- sums_of_floats
SELECT id, f + f AS a, f * f AS b, f - 1 AS c, f + i AS e, f / 3 AS g, f * 1.1 AS h, -f AS k FROM edges
-- sums_of_doubles
SELECT id, d + d AS a, d * d AS b, d - i AS c, d / 3 AS e, d * de AS g, d + big AS h, -d AS k FROM edges
-- division_by_zero_of_doubles
SELECT id, d / d AS a, 1 / (d * 0e0) AS b, f / CAST(0 AS FLOAT) AS c, i / 0e0 AS g FROM edges WHERE id > 2
-- integer_division_by_zero
SELECT i / ti AS a FROM edges WHERE id = 7
-- integer_remainder_by_zero
SELECT MOD(i, ti) AS a FROM edges WHERE id = 7
-- decimal_division_by_zero
SELECT de / (de - de) AS a FROM edges WHERE id = 7
-- decimal_remainder_by_zero
SELECT MOD(de, de - de) AS a FROM edges WHERE id = 7
-- integers_at_bounds
SELECT id, i / 2 AS a, bi / 10 AS b, ti / ti AS c, i % 10 AS e, bi % 7 AS g, si % ti AS h, i * CAST(2 AS BIGINT) AS k, CAST(i AS BIGINT) + i AS m FROM edges WHERE id <> 7
-- overflow_of_product
SELECT i * 2 AS a FROM edges WHERE id = 1
-- overflow_of_difference
SELECT bi - 1 AS a FROM edges WHERE id = 2
-- overflow_of_negation
SELECT -i AS a FROM edges WHERE id = 2
-- overflow_of_tinyint
SELECT ti + ti AS a FROM edges WHERE id = 1
-- overflow_of_absolute
SELECT ABS(i) AS a FROM edges WHERE id = 2
-- decimals_at_bounds
SELECT id, de * de AS a, de / 7 AS b, big / 3 AS c, big + 1 AS e, de % 0.3 AS g, big - de AS h, de * i AS k, de / big AS l, big % 7 AS m FROM edges WHERE id > 2
-- decimals_of_many_digits
SELECT id, big / 7 AS a, big + de AS b, 1 / big AS c, big * 0.1 AS e, big % de AS g FROM edges WHERE id <> 4
-- rounding_of_products
SELECT id, big * big AS a, big * 0.333333333333333333 AS b, big * 1.5 AS c FROM edges WHERE id > 3
-- overflow_of_decimals
SELECT big * big AS a FROM edges WHERE id = 1
-- overflow_of_cast_to_decimal
SELECT CAST(de AS DECIMAL(4, 2)) AS a FROM edges WHERE id = 1
-- case_of_integers_and_decimals
SELECT id, CASE WHEN b THEN i ELSE de END AS a, CASE WHEN b THEN 1 ELSE 2.5 END AS c, COALESCE(i, 2.5) AS e, COALESCE(de, big) AS g, IF(b, ti, de) AS h FROM edges
-- case_of_floats
SELECT id, CASE WHEN b THEN f ELSE d END AS a, COALESCE(d, i) AS c, IF(b, de, d) AS e, COALESCE(i, d) AS g FROM edges
-- case_of_integers_and_floats
SELECT id, CASE WHEN b THEN i ELSE f END AS a, COALESCE(f, 1) AS c, COALESCE(f, 0.5) AS e FROM edges
-- case_without_else
SELECT id, CASE WHEN i > 0 THEN de END AS a, CASE ti WHEN 1 THEN 'one' WHEN 10 THEN 'ten' ELSE 'other' END AS c, CASE WHEN i > 5 THEN 1 WHEN i > 0 THEN NULL ELSE 3 END AS e, CASE de WHEN 2.5 THEN TRUE WHEN 0.1 THEN FALSE END AS g, CASE WHEN i <> 0 THEN 10 / i ELSE 0 END AS h FROM edges
-- nullif
SELECT id, NULLIF(i, 1) AS a, NULLIF(i, 1.0) AS b, NULLIF(de, 2.5) AS c, NULLIF(d, i) AS e, IFNULL(ti, 5) AS g, IFNULL(de, 1) AS h, COALESCE(NULLIF(si, 7), ti) AS k FROM edges
-- greatest
SELECT id, GREATEST(i, bi) AS a, GREATEST(d, f) AS c, LEAST(ti, si, i) AS e FROM edges
-- greatest_decimal
SELECT id, GREATEST(de, i) AS a, LEAST(1, de, 2) AS b, GREATEST(de, big) AS c FROM edges WHERE id <> 3
-- floats_to_text
SELECT id, CAST(f AS STRING) AS a, CAST(d AS STRING) AS b, CAST(f * 10 AS STRING) AS c, CAST(d / 3 AS STRING) AS e FROM edges
-- numbers_to_text
SELECT id, CAST(ti AS STRING) AS a, CAST(bi AS VARCHAR) AS b, CAST(de AS STRING) AS c, CAST(big AS STRING) AS e, CAST(CAST(i AS DECIMAL(12, 2)) AS STRING) AS g FROM edges
-- numbers_to_short_text
SELECT id, CAST(bi AS VARCHAR(4)) AS a, CAST(ti AS CHAR(5)) AS b FROM edges WHERE id > 3
-- doubles_to_integers
SELECT id, CAST(d AS INT) AS a, CAST(f AS BIGINT) AS b, CAST(d * -1.9 AS BIGINT) AS c FROM edges WHERE id IN (4, 5, 7)
-- great_doubles_to_int
SELECT CAST(d AS INT) AS a FROM edges WHERE id = 1
-- great_doubles_to_bigint
SELECT CAST(d AS BIGINT) AS a FROM edges WHERE id = 1
-- not_a_number_to_int
SELECT CAST(CAST('NaN' AS DOUBLE) AS INT) AS a
-- bigint_to_int
SELECT CAST(bi AS INT) AS a FROM edges WHERE id = 1
-- decimal_to_tinyint
SELECT CAST(de AS TINYINT) AS a FROM edges WHERE id = 1
-- numbers_to_decimals
SELECT id, CAST(i AS DECIMAL(20, 5)) AS a, CAST(f AS DECIMAL(20, 5)) AS b, CAST(d AS DECIMAL(30, 8)) AS c, CAST(de AS DECIMAL(10, 0)) AS e, CAST(big AS DECIMAL(20, 3)) AS g FROM edges WHERE id > 3
-- great_double_to_decimal
SELECT CAST(d AS DECIMAL(20, 2)) AS a FROM edges WHERE id = 1
-- try_cast_of_great_numbers
SELECT id, TRY_CAST(d AS INT) AS a, TRY_CAST(bi AS INT) AS b, TRY_CAST(de AS TINYINT) AS c, TRY_CAST(d AS DECIMAL(10, 2)) AS e, TRY_CAST(big AS DECIMAL(10, 2)) AS g, TRY_CAST(si AS TINYINT) AS h FROM edges
-- numbers_to_floats
SELECT id, CAST(i AS FLOAT) AS a, CAST(bi AS FLOAT) AS b, CAST(d AS FLOAT) AS c, CAST(de AS FLOAT) AS e, CAST(big AS DOUBLE) AS g, CAST(bi AS DOUBLE) AS h, CAST(f AS DOUBLE) AS k FROM edges
-- booleans_and_numbers
SELECT id, CAST(b AS TINYINT) AS a, CAST(b AS DOUBLE) AS c, CAST(b AS DECIMAL(5, 2)) AS e, CAST(i AS BOOLEAN) AS g, CAST(d AS BOOLEAN) AS h, CAST(de AS BOOLEAN) AS k, CAST(bi AS BOOLEAN) AS l FROM edges
-- absolute
SELECT id, ABS(d) AS a, ABS(f) AS b, ABS(de) AS c, ABS(big) AS e, ABS(si) AS g FROM edges WHERE id > 2
-- floor_and_ceil
SELECT id, FLOOR(f) AS a, CEIL(d) AS b, FLOOR(d) AS c, FLOOR(de) AS e, CEIL(de) AS g, FLOOR(big) AS h, CEIL(big) AS k, FLOOR(bi) AS l FROM edges WHERE id > 2
-- round
SELECT id, ROUND(d, 2) AS a, ROUND(f, 1) AS b, ROUND(de, 1) AS c, ROUND(big, 3) AS g, ROUND(i, -2) AS h, ROUND(si, 1) AS k, ROUND(d, -3) AS l FROM edges WHERE id > 2
-- round_decimals_to_tens
SELECT id, ROUND(de, -1) AS a FROM edges WHERE id > 2
-- round_by_columns
SELECT id, ROUND(d, ti) AS a FROM edges WHERE id IN (4, 7)
-- truncate
SELECT id, TRUNCATE(d, 2) AS a, TRUNCATE(de, 1) AS b, TRUNCATE(de, -1) AS c, TRUNCATE(i, -1) AS e, TRUNCATE(big, 3) AS g, TRUNCATE(f) AS h, TRUNCATE(f, 1) AS k FROM edges WHERE id > 3
-- sign
SELECT id, SIGN(d) AS a, SIGN(f) AS b, SIGN(de) AS c, SIGN(bi) AS e, SIGN(big) AS g, SIGN(i) AS h FROM edges
-- roots_and_powers
SELECT id, SQRT(d) AS a, SQRT(de) AS b, POWER(d, 2) AS c, POWER(ti, 0.5) AS e, POWER(de, 2) AS g, EXP(ti) AS h, POWER(f, i) AS k FROM edges
-- logarithms
SELECT id, LN(d) AS a, LN(de) AS b, LOG10(d) AS c, LOG2(d) AS e, LOG(3, ti) AS g, LOG(f) AS h, LOG(-2, 8) AS k, LOG(1, 8) AS l FROM edges
-- trigonometry
SELECT id, SIN(de) AS a, ASIN(de) AS b, ACOS(ti) AS c, ATAN2(d, f) AS e, COT(de) AS g, TANH(f) AS h, COSH(ti) AS k, SINH(d) AS l, DEGREES(de) AS m, RADIANS(i) AS o, TAN(i) AS p, COS(d) AS q FROM edges
-- cot_of_zero
SELECT COT(ti) AS a FROM edges WHERE id = 7
-- bases
SELECT id, BIN(i) AS a, HEX(bi) AS b, HEX(ti) AS c FROM edges
-- literals
SELECT id, 1.50 * i AS a, 0.00 AS b, 1e-3 AS c, 1234567890123456.789 AS e, X'00ff' AS g, TRUE AS h, '' AS k, U&'\00e9\00df' AS l FROM edges WHERE id = 4
-- nested_types_of_arithmetic
SELECT id, (i + 1.5) * 2 AS a, de / 3 + 1 AS b, (CASE WHEN b THEN 1 ELSE 2.5 END) * i AS c, COALESCE(ti, 1) + 1 AS e, NULLIF(de, 0) / 2 AS g, (ti + si) * CAST(1 AS BIGINT) AS h FROM edges WHERE id > 3
-- comparisons_of_rows
SELECT id, (ti, i) = (1, 1) AS a FROM edges
-- remainders_of_integers
SELECT id, MOD(si, ti) AS a, MOD(bi, -7) AS b, i % CAST(4 AS TINYINT) AS c FROM edges WHERE id <> 7
-- overflow_of_smallint
SELECT ti + si AS a FROM edges WHERE id = 1
-- functions_at_bounds
SELECT id, EXP(d) AS a, SINH(d) AS b, COSH(d) AS c, TANH(d) AS e, ATAN(d) AS g, POWER(0e0, CAST(ti AS DOUBLE)) AS h, POWER(-8e0, CAST(si AS DOUBLE)) AS k, LOG(d, 2e0) AS l, LOG10(0.1e0 * si) AS p, ATAN2(d, -d) AS q FROM edges WHERE id <> 3
-- rounded_to_zero
SELECT id, CAST(ROUND(-0.004, 2) AS STRING) AS a, CAST(CAST(de * 0.01 AS DECIMAL(10, 2)) AS STRING) AS b, CAST(CEIL(-0.5) AS STRING) AS c, CAST(ROUND(d * -1, 2) AS STRING) AS e FROM edges WHERE id IN (4, 5)
-- rounded_far
SELECT id, ROUND(d, 40) AS a FROM edges
-- floats_of_many_sizes
SELECT id, CAST(d / 1e8 AS STRING) AS a, CAST(d / 1e9 AS STRING) AS b, CAST(d * 1e1 AS STRING) AS c, CAST(d * 1e2 AS STRING) AS e, CAST(CAST(d / 1e8 AS FLOAT) AS STRING) AS g, CAST(CAST(d / 1e9 AS FLOAT) AS STRING) AS h, CAST(CAST(d * 1e2 AS FLOAT) AS STRING) AS k, CAST(CEIL(d * -1e-6) AS STRING) AS l, CAST(FLOOR(d * 1e-6) AS STRING) AS m FROM edges WHERE id IN (4, 5, 7)
-- integers_that_round_to_floats
SELECT id, CAST(bi + 1152921573326323713 AS FLOAT) AS a, CAST(-1152921573326323713 - bi AS FLOAT) AS b, (bi + 1152921573326323713) * CAST(1 AS FLOAT) AS c FROM edges WHERE id = 7
