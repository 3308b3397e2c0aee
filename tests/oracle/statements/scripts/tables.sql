-- names
CREATE TABLE t (a INT) WITH ('connector' = 'datagen')

CREATE TABLE t (a INT) WITH ('connector' = 'datagen')

CREATE TABLE IF NOT EXISTS t (b INT) WITH ('connector' = 'datagen')

DESCRIBE t

CREATE TEMPORARY TABLE t (c STRING) WITH ('connector' = 'datagen')

CREATE TEMPORARY TABLE t (c STRING) WITH ('connector' = 'datagen')

CREATE TEMPORARY TABLE IF NOT EXISTS t (d STRING) WITH ('connector' = 'datagen')

DESCRIBE t

DESCRIBE default_catalog.default_database.t

DESCRIBE `default_catalog`.`default_database`.`t`

DESCRIBE default_database.t

SHOW TABLES

DROP TABLE t

DROP VIEW t

DROP TEMPORARY TABLE t

DESCRIBE t

DROP TEMPORARY TABLE t

DROP TEMPORARY TABLE IF EXISTS t

DROP TABLE t

DROP TABLE t

DROP TABLE IF EXISTS t

DROP TABLE x.t

DESCRIBE t

DESCRIBE x.y.t

CREATE TABLE x.t (a INT) WITH ('connector' = 'datagen')

CREATE TABLE x.y.t (a INT) WITH ('connector' = 'datagen')

CREATE TABLE w.x.y.t (a INT) WITH ('connector' = 'datagen')

CREATE TABLE `my.table` (`a b` INT, `c``d` STRING) WITH ('connector' = 'datagen')

SHOW TABLES

DESCRIBE `my.table`

SHOW CREATE TABLE `my.table`

CREATE TABLE T (a INT) WITH ('connector' = 'datagen')

CREATE TABLE t (a INT) WITH ('connector' = 'datagen')

SHOW TABLES

SHOW TABLES LIKE 't%'

SHOW TABLES NOT LIKE 't%'

SHOW TABLES IN default_database

SHOW TABLES FROM default_catalog.default_database LIKE '%.%'

SELECT * FROM nothing

INSERT INTO nothing SELECT 1

-- show_create
CREATE TABLE t (id BIGINT NOT NULL COMMENT 'the id', n INT, name VARCHAR(10), d DECIMAL(10, 2), ts TIMESTAMP(3), doubled AS n * 2 COMMENT 'twice', m STRING METADATA FROM 'topic' VIRTUAL, o BIGINT METADATA, r ROW<x INT, y ARRAY<STRING>>, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT ENFORCED) COMMENT 'it''s a table' PARTITIONED BY (n) WITH ('topic' = 'it''s', 'format' = 'json')

SHOW CREATE TABLE t

DESCRIBE t

DESC t

DESCRIBE EXTENDED t

SHOW COLUMNS FROM t

SHOW COLUMNS IN t LIKE 'd%'

SHOW COLUMNS FROM t NOT LIKE 'd%'

SHOW COLUMNS FROM nothing

SHOW CREATE TABLE nothing

SHOW CREATE VIEW t

CREATE TEMPORARY TABLE tt (a INT, CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'blackhole')

SHOW CREATE TABLE tt

DESCRIBE tt

CREATE TABLE bare (a INT)

SHOW CREATE TABLE bare

SELECT * FROM bare

CREATE TABLE p (a INT, b INT) PARTITIONED BY (c) WITH ('connector' = 'blackhole')

CREATE TABLE p (a INT, b INT) DISTRIBUTED BY HASH(a) INTO 4 BUCKETS WITH ('connector' = 'blackhole')

SHOW CREATE TABLE p

SHOW PARTITIONS t

CREATE TABLE k (a INT, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'blackhole')

CREATE TABLE k (a INT, PRIMARY KEY (a)) WITH ('connector' = 'blackhole')

CREATE TABLE k (a INT, a INT) WITH ('connector' = 'blackhole')

CREATE TABLE k (a INT, WATERMARK FOR x AS x) WITH ('connector' = 'blackhole')

CREATE TABLE k (a INT, b AS nothing + 1) WITH ('connector' = 'blackhole')

-- views
CREATE TABLE t (a INT, b STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '3')

CREATE VIEW v AS SELECT a, b FROM t

CREATE VIEW v AS SELECT a, b FROM t

CREATE VIEW IF NOT EXISTS v AS SELECT a FROM t

SHOW VIEWS

SHOW TABLES

DESCRIBE v

SHOW CREATE VIEW v

SHOW CREATE TABLE v

CREATE VIEW w (x, y) COMMENT 'renamed' AS SELECT * FROM v WHERE a > 1

SHOW CREATE VIEW w

CREATE VIEW z (x) AS SELECT * FROM v

CREATE TEMPORARY VIEW tv AS SELECT 1 AS x1

SHOW CREATE VIEW tv

SHOW VIEWS

SHOW VIEWS LIKE 't%'

SHOW VIEWS FROM default_database

DROP TABLE v

DROP VIEW tv

DROP TEMPORARY VIEW tv

DROP VIEW IF EXISTS tv

ALTER VIEW v RENAME TO u

SHOW VIEWS

ALTER VIEW u AS SELECT b FROM t

DESCRIBE u

ALTER VIEW nothing AS SELECT 1

ALTER VIEW nothing RENAME TO n

ALTER VIEW t RENAME TO n

ALTER VIEW w RENAME TO t

CREATE VIEW broken AS SELECT c FROM t

CREATE VIEW broken AS SELECT * FROM nothing

DROP TABLE t

SELECT * FROM u

DROP VIEW u

DROP VIEW u

SHOW VIEWS

CREATE OR REPLACE VIEW w AS SELECT 1 AS a
