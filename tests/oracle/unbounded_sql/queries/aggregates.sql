-- listagg
SELECT shop AS k, LISTAGG(item) AS a, LISTAGG(item, '; ') AS b, LISTAGG(DISTINCT item) AS d
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- listagg_of_updates
SELECT c AS k, LISTAGG(shop) AS a, LISTAGG(shop, '+') AS b
FROM (SELECT shop, COUNT(*) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop) GROUP BY c

-- listagg_over
SELECT shop, ts, LISTAGG(item) OVER (PARTITION BY shop ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a FROM sales

-- deviations
SELECT shop AS k, STDDEV_POP(weight) AS a, STDDEV_SAMP(weight) AS b, STDDEV(weight) AS c, VAR_POP(weight) AS d,
    VAR_SAMP(weight) AS e, VARIANCE(weight) AS f FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- deviations_of_integers
SELECT item AS k, STDDEV_POP(amount) AS a, STDDEV_SAMP(amount) AS b, VAR_POP(amount) AS d, VAR_SAMP(amount) AS e
FROM sales WHERE item IS DISTINCT FROM 'filler' AND amount < 1000 GROUP BY item

-- deviations_of_decimals
SELECT item AS k, STDDEV_POP(price) AS a, STDDEV_SAMP(price) AS b, VAR_POP(price) AS d, VAR_SAMP(price) AS e
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY item

-- deviations_of_updates
SELECT n AS k, VAR_POP(s) AS a, STDDEV_SAMP(w) AS b, VAR_SAMP(DISTINCT s) AS d
FROM (SELECT shop, COUNT(*) AS n, SUM(amount) AS s, MAX(weight) AS w FROM sales
    WHERE item IS DISTINCT FROM 'filler' AND amount < 1000 GROUP BY shop) GROUP BY n

-- deviations_in_windows
SELECT window_start, item, STDDEV_POP(weight) AS a, VAR_SAMP(amount) AS b
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, item

-- deviations_over
SELECT shop, ts, STDDEV_POP(weight) OVER w AS a, VAR_SAMP(weight) OVER w AS b FROM sales
WINDOW w AS (PARTITION BY shop ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)

-- arrays
SELECT shop AS k, ARRAY_AGG(amount) AS a, ARRAY_AGG(DISTINCT item) AS d, ARRAY_AGG(item IGNORE NULLS) AS i,
    ARRAY_AGG(item RESPECT NULLS) AS r FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- arrays_of_updates
SELECT c AS k, ARRAY_AGG(shop) AS a
FROM (SELECT shop, COUNT(*) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop) GROUP BY c

-- arrays_in_windows
SELECT window_start, shop, ARRAY_AGG(item) AS a
FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, shop

-- filtered_arrays
SELECT shop AS k, ARRAY_AGG(amount) FILTER (WHERE amount > 4) AS a, LISTAGG(item) FILTER (WHERE amount > 4) AS b,
    STDDEV_POP(weight) FILTER (WHERE amount > 0) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- percentiles
SELECT shop AS k, PERCENTILE(amount, 0.5) AS a, PERCENTILE(weight, ARRAY[0.25, 1.0]) AS b,
    PERCENTILE(weight, 0.3, amount) AS c FROM sales
WHERE item IS DISTINCT FROM 'filler' AND (amount > 0 AND amount < 1000) GROUP BY shop

-- percentiles_of_updates
SELECT n AS k, PERCENTILE(s, 0.4) AS a FROM (SELECT shop, COUNT(*) AS n, SUM(amount) AS s FROM sales
    WHERE item IS DISTINCT FROM 'filler' AND amount < 1000 GROUP BY shop) GROUP BY n

-- objects
SELECT shop AS k, JSON_OBJECTAGG(KEY CAST(EXTRACT(SECOND FROM ts) AS STRING) || COALESCE(item, '?') VALUE amount) AS a,
    JSON_OBJECTAGG(KEY CAST(EXTRACT(SECOND FROM ts) AS STRING) || COALESCE(item, '?') VALUE price ABSENT ON NULL) AS b
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- json_arrays
SELECT shop AS k, JSON_ARRAYAGG(item) AS a, JSON_ARRAYAGG(amount NULL ON NULL) AS b
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- json_of_updates
SELECT c AS k, JSON_ARRAYAGG(shop NULL ON NULL) AS a
FROM (SELECT shop, COUNT(*) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop) GROUP BY c

-- distinct_pairs
SELECT shop AS k, COUNT(DISTINCT item) AS a, COUNT(DISTINCT amount) FILTER (WHERE amount > 0) AS b
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- multisets
SELECT shop AS k, COLLECT(item) AS a, COLLECT(DISTINCT amount) AS b
FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop

-- multisets_of_updates
SELECT c AS k, COLLECT(shop) AS a
FROM (SELECT shop, COUNT(*) AS c FROM sales WHERE item IS DISTINCT FROM 'filler' GROUP BY shop) GROUP BY c
