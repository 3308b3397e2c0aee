-- first_rows_with_numbers
SELECT shop AS k, amount, item, rn
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) AS rn FROM sales) WHERE rn <= 3

-- first_rows
SELECT shop AS k, amount, item
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount) AS rn FROM sales) WHERE 2 >= rn

-- first_rows_by_text_and_doubles
SELECT shop AS k, item, weight, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY item DESC NULLS FIRST, weight NULLS LAST) AS rn FROM sales) WHERE rn < 4

-- first_rows_by_decimals
SELECT item AS k, price FROM (SELECT item, price, ROW_NUMBER() OVER (
    PARTITION BY item ORDER BY price DESC) AS rn FROM sales) WHERE rn <= 2

-- first_rows_by_several_keys
SELECT k1, k2, ts, rn FROM (SELECT shop AS k1, item AS k2, ts, ROW_NUMBER() OVER (
    PARTITION BY shop, item ORDER BY ts DESC, weight) AS rn FROM sales) WHERE rn <= 2

-- first_rows_of_all
SELECT amount, shop, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY amount DESC, shop) AS rn FROM sales)
WHERE rn <= 3

-- ranks_between
SELECT shop AS k, amount, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY amount DESC) AS rn FROM sales) WHERE rn BETWEEN 2 AND 3

-- second_rows
SELECT shop AS k, amount FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY amount DESC) AS rn FROM sales) WHERE rn = 2

-- only_the_first_row
SELECT shop AS k, item, amount FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY amount DESC) AS rn FROM sales) WHERE rn < 3 AND rn < 2

-- first_rows_of_growing_counts
SELECT shop, n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (
    SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)) WHERE rn <= 2

-- first_rows_of_growing_counts_with_numbers
SELECT rn, shop, n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (
    SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)) WHERE rn <= 3

-- first_rows_of_growing_counts_by_key
SELECT shop AS k, item, n, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY n DESC, item) AS rn
    FROM (SELECT shop, item, COUNT(*) AS n FROM sales GROUP BY shop, item)) WHERE rn <= 2

-- first_row_of_growing_maxima
SELECT shop, g FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY g DESC) AS rn FROM (
    SELECT shop, MAX(amount) AS g FROM sales GROUP BY shop)) WHERE rn <= 1

-- least_counts
SELECT shop, n, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n) AS rn FROM (
    SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)) WHERE rn <= 2

-- first_rows_of_sums
SELECT shop, s FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY s DESC) AS rn FROM (
    SELECT shop, SUM(amount) AS s FROM sales GROUP BY shop)) WHERE rn <= 2

-- first_row_of_sums_by_key
SELECT item AS k, shop, s FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY item ORDER BY s) AS rn FROM (
    SELECT shop, item, SUM(price) AS s FROM sales GROUP BY shop, item)) WHERE rn <= 1

-- counts_that_become_groups
SELECT n AS k, shop, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY n ORDER BY shop) AS rn FROM (
    SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)) WHERE rn <= 2

-- first_rows_of_aggregates
SELECT item, n FROM (SELECT item, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY MAX(price) DESC) AS rn
    FROM sales GROUP BY item) WHERE rn <= 2

-- first_rows_of_first_rows
SELECT shop, amount, r, rn FROM (SELECT shop, amount, r, ROW_NUMBER() OVER (ORDER BY amount) AS rn FROM (
    SELECT shop, amount, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) AS r FROM sales)
    WHERE r <= 2) WHERE rn <= 2

-- first_rows_by_time
SELECT shop AS k, item, amount, ts FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY ts) AS rn FROM sales) WHERE rn = 1

-- first_rows_by_time_with_numbers
SELECT rn, item AS k, shop, ts FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY item ORDER BY ts) AS rn FROM sales) WHERE rn = 1

-- last_rows_by_time
SELECT shop AS k, item, amount, ts FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY ts DESC) AS rn FROM sales) WHERE rn = 1

-- first_rows_by_arrival
SELECT shop AS k, item, amount FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop ORDER BY PROCTIME()) AS rn FROM sales) WHERE rn = 1

-- last_rows_by_arrival
SELECT item AS k, shop, rn FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY item ORDER BY PROCTIME() DESC) AS rn FROM sales) WHERE rn = 1

-- last_row_of_all_with_number
SELECT shop, amount, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY ts DESC) AS rn FROM sales) WHERE rn = 1

-- windows_of_first_rows_by_time
WITH firsts AS (SELECT shop, item, ts FROM (SELECT *, ROW_NUMBER() OVER (
    PARTITION BY shop, item ORDER BY ts) AS rn FROM sales) WHERE rn = 1)
SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE firsts, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end

-- first_rows_of_windows
SELECT shop AS k, wt, total FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY wt) AS rn FROM totals)
WHERE rn = 1

-- order_by_limit
SELECT shop, item, amount FROM sales ORDER BY amount DESC, item LIMIT 3

-- order_by_other_columns_limit
SELECT amount FROM sales ORDER BY weight NULLS LAST, item DESC LIMIT 2

-- order_by_limit_offset
SELECT item AS thing, amount FROM sales ORDER BY thing, 2 LIMIT 2 OFFSET 1

-- fetch_first_row
SELECT shop, price FROM sales ORDER BY price FETCH FIRST 1 ROW ONLY

-- order_by_limit_of_counts
SELECT item, COUNT(*) AS n FROM sales GROUP BY item ORDER BY n DESC LIMIT 2

-- order_by_limit_of_sums
SELECT item, SUM(amount) AS s FROM sales GROUP BY item ORDER BY SUM(amount), item LIMIT 2

-- limit_of_rows
SELECT shop, amount FROM sales LIMIT 4

-- limit_offset
SELECT item FROM sales LIMIT 3 OFFSET 2

-- limit_of_a_union
SELECT shop, item FROM returned UNION ALL SELECT shop, item FROM returned LIMIT 4

-- aggregates_of_a_limit
SELECT COUNT(*) AS n, SUM(amount) AS s FROM (SELECT amount FROM sales LIMIT 3)

-- limit_of_updates
SELECT shop, n FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop) LIMIT 2

-- order_by_time
SELECT ts, shop, amount FROM sales ORDER BY ts

-- order_by_time_and_others
SELECT item, amount FROM sales ORDER BY ts, amount DESC, item

-- order_by_time_of_windows
SELECT wt, shop, total FROM totals ORDER BY wt, shop DESC

-- count_of_rows_in_order_of_time
SELECT COUNT(*) AS n, LAST_VALUE(item) AS l FROM (SELECT ts, item FROM sales ORDER BY ts)

-- qualify_first_rows
SELECT shop AS k, item, amount FROM sales QUALIFY ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) <= 2

-- qualify_rows_by_time
SELECT shop AS k, item, amount, ts FROM sales QUALIFY ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts) = 1

-- qualify_last_rows_with_numbers
SELECT shop AS k, item, amount, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts DESC) AS rn FROM sales QUALIFY rn = 1

-- qualify_counts
SELECT k, n FROM (SELECT shop AS k, COUNT(*) AS n FROM sales WHERE amount < 1000 GROUP BY shop) QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC, k) <= 2

-- qualify_with_another_condition
SELECT shop AS k, amount FROM sales WHERE item = 'pen' QUALIFY ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount) = 1 AND weight > 0
