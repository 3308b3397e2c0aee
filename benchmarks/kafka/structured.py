"""The same job in plain Structured Streaming.

python structured.py SERVERS INPUT OUTPUT read|map|window JARS DIRECTORY
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

servers, topic, target, shape, jars, directory = sys.argv[1:]
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", jars)
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.streaming.stateStore.providerClass", ROCKSDB)
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
kafka = {"kafka.bootstrap.servers": servers}
orders = (
    spark.readStream.format("kafka")
    .options(**kafka, subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger="500000")
    .load()
    .select(
        F.from_json(
            F.col("value").cast("string"), "id long, name string, amount double, active boolean, at long"
        ).alias("order")
    )
    .select("order.*")
)
if shape == "read":
    results = orders.where("id % 1000 < 2")
elif shape == "map":
    results = orders.select(
        "id", F.upper("name").alias("name"), (F.col("amount") * 2).alias("amount"), "active", "at"
    )
else:
    timed = orders.withColumn("time", F.timestamp_millis("at")).withWatermark("time", "5 seconds")
    sums = timed.groupBy(F.window("time", "10 seconds"), "name").agg(
        F.sum("amount").alias("amount"), F.max("at").alias("at")
    )
    results = sums.select("name", "amount", "at")
(
    results.select(F.to_json(F.struct("*")).alias("value"))
    .writeStream.format("kafka")
    .options(**kafka, topic=target, checkpointLocation=directory)
    .outputMode("append")
    .trigger(processingTime="0 seconds")
    .start()
    .awaitTermination()
)
