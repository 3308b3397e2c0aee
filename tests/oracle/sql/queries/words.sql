-- cases
SELECT id, UPPER(s) AS a, LOWER(s) AS b, INITCAP(s) AS c, UPPER(t || 'ß') AS e, LOWER(UPPER(t)) AS g FROM words WHERE id <> 5
-- special_cases
SELECT id, UPPER(s) AS a, LOWER(s) AS b FROM words WHERE id = 5
-- initcap_of_special_cases
SELECT id, INITCAP(s) AS a FROM words WHERE id = 5
-- lengths
SELECT id, CHAR_LENGTH(s) AS a, CHARACTER_LENGTH(t) AS b, ASCII(s) AS c FROM words
-- reversed
SELECT id, REVERSE(s) AS a, REPEAT(t, 2) AS b, REPEAT(t, -1) AS c FROM words
-- reversed_pairs
SELECT id, SUBSTRING(s, 2, 2) AS a, LEFT(s, 3) AS b, RIGHT(s, 3) AS c, POSITION('b' IN s) AS e, CHAR_LENGTH(s) AS k, REVERSE(s) AS l FROM words WHERE id = 2
-- substrings
SELECT id, SUBSTRING(s FROM 3) AS a, SUBSTRING(s FROM 2 FOR 4) AS b, SUBSTRING(s, -2) AS c, SUBSTRING(s, -20, 3) AS e, SUBSTRING(s, 50) AS g, SUBSTRING(s, 2, 0) AS h, SUBSTRING(s, -3, 5) AS k, SUBSTRING(s, 0) AS l FROM words WHERE id <> 2
-- substrings_of_negative_length
SELECT id, SUBSTRING(s, 2, -1) AS a FROM words WHERE id = 1
-- lefts_and_rights
SELECT id, LEFT(s, 2) AS a, LEFT(s, 0) AS b, RIGHT(s, 2) AS c, RIGHT(s, 0) AS e, RIGHT(s, -1) AS g, LEFT(s, 100) AS h, RIGHT(s, 100) AS k FROM words WHERE id <> 2
-- trims
SELECT id, TRIM(s) AS a, LTRIM(n) AS b, RTRIM(n) AS c, BTRIM(s) AS e, TRIM(BOTH 'a' FROM s) AS g, TRIM(LEADING 'ab' FROM s) AS h, TRIM(TRAILING 'c' FROM s) AS k FROM words
-- trims_of_characters
SELECT id, LTRIM(s, 'at') AS a, RTRIM(s, 'da') AS b, TRIM(BOTH t FROM s) AS c, BTRIM(s, 'a') AS e FROM words
-- pads
SELECT id, LPAD(s, 6, 'é') AS a, RPAD(s, 15, 'xy') AS b, LPAD(s, 0, 'x') AS c, RPAD(s, -1, 'x') AS e, LPAD(s, 4, t) AS g, RPAD(s, 2, '') AS h FROM words WHERE id <> 2
-- positions
SELECT id, POSITION('a' IN s) AS a, POSITION(t IN s) AS b, POSITION('' IN s) AS c, INSTR(s, 'b') AS e, LOCATE('a', s, 2) AS g, LOCATE('a', s, 0) AS h FROM words WHERE id <> 2
-- replaced
SELECT id, REPLACE(s, 'a', 'éé') AS a, REPLACE(s, t, '') AS b, TRANSLATE(s, 'abc', 'x') AS e FROM words
-- replaced_nothing
SELECT id, REPLACE(s, '', 'x') AS a FROM words WHERE id <> 2
-- overlays
SELECT id, OVERLAY(s PLACING '##' FROM 2 FOR 1) AS a, OVERLAY(s PLACING '##' FROM 1) AS b FROM words WHERE id <> 2
-- concatenations
SELECT id, s || t AS a, CONCAT(s, '-', t) AS b, CONCAT_WS(t, s, n) AS c, CONCAT_WS(',', s, CAST(NULL AS STRING), t) AS e FROM words
-- likes
SELECT id, s LIKE '%a%' AS a, s LIKE '_' AS b, s LIKE 'tab%there' AS c, s LIKE '%!%!_%' ESCAPE '!' AS e, s LIKE t AS g, s LIKE '' AS h, s NOT LIKE 'a%' AS k, s LIKE '%$1\d' AS l, s LIKE 'a.%' AS m FROM words
-- like_columns
SELECT id, s LIKE t || '%' AS a, s LIKE '%' || t AS b FROM words
-- like_wrong_escape
SELECT id, s LIKE 'a!b' ESCAPE '!' AS a FROM words
-- pairs_in_like
SELECT id, s LIKE 'a_b_c' AS a FROM words WHERE id = 2
-- regular_expressions
SELECT id, REGEXP(s, '[a-c]+') AS a, REGEXP(s, '^a') AS b, REGEXP_EXTRACT(s, '([a-z])([a-z])', 2) AS c, REGEXP_REPLACE(s, '[aeiou]', '<0>') AS e, REGEXP_REPLACE(s, '[a-z]', '_') AS g, REGEXP_EXTRACT(s, '[A-Z]+') AS h FROM words
-- replacements_with_dollars
SELECT id, REGEXP_REPLACE(s, '[aeiou]', '<$0>') AS a FROM words WHERE id = 10
-- regular_expressions_of_classes
SELECT id, REGEXP(s, '\d') AS a, REGEXP_REPLACE(s, '\s+', ' ') AS b, REGEXP(s, '^\w+$') AS c, REGEXP_EXTRACT(s, '(\w+)\s', 1) AS e FROM words
-- regular_expressions_without_groups
SELECT id, REGEXP_EXTRACT(s, 'a', 1) AS a FROM words WHERE id = 10
-- split_indices
SELECT id, SPLIT_INDEX(s, 'a', 1) AS a, SPLIT_INDEX(s, t, 0) AS b, SPLIT_INDEX(s, ' ', 1) AS c, SPLIT_INDEX(s, '', 0) AS e, SPLIT_INDEX(s, 'here', 1) AS g FROM words WHERE id <> 16
-- digests
SELECT id, MD5(s) AS a, SHA1(s) AS b, SHA224(s) AS c, SHA256(s) AS e, SHA384(s) AS g, SHA512(t) AS h, SHA2(s, 256) AS k FROM words
-- encodings
SELECT id, TO_BASE64(s) AS a, HEX(s) AS c, URL_ENCODE(s) AS e FROM words
-- decodings
SELECT id, FROM_BASE64(TO_BASE64(s)) AS a, URL_DECODE(URL_ENCODE(s)) AS b FROM words
-- comparisons
SELECT id, s < t AS a, s >= 'a' AS b, s = t AS c, s <> n AS e, s BETWEEN 'a' AND 'b' AS g, s IN ('x', t, NULL) AS h, s || '' = s AS k FROM words
-- order_of_pairs
SELECT s > U&'\ff5e' AS a FROM words WHERE id = 2
-- starts_and_ends
SELECT id, STARTSWITH(s, t) AS a, ENDSWITH(s, t) AS b, STARTSWITH(s, '') AS c FROM words
-- to_integers
SELECT id, TRY_CAST(n AS TINYINT) AS a, TRY_CAST(n AS SMALLINT) AS b, TRY_CAST(n AS INT) AS c, TRY_CAST(n AS BIGINT) AS e FROM words
-- to_floats
SELECT id, TRY_CAST(n AS DOUBLE) AS a, TRY_CAST(n AS FLOAT) AS b FROM words
-- to_decimals
SELECT id, TRY_CAST(n AS DECIMAL(10, 2)) AS a, TRY_CAST(n AS DECIMAL(3, 0)) AS b FROM words WHERE id <> 12
-- to_booleans
SELECT id, TRY_CAST(n AS BOOLEAN) AS a FROM words
-- other_booleans
SELECT TRY_CAST('yes' AS BOOLEAN) AS a, TRY_CAST('N' AS BOOLEAN) AS b, TRY_CAST('1' AS BOOLEAN) AS c, TRY_CAST('FALSE' AS BOOLEAN) AS e, TRY_CAST(' true ' AS BOOLEAN) AS g, TRY_CAST('on' AS BOOLEAN) AS h
-- to_dates
SELECT id, TRY_CAST(w AS DATE) AS a FROM words
-- to_timestamps
SELECT id, TRY_CAST(w AS TIMESTAMP(3)) AS a, TRY_CAST(w AS TIMESTAMP(6)) AS b FROM words
-- to_times
SELECT id, TRY_CAST(w AS TIME) AS a FROM words
-- to_date_function
SELECT id, TO_DATE(w) AS a FROM words WHERE id NOT IN (8, 16)
-- to_timestamp_function
SELECT id, TO_TIMESTAMP(w) AS a FROM words
-- to_timestamp_by_pattern
SELECT id, TO_TIMESTAMP(w, 'yyyy-MM-dd') AS a, TO_TIMESTAMP(w, 'yyyy-MM-dd HH:mm:ss') AS b, TO_TIMESTAMP(w, 'yyyy-MM-dd HH:mm:ss.SSS') AS c FROM words
-- to_date_by_pattern
SELECT id, TO_DATE(w, 'yyyy-MM-dd') AS a FROM words WHERE id IN (1, 3)
-- words_that_are_no_numbers
SELECT CAST(n AS INT) AS a FROM words WHERE id = 11
-- words_that_are_no_doubles
SELECT CAST(n AS DOUBLE) AS a FROM words WHERE id = 11
-- words_that_are_no_dates
SELECT CAST(w AS DATE) AS a FROM words WHERE id = 11
-- words_that_are_no_booleans
SELECT CAST(s AS BOOLEAN) AS a FROM words WHERE id = 11
-- texts_of_lengths
SELECT id, CAST(s AS VARCHAR(2)) AS a, CAST(s AS CHAR(4)) AS b FROM words WHERE id <> 2
-- bytes
SELECT id, CAST(s AS BYTES) AS a, CAST(CAST(s AS BYTES) AS STRING) AS b FROM words
-- case_of_texts
SELECT id, CASE WHEN s = 'x' THEN 'ex' WHEN s LIKE 'a%' THEN s ELSE NULL END AS a, COALESCE(s, t, 'none') AS b, NULLIF(s, 'x') AS c, GREATEST(s, t) AS e, LEAST(s, 'b') AS g FROM words
-- digits
SELECT id, IS_DIGIT(n) AS a FROM words
-- chr
SELECT CHR(65) AS a, CHR(233) AS b, CHR(321) AS c
-- odd_places
SELECT LOCATE('', s, 2) AS a, POSITION('' IN '') AS b, SPLIT_INDEX(s, CAST(NULL AS STRING), 0) AS c, CONCAT_WS(CAST(NULL AS STRING), s) AS e, OVERLAY(s PLACING 'xy' FROM 0 FOR 1) AS g, OVERLAY(s PLACING 'xy' FROM 2 FOR 0) AS h, OVERLAY(s PLACING 'xy' FROM 3 FOR 9) AS k, TRANSLATE(s, 'aba', 'xy') AS l, CHR(-id) AS m, ELT(id - 10, s, t) AS o, LOCATE('a', s, -3) AS p FROM words WHERE id IN (10, 11, 12)
-- odd_regular_expressions
SELECT REGEXP_EXTRACT(s, '(x)?a', 1) AS a, REGEXP_REPLACE(s, '', '-') AS b, REGEXP_REPLACE(s, '[a-z]$', '\1') AS c, REGEXP(s, '') AS e, REGEXP_EXTRACT(s, '(?<=a)b|(?:a{2})') AS g, REGEXP_REPLACE(s, '[^a-z.$]', '') AS h, REGEXP(s, '^.{2}$') AS k, REGEXP(s, 'there$|\.b\*') AS l FROM words WHERE id <> 2
-- not_a_number
SELECT CAST(n AS DOUBLE) = CAST(REPLACE(n, 'x', '') AS DOUBLE) AS a, CAST(n AS DOUBLE) <> CAST(REPLACE(n, 'x', '') AS DOUBLE) AS b, CAST(n AS DOUBLE) < CAST(id AS DOUBLE) AS c, CAST(n AS DOUBLE) IS DISTINCT FROM CAST(REPLACE(n, 'x', '') AS DOUBLE) AS e, GREATEST(CAST(n AS DOUBLE), CAST(id AS DOUBLE)) AS g, GREATEST(CAST(id AS DOUBLE), CAST(n AS DOUBLE)) AS h, LEAST(CAST(id AS DOUBLE), CAST(n AS DOUBLE)) AS k, CASE WHEN CAST(n AS DOUBLE) > 0 THEN 1 ELSE 2 END AS l, CAST(CAST(n AS DOUBLE) AS BOOLEAN) AS m, CAST(CAST(n AS DOUBLE) AS STRING) AS o, FLOOR(CAST(n AS DOUBLE)) AS p, SIGN(CAST(n AS DOUBLE)) AS q, POWER(CAST(n AS DOUBLE), 0) AS r, LEAST(CAST(n AS DOUBLE), CAST(id AS DOUBLE)) AS t FROM words WHERE id = 8
-- timestamps_by_other_patterns
SELECT id, TO_TIMESTAMP(w, 'yyyy-MM-dd HH:mm') AS a, TO_TIMESTAMP(w, 'dd/MM/yyyy') AS b FROM words
-- like_one_character_of_lines
SELECT id, s LIKE 'a_b' AS a, s LIKE 'a%_b' AS b, s LIKE '_' AS c, s LIKE 'a_' AS d, s LIKE 'a%_' AS e, s LIKE '%_%' AS f, s NOT LIKE 'a_b' AS g, s LIKE 'a%b' AS h FROM (VALUES (1, 'a' || CHR(10) || 'b'), (2, 'a' || CHR(13) || 'b'), (3, U&'a\2028b'), (4, U&'a\0085b'), (5, 'a-b'), (6, CHR(10)), (7, 'a' || CHR(10)), (8, 'a.b')) AS v(id, s)
-- like_escaped_character_of_lines
SELECT id, s LIKE 'a!__' ESCAPE '!' AS a, s LIKE '_!%' ESCAPE '!' AS b, s NOT LIKE '%!__' ESCAPE '!' AS c FROM (VALUES (1, 'a_' || CHR(10)), (2, 'a_b'), (3, CHR(10) || '%'), (4, 'x%')) AS v(id, s)
-- like_patterns_of_lines
SELECT id, s LIKE p AS a FROM (VALUES (1, 'a' || CHR(10), 'a_'), (2, 'ab', 'a_'), (3, 'a' || CHR(10), 'a%')) AS v(id, s, p)
