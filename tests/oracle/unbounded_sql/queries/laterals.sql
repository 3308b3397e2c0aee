-- aggregates_of_each_row
SELECT s.city AS k, t.n, t.m FROM shops AS s,
    LATERAL (SELECT COUNT(*) AS n, MAX(amount) AS m FROM sales WHERE sales.shop = s.shop) AS t

-- sums_of_each_row_or_none
SELECT o.item AS k, t.m FROM orders AS o
LEFT JOIN LATERAL (SELECT SUM(price) AS m FROM sales WHERE sales.item = o.item AND price < 5) AS t ON TRUE

-- counts_of_each_row_or_none
SELECT o.item AS k, t.n FROM orders AS o
LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM sales WHERE sales.item = o.item AND amount > 5) AS t ON TRUE

-- groups_of_each_row
SELECT s.city AS k, t.item, t.n FROM shops AS s
CROSS JOIN LATERAL (SELECT item, COUNT(amount) AS n FROM sales AS x WHERE x.shop = s.shop GROUP BY item) AS t

-- rows_of_each_row
SELECT o.id AS k, t.price FROM orders AS o, LATERAL (SELECT price FROM sales WHERE item = o.item AND amount > 0) AS t

-- distinct_rows_of_each_row
SELECT s.city AS k, t.item FROM shops AS s, LATERAL (SELECT DISTINCT item FROM sales AS x WHERE x.shop = s.shop) AS t

-- first_rows_of_each_row
SELECT c.item AS k, t.n FROM (SELECT DISTINCT item FROM calls) AS c,
    LATERAL (SELECT n, ts FROM calls WHERE item = c.item ORDER BY n DESC LIMIT 2) AS t
