-- sums_by_value
SELECT shop AS k, item, amount, SUM(amount) OVER (PARTITION BY shop ORDER BY amount) AS s FROM sales WHERE shop IS NOT NULL

-- sums_of_rows_by_value
SELECT shop AS k, item, amount, SUM(amount) OVER (
    PARTITION BY shop ORDER BY amount ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM sales WHERE amount < 50

-- each_function_by_value
SELECT shop AS k, weight, COUNT(*) OVER w AS c, AVG(amount) OVER w AS a, MIN(item) OVER w AS l, MAX(price) OVER w AS g,
    SUM(price) OVER w AS s FROM sales
WHERE weight > 0 AND amount < 1000 WINDOW w AS (PARTITION BY shop ORDER BY weight)

-- numbers_by_value
SELECT shop AS k, price, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY price) AS n FROM sales WHERE price > 0.5

-- sums_of_all_rows_by_value
SELECT item, price, SUM(price) OVER (ORDER BY price) AS s FROM sales WHERE price < 5

-- sums_of_updates_by_value
SELECT item AS k, total, SUM(total) OVER (ORDER BY total) AS s FROM (
    SELECT item, SUM(weight) AS total FROM sales WHERE weight > 0 GROUP BY item)

-- by_a_time_without_watermark
SELECT shop AS k, SUM(amount) OVER (PARTITION BY shop ORDER BY t) AS s FROM (
    SELECT shop, amount, CAST(CAST(ts AS STRING) AS TIMESTAMP(3)) AS t FROM sales) WHERE shop = 'b'
