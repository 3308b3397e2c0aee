"""Options for starting a session: installation defaults, master and driver heap."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pystream import machine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = [
    "LEAST_HEAP",
    "default_heap",
    "has_local_workers",
    "is_heap",
    "is_local",
    "is_master",
    "knows_hadoop",
    "repeats_tasks",
    "site_defaults",
    "site_directory",
    "spark_home",
]

_SETTING = re.compile(r"\s*(?P<key>[^#!\s=:][^\s=:]*)(?:\s*[=:]\s*|\s+)(?P<value>.*\S)")

# Spark's own patterns, which allow for blanks in some places only.
_MASTER = re.compile(
    r"local(\[([0-9]+|\*)(\s*,\s*[0-9]+)?\])?"
    r"|local-cluster\[\s*[0-9]+\s*,\s*[0-9]+\s*,\s*[0-9]+\s*\]"
    r"|spark://.+|k8s://.+|yarn",
    re.ASCII,
)

LEAST_HEAP: Final = "450m"
"""The smallest heap that Spark starts with."""

_GIB = 1 << 30
_SHARE = 4
_LEAST, _MOST = 1 * _GIB, 8 * _GIB
_SIZE = re.compile(r"(?P<number>\d+)(?P<unit>[kmgt]?)", re.IGNORECASE)
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def spark_home() -> Path:
    """Return the directory of the Spark installation used to start sessions."""
    if home := os.environ.get("SPARK_HOME"):
        return Path(home)
    import pyspark  # slow to import, and possibly missing when doctor asks

    return Path(pyspark.__file__).parent


def site_directory() -> Path:
    """Return the directory of the installation's configuration files; it need not exist."""
    return Path(os.environ.get("SPARK_CONF_DIR") or spark_home() / "conf")


def site_defaults() -> dict[str, str]:
    """Return the options in the installation's ``spark-defaults.conf``."""
    file = site_directory() / "spark-defaults.conf"
    lines = file.read_text().splitlines() if file.is_file() else []
    settings = (_SETTING.match(line) for line in lines)
    return {setting["key"]: setting["value"] for setting in settings if setting is not None}


def knows_hadoop() -> bool:
    """Return whether Hadoop's configuration directory is set, or may be set by ``spark-env.sh``."""
    named = any(name in os.environ for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"))
    return named or (site_directory() / "spark-env.sh").is_file()


def is_master(url: str) -> bool:
    """Return whether a text is a master URL."""
    return _MASTER.fullmatch(url) is not None


def is_local(master: str) -> bool:
    """Return whether the workers of a master are guaranteed to run on this machine."""
    return master.startswith("local")


def repeats_tasks(master: str) -> bool:
    """Return whether Spark retries failed tasks under a master."""
    return re.fullmatch(r"local(\[[^,]*\])?", master) is None


def default_heap() -> str:
    """Return a quarter of the memory of this machine or container, at least 1 and at most 8 GiB.

    Returns:
        A size in the form of ``spark.driver.memory``.
    """
    return f"{max(_LEAST, min(_MOST, machine.memory() // _SHARE)) >> 20}m"


def is_heap(size: str) -> bool:
    """Return whether Java can start Spark with a heap size."""
    return _bytes(size) >= _bytes(LEAST_HEAP)


def _bytes(size: str) -> int:
    """Return a memory size in bytes; 0 for any other text."""
    parts = _SIZE.fullmatch(size)
    return 0 if parts is None else int(parts["number"]) * _BYTES[parts["unit"].lower()]


def has_local_workers(spark: SparkSession) -> bool:
    """Return whether a session's workers are guaranteed to run on this machine; False with Spark Connect."""
    from pyspark.sql.utils import is_remote

    return not is_remote() and is_local(str(spark.sparkContext.master))
