CREATE TABLE numbers (
    id INT, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 2), b BOOLEAN
) WITH ('connector' = 'filesystem', 'path' = '{tables}/numbers.json', 'format' = 'json');

CREATE TABLE texts (
    id INT, s STRING, t STRING, n STRING
) WITH ('connector' = 'filesystem', 'path' = '{tables}/texts.json', 'format' = 'json');

CREATE TABLE times (
    id INT, dt DATE, tm TIME, ts TIMESTAMP(3), ltz TIMESTAMP_LTZ(3)
) WITH ('connector' = 'filesystem', 'path' = '{tables}/times.json', 'format' = 'json');

CREATE TABLE nested (
    id INT, ints ARRAY<INT>, tags ARRAY<STRING>, counts MAP<STRING, INT>, r ROW<a INT, b STRING>,
    items ARRAY<ROW<a INT, b STRING>>
) WITH ('connector' = 'filesystem', 'path' = '{tables}/nested.json', 'format' = 'json');

CREATE TABLE orders (
    id INT, customer STRING, amount INT, price DECIMAL(10, 2), ts TIMESTAMP(3)
) WITH ('connector' = 'filesystem', 'path' = '{tables}/orders.json', 'format' = 'json');

CREATE TABLE customers (
    name STRING, city STRING, level INT, since TIMESTAMP(3)
) WITH ('connector' = 'filesystem', 'path' = '{tables}/customers.json', 'format' = 'json');

CREATE TABLE edges (
    id INT, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 2), big DECIMAL(38, 18), b BOOLEAN
) WITH ('connector' = 'filesystem', 'path' = '{tables}/edges.json', 'format' = 'json');

CREATE TABLE words (
    id INT, s STRING, t STRING, n STRING, w STRING
) WITH ('connector' = 'filesystem', 'path' = '{tables}/words.json', 'format' = 'json');

CREATE TABLE dates (
    id INT, dt DATE, tm TIME, ts TIMESTAMP(3), us TIMESTAMP(6), n INT
) WITH ('connector' = 'filesystem', 'path' = '{tables}/dates.json', 'format' = 'json');

CREATE VIEW big_orders AS SELECT id, customer, amount * 2 AS twice FROM orders WHERE amount > 20;

CREATE VIEW cities (city, members) AS SELECT city, COUNT(*) FROM customers GROUP BY city;

CREATE VIEW big AS SELECT id, ts AS t FROM orders WHERE amount > 10;

CREATE VIEW zoned AS SELECT id, ltz FROM times WHERE id <> 4;
