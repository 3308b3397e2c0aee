-- window_top_n_of_rows
SELECT window_start, shop, item, amount, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end, shop ORDER BY amount DESC, item) AS rn
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn <= 2

-- window_top_n_without_a_key
SELECT window_end, item, price FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end ORDER BY price) AS rn
    FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) WHERE rn <= 3

-- window_top_n_after_aggregation
SELECT window_start, shop, s, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end ORDER BY s DESC) AS rn FROM (
    SELECT window_start, window_end, shop, SUM(amount) AS s, COUNT(*) AS c
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY window_start, window_end, shop)) WHERE rn <= 2

-- first_rows_of_windows
SELECT window_start, shop, item, amount FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end, shop ORDER BY ts) AS rn
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn = 1

-- last_rows_of_windows
SELECT window_start, window_time, shop, amount FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end, shop ORDER BY ts DESC) AS rn
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn = 1

-- ranks_from_two_on
SELECT window_end, item, amount, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_end, window_start ORDER BY amount DESC) AS rn
    FROM TABLE(CUMULATE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)))
WHERE rn BETWEEN 2 AND 3

-- windows_of_ranks
SELECT window_start, COUNT(*) AS c, MAX(amount) AS m FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end, shop ORDER BY amount DESC) AS rn
    FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn <= 2
GROUP BY window_start, window_end

-- qualify_windows
SELECT window_start, window_end, shop, amount FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND)) QUALIFY ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) <= 1
