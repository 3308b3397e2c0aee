"""What tests with a Spark session share."""

from __future__ import annotations

from collections.abc import Iterator

import cloudpickle
import pytest
from pyspark.sql import SparkSession

from pystream.datastream import StreamExecutionEnvironment


@pytest.fixture(scope="module", autouse=True)
def by_value(request: pytest.FixtureRequest) -> Iterator[None]:
    """Send a test module's functions to the workers as a script's are, since workers cannot import it."""
    cloudpickle.register_pickle_by_value(request.module)
    yield
    cloudpickle.unregister_pickle_by_value(request.module)


@pytest.fixture
def env(spark: SparkSession, no_job_left: None) -> StreamExecutionEnvironment:
    """A fresh environment of parallelism 1, where order is defined."""
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


@pytest.fixture
def env2(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    """A fresh environment of parallelism 2."""
    return env.set_parallelism(2)


@pytest.fixture(params=["Asia/Kolkata", "America/New_York"])
def zone(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[str]:
    """Set the session's time zone for one test."""
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield request.param
    spark.conf.set("spark.sql.session.timeZone", before)
