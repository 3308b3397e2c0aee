"""What is the URL of a master, and what is not."""

from __future__ import annotations

import pytest

from pystream.hosts.spark.session_options import is_master


@pytest.mark.parametrize(
    "url",
    [
        "local",
        "local[2]",
        "local[*]",
        "local[2,3]",
        "local[*, 3]",
        "local[2 ,3]",
        "local-cluster[2,1,1024]",
        "local-cluster[ 2 , 1 , 1024 ]",
        "spark://host:7077",
        "spark://a:1,b:2",
        "k8s://https://host:443",
        "yarn",
    ],
)
def test_the_masters_of_spark_are_masters(url: str) -> None:
    assert is_master(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "locale",
        "local[abc]",
        "local[]",
        "local[-1]",
        "local[2 ]",
        "local[ 2]",
        "local[2,3 ]",
        "local[٢]",
        "local-cluster[]",
        "local-cluster[2,1]",
        "local-cluster[2,1,1g]",
        "spark://",
        "yarn-client",
        "yarn-cluster",
    ],
)
def test_other_texts_are_not(url: str) -> None:
    assert not is_master(url)
