-- falling_and_rising_prices
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES START_ROW.ts AS first_ts, LAST(PRICE_DOWN.ts) AS bottom_ts, LAST(PRICE_UP.ts) AS last_ts
    ONE ROW PER MATCH AFTER MATCH SKIP TO LAST PRICE_UP
    PATTERN (START_ROW PRICE_DOWN+ PRICE_UP)
    DEFINE
        PRICE_DOWN AS (LAST(PRICE_DOWN.price, 1) IS NULL AND PRICE_DOWN.price < START_ROW.price)
            OR PRICE_DOWN.price < LAST(PRICE_DOWN.price, 1),
        PRICE_UP AS PRICE_UP.price > LAST(PRICE_DOWN.price, 1)
) MR

-- average_below_a_threshold
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES FIRST(A.ts) AS first_ts, LAST(A.ts) AS last_ts, AVG(A.price) AS avg_price
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A+ B) DEFINE A AS AVG(A.price) < 15
) MR

-- greedy
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, C.price AS c, COUNT(B.price) AS n
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B* C) DEFINE A AS A.price > 10, B AS B.price < 20, C AS C.price > 12
)

-- reluctant
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, C.price AS c, COUNT(B.price) AS n
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B*? C) DEFINE A AS A.price > 10, B AS B.price < 20, C AS C.price > 12
)

-- drops_within_a_time
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.ts AS first_ts, C.ts AS drop_ts, A.price - C.price AS diff
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B* C) WITHIN INTERVAL '5' SECOND
    DEFINE B AS B.price > A.price - 7, C AS C.price < A.price - 7
)

-- drops_at_any_time
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.ts AS first_ts, C.ts AS drop_ts, A.price - C.price AS diff
    PATTERN (A B* C) DEFINE B AS B.price > A.price - 7, C AS C.price < A.price - 7
)

-- skip_past_last_row
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES SUM(A.price) AS s, FIRST(ts) AS first_ts, LAST(ts) AS last_ts
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A+ C) DEFINE A AS SUM(A.price) < 30
)

-- skip_to_next_row
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES SUM(A.price) AS s, FIRST(ts) AS first_ts, LAST(ts) AS last_ts
    ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A+ C) DEFINE A AS SUM(A.price) < 30
)

-- skip_to_last
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES COUNT(A.price) AS n, FIRST(ts) AS first_ts, LAST(ts) AS last_ts
    ONE ROW PER MATCH AFTER MATCH SKIP TO LAST A
    PATTERN (X A+ C) DEFINE A AS SUM(A.price) < 30
)

-- skip_to_first
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES COUNT(A.price) AS n, FIRST(ts) AS first_ts, LAST(ts) AS last_ts
    ONE ROW PER MATCH AFTER MATCH SKIP TO FIRST A
    PATTERN (X A+ C) DEFINE A AS SUM(A.price) < 30
)

-- sums_of_all_variables
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES SUM(price) AS s, COUNT(price) AS n, MIN(B.price) AS low, MAX(B.price) AS high,
        SUM(B.price * B.tax) AS w, AVG(B.price) AS m, COUNT(*) AS c, COUNT(B.tax) AS t
    PATTERN (A B+ C)
    DEFINE A AS A.price >= 7, B AS B.price > A.price AND SUM(price) < 100 AND SUM(B.price) < 80, C AS C.price < B.price
)

-- offsets
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES FIRST(B.price) AS b0, FIRST(B.price, 1) AS b1, LAST(B.price, 1) AS b_1, LAST(price, 2) AS p_2,
        FIRST(price, 3) AS p3, LAST(B.price * B.tax) AS w, FIRST(A.price, 1) AS a1, price AS p, B.tax AS t
    PATTERN (A B+ C)
    DEFINE B AS (LAST(B.price, 1) IS NULL OR B.price > LAST(B.price, 1)) AND B.price > FIRST(A.price),
        C AS LAST(price, 1) > price
)

-- optional_variables
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, B.price AS b, C.price AS c, COUNT(B.price) AS n
    PATTERN (A B? C) DEFINE B AS B.price < 20, C AS LAST(price, 1) < C.price
)

-- quantifiers_of_a_number
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES COUNT(A.price) AS a, COUNT(B.price) AS b, COUNT(C.price) AS c, COUNT(D.price) AS d, LAST(price) AS p
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A{2} B{1,2} C{0,2} D)
    DEFINE A AS A.price > 8, B AS B.price >= LAST(A.price), C AS C.price > 15, D AS D.price < 25
)

-- quantifiers_from_a_number
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES COUNT(A.price) AS a, COUNT(B.price) AS b, LAST(B.price) AS p
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A{2,} B{0,2} C) DEFINE A AS A.price > 14, B AS B.price < 24
)

-- reluctant_quantifiers
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES COUNT(A.price) AS a, COUNT(B.price) AS b, COUNT(C.price) AS c, LAST(price) AS p
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A{2,}? B{1,3}? C+?) DEFINE A AS A.price > 8, B AS B.price > 11, C AS C.price < 25
)

-- reluctant_last
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, LAST(B.price) AS b, COUNT(B.price) AS n
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A B*?) DEFINE A AS A.price > 12
)

-- reluctant_last_of_a_number
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES FIRST(A.price) AS a, LAST(B.price) AS b, COUNT(B.price) AS n
    PATTERN (A+ B{2,3}?) DEFINE A AS A.price > 12, B AS B.price < 20
)

-- optional_last
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, B.price AS b, C.price AS c
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A B*? C?) DEFINE A AS A.price > 12, B AS B.price > 15
)

-- all_rows_together
SELECT * FROM ticks MATCH_RECOGNIZE (
    ORDER BY ts MEASURES A.symbol AS a, C.symbol AS c, SUM(price) AS s, LAST(ts) AS t
    PATTERN (A B{2} C) WITHIN INTERVAL '4' SECOND
    DEFINE A AS A.price > 10, C AS C.price < A.price
)

-- ties_in_order
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts, price DESC, tax
    MEASURES A.price AS a, B.price AS b, C.price AS c, A.ts AS t
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A B C) DEFINE B AS B.ts = A.ts
)

-- ties_as_they_came
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, B.price AS b, C.price AS c, A.ts AS t
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A B C) DEFINE B AS B.ts = A.ts
)

-- nulls_in_conditions
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, B.price AS b, C.price AS c, B.ts AS t
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A B C) DEFINE A AS NOT (A.price = 11), B AS B.price IS NULL OR B.tax > 2, C AS COALESCE(B.tax, 0) <> C.tax
)

-- windows_of_matches
SELECT window_start, COUNT(*) AS n, SUM(total) AS s
FROM TABLE(TUMBLE(TABLE rises, DESCRIPTOR(mt), INTERVAL '10' SECOND)) GROUP BY window_start, window_end

-- group_windows_of_matches
SELECT TUMBLE_END(mt, INTERVAL '10' SECOND) AS e, COUNT(*) AS n, MAX(p) AS p
FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES B.price AS p, MATCH_ROWTIME(ts) AS mt
    PATTERN (A B) DEFINE B AS B.price > A.price
) GROUP BY TUMBLE(mt, INTERVAL '10' SECOND)

-- times_of_matches
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES A.price AS a, B.price AS b, B.ts AS t, MATCH_ROWTIME() AS mt
    AFTER MATCH SKIP TO NEXT ROW
    PATTERN (A X{0,2}? B) DEFINE A AS A.tax > 1, B AS B.price > A.price + 3
)

-- matches_after_earlier_ones
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES FIRST(ts) AS first_ts, C.ts AS last_ts, A.price AS a, C.price AS c
    AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B+? C) WITHIN INTERVAL '7' SECOND DEFINE C AS C.price = A.price + 2 OR C.price = A.price
)

-- of_a_query
SELECT T.symbol, T.d * 2 AS twice, UPPER(T.symbol) AS big FROM (
    SELECT symbol, price + tax AS cost, ts FROM ticks WHERE tax < 3
) MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES CAST(B.cost - A.cost AS BIGINT) AS d, A.ts AS t
    PATTERN (A B) DEFINE B AS B.cost > A.cost + 1
) AS T WHERE T.d > 2

-- groups_of_matches
SELECT symbol AS k, COUNT(*) AS n, MAX(up) AS m FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts MEASURES B.price - A.price AS up
    PATTERN (A B) DEFINE B AS B.price > A.price
) GROUP BY symbol

-- several_keys
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol, tax ORDER BY ts ASC MEASURES A.price AS a, B.price AS b, A.tax + B.tax AS t
    PATTERN (A B) DEFINE B AS B.price > A.price
)

-- names_in_quotes
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES `a b`.price AS `first price`, CASE WHEN y.price > 20 THEN 'high' ELSE 'low' END AS `kind`
    PATTERN (`a b` y) DEFINE y AS y.price > `a b`.price
)

-- rows_that_several_variables_take
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES FIRST(ts) AS first_ts, COUNT(A.ts) AS a, COUNT(B.ts) AS b, COUNT(C.ts) AS c, COUNT(D.ts) AS d
    PATTERN (A{1,2}? B{1,2}? C+ D) DEFINE A AS A.price > 10, C AS C.price > 13
)

-- reluctant_variables_that_take_any_row
SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY ts
    MEASURES FIRST(ts) AS first_ts, COUNT(A.ts) AS a, COUNT(B.ts) AS b, COUNT(C.ts) AS c, COUNT(D.ts) AS d
    AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A+? B{0,3}? C{2,}? D) WITHIN INTERVAL '20' SECOND DEFINE A AS A.price > 8, D AS D.price < 15
)
