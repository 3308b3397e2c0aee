"""Configuration of a Spark installation."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["knows_hadoop", "site_defaults", "site_directory", "spark_home"]

_SETTING = re.compile(r"\s*(?P<key>[^#!\s=:][^\s=:]*)(?:\s*[=:]\s*|\s+)(?P<value>.*\S)")


def spark_home() -> Path:
    """Return the directory of the Spark installation that sessions start."""
    if home := os.environ.get("SPARK_HOME"):
        return Path(home)
    import pyspark  # which takes a while, and which doctor may find missing

    return Path(pyspark.__file__).parent


def site_directory() -> Path:
    """Return the directory of its configuration, which need not exist."""
    return Path(os.environ.get("SPARK_CONF_DIR") or spark_home() / "conf")


def site_defaults() -> dict[str, str]:
    """Return its options of ``spark-defaults.conf``, which an option given to a session would override."""
    file = site_directory() / "spark-defaults.conf"
    lines = file.read_text().splitlines() if file.is_file() else []
    settings = (_SETTING.match(line) for line in lines)
    return {setting["key"]: setting["value"] for setting in settings if setting is not None}


def knows_hadoop() -> bool:
    """Tell whether something may say where the configuration of Hadoop is."""
    named = any(name in os.environ for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"))
    return named or (site_directory() / "spark-env.sh").is_file()
