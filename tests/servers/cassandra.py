"""A node of Cassandra, from Maven Central."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from cassandra.cluster import (
    EXEC_PROFILE_DEFAULT,
    Cluster,
    ExecutionProfile,
    NoHostAvailable,
    Session,
    default_lbp_factory,
)

from tests.servers.maven import class_path
from tests.servers.process import ServerProcess, free_port

__all__ = ["CassandraNode"]

_COORDINATES = ("org.apache.cassandra:cassandra-all:5.0.6",)
_EXPORTED = (
    "java.base/jdk.internal.misc",
    "java.management.rmi/com.sun.jmx.remote.internal.rmi",
    "java.rmi/sun.rmi.registry",
    "java.rmi/sun.rmi.server",
    "java.rmi/sun.rmi.transport.tcp",
    "java.base/java.lang.ref",
    "java.base/java.lang.reflect",
)
_OPENED = (
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.module",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/jdk.internal.loader",
    "java.base/jdk.internal.math",
    "java.base/jdk.internal.module",
    "java.base/jdk.internal.ref",
    "java.base/jdk.internal.reflect",
    "java.base/jdk.internal.util.jar",
    "java.base/sun.nio.ch",
    "jdk.management/com.sun.management.internal",
)
_JAVA = (
    "java",
    *("-Xmx384m", "-Xms128m", "-Xss512k", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
    *(f"--add-exports={package}=ALL-UNNAMED" for package in _EXPORTED),
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    "-Djdk.attach.allowAttachSelf=true",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dcassandra-foreground=yes",
    "-Dcassandra.ring_delay_ms=1",
    "-Dcassandra.skip_wait_for_gossip_to_settle=0",
    "-Dcassandra.superuser_setup_delay_ms=0",
)
_LOGGING = """<configuration><appender name="out" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%date %level %logger %msg%n</pattern></encoder></appender>
<root level="WARN"><appender-ref ref="out"/></root></configuration>"""


class CassandraNode:
    """A node with its data in a directory, on a port of the loopback interface that stays the same.

    Args:
        directory: for its data, settings and log.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        settings = directory / "cassandra.yaml"
        settings.write_text(json.dumps(self._settings(directory, free_port())))  # JSON is YAML
        logging = directory / "logback.xml"
        logging.write_text(_LOGGING)
        options = [f"-Dcassandra.config={settings.as_uri()}", f"-Dcassandra.storagedir={directory}"]
        options.append(f"-Dlogback.configurationFile={logging}")
        options.append(f"-Dcassandra.jmx.local.port={free_port()}")
        main = ["-cp", class_path(_COORDINATES), "org.apache.cassandra.service.CassandraDaemon"]
        self.process = ServerProcess([*_JAVA, *options, *main], directory / "server.log", self._answers)

    @cached_property
    def session(self) -> Session:
        """A session that reads tables."""
        return self._cluster().connect()

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        if "session" in vars(self):
            self.session.cluster.shutdown()
        self.process.kill()

    def restart(self) -> None:
        """Kill the process, and start it again."""
        self.process.kill()
        self.process.start()
        self.session.cluster.shutdown()
        del self.session

    def rows(self, query: str) -> list[Any]:
        """Return the sorted rows of a query."""
        return sorted(tuple(row) for row in self.session.execute(query))

    def _cluster(self) -> Cluster:
        profiles = {EXEC_PROFILE_DEFAULT: ExecutionProfile(default_lbp_factory())}
        return Cluster(["127.0.0.1"], port=self.port, execution_profiles=profiles)

    def _answers(self) -> bool:
        with suppress(NoHostAvailable):
            cluster = self._cluster()
            try:
                return bool(cluster.connect())
            finally:
                cluster.shutdown()
        return False

    def _settings(self, directory: Path, internal_port: int) -> dict[str, Any]:
        seeds = {"seeds": f"127.0.0.1:{internal_port}"}
        provider = {"class_name": "org.apache.cassandra.locator.SimpleSeedProvider", "parameters": [seeds]}
        return {
            "cluster_name": "tests",
            "num_tokens": 1,
            "partitioner": "org.apache.cassandra.dht.Murmur3Partitioner",
            "endpoint_snitch": "SimpleSnitch",
            "seed_provider": [provider],
            "listen_address": "127.0.0.1",
            "storage_port": internal_port,
            "rpc_address": "127.0.0.1",
            "native_transport_port": self.port,
            "commitlog_sync": "batch",  # what was written survives that the process is killed
            "data_file_directories": [str(directory / "data")],
            "commitlog_directory": str(directory / "commitlog"),
            "saved_caches_directory": str(directory / "saved_caches"),
            "hints_directory": str(directory / "hints"),
            "cdc_raw_directory": str(directory / "cdc"),
            "auto_snapshot": False,
        }
