-- over_a_range
SELECT shop, ts, amount, SUM(amount) OVER (
    PARTITION BY shop ORDER BY ts RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW) AS s FROM sales

-- over_rows
SELECT shop, ts, amount, SUM(amount) OVER (
    PARTITION BY shop ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM sales

-- over_all_rows
SELECT shop, ts, amount, SUM(amount) OVER w AS s, COUNT(*) OVER w AS c FROM sales
WINDOW w AS (PARTITION BY shop ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)

-- over_the_default_range
SELECT shop, ts, amount, SUM(amount) OVER (PARTITION BY shop ORDER BY ts) AS s,
    COUNT(amount) OVER (PARTITION BY shop ORDER BY ts) AS c FROM sales

-- over_all_keys
SELECT shop, ts, SUM(amount) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '7' SECOND PRECEDING AND CURRENT ROW) AS s
FROM sales

-- over_all_keys_without_bound
SELECT ts, MAX(price) OVER (ORDER BY ts ASC) AS g FROM sales

-- over_the_current_row
SELECT shop, ts, amount, SUM(amount) OVER (PARTITION BY shop ORDER BY ts ROWS 0 PRECEDING) AS s FROM sales

-- over_the_current_time
SELECT shop, ts, amount, SUM(amount) OVER (
    PARTITION BY shop ORDER BY ts RANGE BETWEEN INTERVAL '0' SECOND PRECEDING AND CURRENT ROW) AS s FROM sales

-- each_aggregate_over_rows
SELECT ts, shop, COUNT(amount) OVER w AS c, SUM(price) OVER w AS s, AVG(price) OVER w AS a, MIN(price) OVER w AS l,
    MAX(weight) OVER w AS g, FIRST_VALUE(item) OVER w AS f, LAST_VALUE(item) OVER w AS i,
    COUNT(DISTINCT item) OVER w AS d, SUM(DISTINCT amount) OVER w AS e FROM sales
WINDOW w AS (PARTITION BY shop ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)

-- each_aggregate_over_a_range
SELECT ts, shop, COUNT(amount) OVER w AS c, SUM(price) OVER w AS s, AVG(weight) OVER w AS a, MIN(item) OVER w AS l,
    MAX(ts) OVER w AS g, FIRST_VALUE(amount) OVER w AS f, LAST_VALUE(amount) OVER w AS i,
    COUNT(DISTINCT item) OVER w AS d, AVG(DISTINCT price) OVER w AS e FROM sales
WINDOW w AS (PARTITION BY shop ORDER BY ts RANGE BETWEEN INTERVAL '4' SECOND PRECEDING AND CURRENT ROW)

-- each_aggregate_over_all_rows
SELECT ts, shop, COUNT(*) OVER w AS c, SUM(weight) OVER w AS s, AVG(price) OVER w AS a, MIN(weight) OVER w AS l,
    MAX(item) OVER w AS g, FIRST_VALUE(amount) OVER w AS f, LAST_VALUE(amount) OVER w AS i,
    COUNT(DISTINCT item) OVER w AS d, SUM(DISTINCT price) OVER w AS e FROM sales
WINDOW w AS (PARTITION BY shop ORDER BY ts)

-- values_of_earlier_rows
SELECT shop, ts, amount, LAG(amount) OVER w AS a, LAG(amount, 2) OVER w AS b, LAG(item, 0) OVER w AS c,
    SUM(amount) OVER w AS s FROM sales WINDOW w AS (PARTITION BY shop ORDER BY ts)

-- value_of_an_earlier_row_or_another
SELECT shop, ts, LAG(shop, 1, item) OVER (PARTITION BY item ORDER BY ts) AS a FROM returned

-- numbers_of_rows
SELECT shop, ts, amount, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts) AS r, SUM(amount) OVER (
    PARTITION BY shop ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM sales

-- over_the_results_of_windows
SELECT shop, wt, SUM(total) OVER (PARTITION BY shop ORDER BY wt) AS s, SUM(n) OVER (PARTITION BY shop ORDER BY wt) AS n
FROM totals

-- windows_of_rows_over_others
SELECT window_start, COUNT(*) AS c, MAX(s) AS g FROM TABLE(TUMBLE(TABLE summed, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end

-- updates_of_rows_over_others
SELECT shop AS k, COUNT(*) AS c, SUM(s) AS s FROM summed GROUP BY shop

-- over_rows_over_others
SELECT shop, ts, s, COUNT(s) OVER (PARTITION BY shop ORDER BY ts ROWS 1 PRECEDING) AS c FROM summed
