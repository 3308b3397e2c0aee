"""Fixtures of the tests that run only on Spark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession


@pytest.fixture
def host(spark: SparkSession) -> str:
    """Run the jobs of a test on Spark only."""
    return "spark"


@pytest.fixture(scope="module", autouse=True)
def functions_by_value(by_value: None) -> None:
    """Pickle the functions of all test modules of this directory by value."""


@pytest.fixture(params=["Asia/Kolkata", "America/New_York"])
def zone(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[str]:
    """Set the session's time zone for one test."""
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield request.param
    spark.conf.set("spark.sql.session.timeZone", before)
