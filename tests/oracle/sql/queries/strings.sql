-- case
SELECT id, UPPER(s) AS a, LOWER(s) AS b, INITCAP(s) AS c, CHAR_LENGTH(s) AS e, CHARACTER_LENGTH(s) AS g FROM texts
-- substring
SELECT id, SUBSTRING(s FROM 2) AS a, SUBSTRING(s FROM 2 FOR 3) AS b, SUBSTRING(s, 1, 4) AS c, SUBSTR(s, -3) AS e, SUBSTRING(s, 0, 2) AS g, SUBSTRING(s, -3, 2) AS h FROM texts
-- left_and_right
SELECT id, LEFT(s, 3) AS a, RIGHT(s, 3) AS b, LEFT(s, -1) AS c FROM texts
-- trim
SELECT id, TRIM(s) AS a, TRIM(BOTH ' ' FROM s) AS b, TRIM(LEADING ' ' FROM s) AS c, TRIM(TRAILING ' ' FROM s) AS e, LTRIM(s) AS g, RTRIM(s) AS h, BTRIM(s) AS k FROM texts
-- trim_of_characters
SELECT TRIM(BOTH 'x' FROM 'xxaxbxx') AS a, TRIM(LEADING 'x' FROM 'xxaxx') AS b, LTRIM('xya', 'xy') AS c
-- like
SELECT id, s LIKE '%o%' AS a, s LIKE 'f_n%' AS b, s NOT LIKE '%a%' AS c, s LIKE '%!%%' ESCAPE '!' AS e, s LIKE '%n\_%' AS g FROM texts WHERE id <> 2
-- like_an_escape
SELECT id, s LIKE '%n!_f%' ESCAPE '!' AS a FROM texts
-- similar_to
SELECT id, s SIMILAR TO '[a-z0-9]+' AS a FROM texts
-- position
SELECT id, POSITION('o' IN s) AS a, POSITION(t IN s) AS b, LOCATE('o', s) AS c, LOCATE('o', s, 6) AS e, INSTR(s, 'o') AS g FROM texts
-- replace
SELECT id, REPLACE(s, 'o', '0') AS a, OVERLAY(s PLACING 'XX' FROM 2 FOR 3) AS b, OVERLAY(s PLACING 'XX' FROM 2) AS c, TRANSLATE(s, 'lo', 'LO') AS e FROM texts
-- regular_expressions
SELECT id, REGEXP_EXTRACT(s, '([a-z]+)([0-9]+)', 2) AS a, REGEXP_REPLACE(s, '[0-9]+', '#') AS b, REGEXP(s, '[0-9]') AS c, REGEXP_EXTRACT(s, '[0-9]+') AS e, REGEXP_EXTRACT(s, '([a-z]+)', 1) AS g FROM texts
-- more_regular_expressions
SELECT id, REGEXP_COUNT(s, 'o') AS a, REGEXP_SUBSTR(s, '[0-9]+') AS b, REGEXP_INSTR(s, '[0-9]') AS c, REGEXP_EXTRACT_ALL(s, '([0-9]+)') AS e FROM texts
-- padding
SELECT id, LPAD(s, 8, '*') AS a, RPAD(s, 8, '*') AS b, LPAD(s, 3, '*') AS c, LPAD(s, 8, '') AS e, LPAD(n, 6, '0') AS g FROM texts
-- concatenation
SELECT id, s || t AS a, CONCAT(s, t, 'x') AS b, CONCAT_WS('-', s, t, CAST(NULL AS STRING), 'x') AS c, n || 'x' AS e, CONCAT_WS('-', t) AS g FROM texts
-- split_index
SELECT id, SPLIT_INDEX(s, ',', 0) AS a, SPLIT_INDEX(s, ',', 2) AS b, SPLIT_INDEX(s, ',', 3) AS c, SPLIT_INDEX(s, ',', 9) AS e, SPLIT_INDEX(s, ',', -1) AS g FROM texts
-- split
SELECT id, SPLIT(s, ',') AS a FROM texts
-- repeat_and_reverse
SELECT id, REPEAT(t, 3) AS a, REVERSE(s) AS b, REPEAT(t, 0) AS c, ELT(2, 'a', s) AS e FROM texts
-- ascii_and_chr
SELECT id, ASCII(s) AS a, CHR(65) AS b, CHR(id + 96) AS c FROM texts
-- encodings
SELECT MD5('a') AS a, SHA1('a') AS b, SHA256('a') AS c, SHA2('a', 512) AS e, TO_BASE64('hello') AS g, FROM_BASE64('aGVsbG8=') AS h, SHA224('a') AS k
-- null_md5
SELECT id, MD5(s) AS a FROM texts WHERE id >= 3 AND id <= 4
-- comparison
SELECT id, s < t AS a, s = '' AS b, s > 'b' AS c, 'a ' = 'a' AS e FROM texts
-- startswith
SELECT id, STARTSWITH(s, 'fo') AS a, ENDSWITH(s, '45') AS b FROM texts
-- parse_url
SELECT PARSE_URL('http://flink.apache.org/path?q=1#f', 'HOST') AS a, PARSE_URL('http://flink.apache.org/path?q=1', 'QUERY', 'q') AS b, URL_ENCODE('a b&c') AS c, URL_DECODE('a+b%26c') AS e
-- json_values
SELECT JSON_VALUE('{"a": {"b": 1}}', '$.a.b') AS a, JSON_EXISTS('{"a": 1}', '$.a') AS b, JSON_VALUE('{"a": 1}', '$.c') AS c
-- json_query
SELECT JSON_QUERY('{"a": [1, 2]}', '$.a') AS a, '{"a": 1}' IS JSON AS b
-- str_to_map
SELECT STR_TO_MAP('a=1,b=2') AS a, STR_TO_MAP('a:1;b:2', ';', ':') AS b
-- in_of_text
SELECT id FROM texts WHERE s IN ('Hello World', '') OR t LIKE 'p%'
-- length_and_literal_types
SELECT CHAR_LENGTH('abc') AS a, 'abc' AS b, UPPER('abc') AS c, CASE WHEN 1 = 1 THEN 'a' ELSE 'bcd' END AS e
-- uuid_length
SELECT CHAR_LENGTH(UUID()) AS a
-- substring_index_and_printf
SELECT PRINTF('%d-%s', 1, 'a') AS a

-- similar_to_patterns
SELECT s, s SIMILAR TO 'a%' AS a, s SIMILAR TO 'a_c' AS b, s SIMILAR TO '(a|b)%' AS c, s SIMILAR TO 'a{1}b*c?' AS e, s SIMILAR TO '[^a-c]%' AS g, s SIMILAR TO '[[:ALPHA:]]+' AS h, s SIMILAR TO '[[:digit:] ]*' AS k, s SIMILAR TO 'a!%' ESCAPE '!' AS l, s SIMILAR TO '[a!%c]+' ESCAPE '!' AS m, s NOT SIMILAR TO '[a^b]+' AS n, s SIMILAR TO 'a.c' AS o, s SIMILAR TO '\d+' AS p, s SIMILAR TO 'x_y' AS q, s SIMILAR TO 'x%y' AS r FROM (VALUES ('abc'), ('a1'), ('a%'), ('a_c'), ('x
y'), (''), ('a.c'), ('ABC'), ('1 2'), ('ab'), ('é'), ('^')) AS t(s)

-- similar_to_an_open_class
SELECT s SIMILAR TO '[a' AS a FROM texts WHERE id = 1

-- similar_to_a_wrong_escape
SELECT s SIMILAR TO 'x!ay' ESCAPE '!' AS a FROM texts WHERE id = 1

-- similar_to_anchors
SELECT s, s SIMILAR TO '$' AS a, s SIMILAR TO 'a$' AS b, s SIMILAR TO '^a' AS c, s SIMILAR TO 'a^b' AS e, s SIMILAR TO '^' AS g FROM (VALUES ('$'), ('a$'), ('a'), ('^a'), ('a^b'), ('^'), ('')) AS t(s)

-- current_database
SELECT CURRENT_DATABASE() AS a, CHAR_LENGTH(current_database()) AS b, CURRENT_DATABASE() || s AS c FROM texts WHERE id = 1
