-- counts_of_counts
SELECT n AS k, COUNT(*) AS c FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop) GROUP BY n

-- global_aggregates_of_updates
SELECT COUNT(*) AS n, COUNT(s) AS c, SUM(s) AS s, AVG(s) AS a, MIN(s) AS l, MAX(s) AS g
FROM (SELECT shop, SUM(amount) AS s FROM sales GROUP BY shop)

-- aggregates_of_each_type_of_updates
SELECT shop AS k, SUM(s1) AS s1, AVG(s1) AS a1, SUM(s2) AS s2, AVG(s2) AS a2, MIN(s2) AS l2, MAX(s2) AS g2,
    SUM(s3) AS s3, AVG(s3) AS a3, MIN(s3) AS l3, MAX(s3) AS g3, MIN(t) AS l4, MAX(t) AS g4
FROM (SELECT shop, item, SUM(amount) AS s1, SUM(price) AS s2, SUM(weight) AS s3, MAX(ts) AS t
    FROM sales GROUP BY shop, item) GROUP BY shop

-- first_and_last_value_of_updates
SELECT shop AS k, FIRST_VALUE(s) AS f, LAST_VALUE(s) AS l, FIRST_VALUE(item) AS i
FROM (SELECT shop, item, SUM(amount) AS s FROM sales GROUP BY shop, item) GROUP BY shop

-- first_value_of_updates
SELECT FIRST_VALUE(n) AS f FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)

-- last_value_of_updates
SELECT LAST_VALUE(n) AS l FROM (SELECT shop, COUNT(*) AS n FROM sales GROUP BY shop)

-- distinct_aggregates_of_updates
SELECT shop AS k, COUNT(DISTINCT n) AS c, SUM(DISTINCT n) AS s, AVG(DISTINCT n) AS a, MAX(DISTINCT n) AS g
FROM (SELECT shop, item, COUNT(*) AS n FROM sales GROUP BY shop, item) GROUP BY shop

-- distinct_updates
SELECT DISTINCT n FROM (SELECT shop, COUNT(amount) AS n FROM sales GROUP BY shop)

-- groups_that_vanish
SELECT shop AS k, COUNT(*) AS n, SUM(amount) AS s, MIN(item) AS l, LAST_VALUE(item) AS i
FROM (SELECT shop, amount, item, ROW_NUMBER() OVER (ORDER BY amount DESC) AS rn FROM sales)
WHERE rn <= 3 GROUP BY shop

-- groups_of_last_rows
SELECT item AS k, COUNT(*) AS n, SUM(price) AS s, MAX(shop) AS g
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY ts DESC) AS rn FROM sales)
WHERE rn = 1 GROUP BY item
