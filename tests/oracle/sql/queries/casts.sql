-- integers_to_others
SELECT id, CAST(i AS BIGINT) AS a, CAST(ti AS DOUBLE) AS b, CAST(i AS STRING) AS c, CAST(i AS DECIMAL(12, 2)) AS e, CAST(i AS BOOLEAN) AS g, CAST(bi AS FLOAT) AS h FROM numbers
-- narrowing
SELECT id, CAST(ti AS INT) AS a, CAST(si AS TINYINT) AS b FROM numbers WHERE id > 4
-- overflow
SELECT CAST(300 AS TINYINT) AS a
-- overflow_of_sum
SELECT CAST(2147483647 AS INT) + 1 AS a
-- doubles_to_others
SELECT id, CAST(d AS INT) AS a, CAST(d AS BIGINT) AS b, CAST(f AS DOUBLE) AS c, CAST(d AS DECIMAL(14, 1)) AS e, CAST(d AS FLOAT) AS g FROM numbers WHERE id <> 5
-- doubles_to_text
SELECT id, CAST(d AS STRING) AS a, CAST(f AS STRING) AS c FROM numbers
-- decimals_to_others
SELECT id, CAST(de AS INT) AS a, CAST(de AS DOUBLE) AS b, CAST(de AS STRING) AS c, CAST(de AS DECIMAL(10, 1)) AS e, CAST(de AS BIGINT) AS g FROM numbers
-- booleans_to_others
SELECT id, CAST(b AS STRING) AS a, CAST(b AS INT) AS c FROM numbers
-- text_to_numbers
SELECT id, CAST(n AS INT) AS a, CAST(n AS BIGINT) AS b, CAST(n AS DOUBLE) AS c, CAST(n AS DECIMAL(12, 2)) AS e FROM texts
-- text_to_others
SELECT CAST('true' AS BOOLEAN) AS a, CAST('2020-02-29' AS DATE) AS b, CAST('12:30:45' AS TIME) AS c, CAST('2020-02-29 12:30:45.123' AS TIMESTAMP(3)) AS e, CAST(' 12 ' AS INT) AS g
-- text_that_is_no_number
SELECT CAST(s AS INT) AS a FROM texts
-- try_cast
SELECT id, TRY_CAST(s AS INT) AS a, TRY_CAST(n AS INT) AS b, TRY_CAST(s AS DATE) AS c FROM texts
-- lengths
SELECT CAST('abcdef' AS VARCHAR(3)) AS a, CAST('ab' AS CHAR(4)) AS b
-- times_to_text
SELECT id, CAST(dt AS STRING) AS a, CAST(tm AS STRING) AS b, CAST(ts AS STRING) AS c FROM times
-- zoned_times_to_text
SELECT id, CAST(ltz AS STRING) AS c FROM times
-- times_to_times
SELECT id, CAST(ts AS DATE) AS a, CAST(ts AS TIME) AS b, CAST(dt AS TIMESTAMP(3)) AS c, CAST(ltz AS TIMESTAMP(3)) AS e, CAST(ts AS TIMESTAMP_LTZ(3)) AS g FROM times WHERE id <> 2
-- timestamps_to_lower_precision
SELECT id, CAST(ts AS TIMESTAMP(0)) AS a, CAST(ts AS TIMESTAMP(1)) AS b FROM times WHERE id <> 2
-- fractions_before_1970
SELECT CAST(ts AS DATE) AS a, CAST(ts AS TIMESTAMP(0)) AS b FROM times WHERE id = 2
-- collections_to_text
SELECT id, CAST(ints AS STRING) AS a, CAST(counts AS STRING) AS b, CAST(r AS STRING) AS c FROM nested WHERE id <= 1
-- bytes
SELECT CAST('abc' AS BYTES) AS a, X'616263' AS b, CAST(X'616263' AS STRING) AS c
-- elements
SELECT id, CAST(ints AS ARRAY<BIGINT>) AS a FROM nested
-- rows
SELECT id, CAST(r AS ROW<x BIGINT, y STRING>) AS a FROM nested
-- lengths_inside_other_types
SELECT CAST(ARRAY['abc', 'd'] AS ARRAY<CHAR(2)>)[1] AS a, CHAR_LENGTH(CAST(ARRAY['abc', 'd'] AS ARRAY<CHAR(2)>)[2]) AS b, CAST(ROW('abc', 1) AS ROW<x VARCHAR(2), y INT>).x AS c, CAST(MAP['abc', 'def'] AS MAP<CHAR(2), VARCHAR(1)>)['ab'] AS e, CAST(ARRAY[ROW('abc', 1)] AS ARRAY<ROW<x CHAR(2), y INT>>)[1].x AS g, CAST(ARRAY[ARRAY['abc', 'd']] AS ARRAY<ARRAY<CHAR(2)>>)[1][2] = 'd ' AS h, CAST(ARRAY[TRUE] AS ARRAY<VARCHAR(3)>)[1] AS i, CAST(ARRAY[12345] AS ARRAY<VARCHAR(3)>)[1] AS j, CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.123456'] AS ARRAY<TIMESTAMP(3)>)[1] AS k, CAST(ARRAY[CAST(NULL AS STRING)] AS ARRAY<CHAR(2)>)[1] IS NULL AS l, CAST(CAST(NULL AS ROW<x STRING>) AS ROW<x VARCHAR(1)>) IS NULL AS m
-- lengths_in_conditions
SELECT id FROM (SELECT id, CAST(ARRAY[s] AS ARRAY<VARCHAR(1)>) AS a FROM texts) AS t WHERE CHAR_LENGTH(a[1]) = 1

-- text_to_times
SELECT s, TRY_CAST(s AS TIME) AS a FROM (VALUES ('12:30'), ('12'), ('1:2:3'), ('25:00:00'), ('12:30:45.123'), ('12:30:45.999999'), (' 12:30:45 '), ('x'), (''), ('2020-02-29 12:30:45'), ('12:61:00'), ('12:30:60'), ('123045'), ('24:00:00'), ('12:30:45Z'), ('-1:00:00'), ('12:30:'), ('12:30:45.'), ('12 :30:45'), ('012:030:45'), ('+1:00'), ('1.5:00')) AS t(s)

-- nested_collections_to_text
SELECT CAST(ARRAY['a', CAST(NULL AS STRING)] AS STRING) AS a, CAST(ARRAY[1.50, 2.25] AS STRING) AS b, CAST(ARRAY[1e0, 1e20] AS STRING) AS c, CAST(MAP['a', 1, 'b', CAST(NULL AS INT)] AS STRING) AS e, CAST(ROW(1, ROW('x', ARRAY[1, 2])) AS STRING) AS g, CAST(ARRAY[TIMESTAMP '2020-02-29 12:30:45.5', TIMESTAMP '2020-02-29 12:30:45.25'] AS STRING) AS h, CAST(ARRAY[DATE '2020-02-29'] AS STRING) AS k, CAST(ARRAY[TRUE] AS STRING) AS l, CAST(ARRAY[1, 2, 3] AS VARCHAR(4)) AS m, CAST(ROW(1, 2) AS CHAR(8)) AS n, CAST(CAST(NULL AS ARRAY<INT>) AS STRING) AS o

-- literals_to_time
SELECT CAST('12:30:45.6789' AS TIME(3)) AS a, CAST('12' AS TIME) AS b, TRY_CAST('25:00:00' AS TIME) AS c, CAST(' 1 : 2 ' AS TIME) AS e

-- texts_to_time
SELECT CAST(s AS TIME(3)) AS a, CAST(s AS TIME) AS b FROM (VALUES '12:30:45.6789', '12', ' 1 : 2 ', '23:59:59.9994') AS t(s)

-- an_impossible_literal_to_time
SELECT CAST('25:00:00' AS TIME) AS a

-- a_literal_after_the_end_of_the_day_to_time
SELECT CAST('23:59:59.9999' AS TIME(3)) AS a
