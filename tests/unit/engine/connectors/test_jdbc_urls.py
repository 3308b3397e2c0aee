"""JDBC URLs: the database that each one names, and what messages show of it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pystream.engine.connectors.jdbc.databases import database_of
from pystream.errors import ConfigurationError


@pytest.mark.parametrize(
    ("url", "login"),
    [
        ("jdbc:postgresql://db:5433/shop", {"host": "db", "port": "5433", "dbname": "shop"}),
        ("jdbc:postgresql://db/shop", {"host": "db", "port": "5432", "dbname": "shop"}),
        ("jdbc:postgresql:shop", {"host": "localhost", "port": "5432", "dbname": "shop"}),
        ("jdbc:postgresql:///shop", {"host": "localhost", "port": "5432", "dbname": "shop"}),
        ("jdbc:postgresql://[::1]:1/a%20b", {"host": "::1", "port": "1", "dbname": "a b"}),
        ("jdbc:postgresql://a:1,b/shop", {"host": "a,b", "port": "1,5432", "dbname": "shop"}),
        (
            "jdbc:postgresql://db/shop?user=me&password=p%26q&sslmode=require&ApplicationName=x&currentSchema=s",
            {
                "host": "db",
                "port": "5432",
                "dbname": "shop",
                "user": "me",
                "password": "p&q",
                "sslmode": "require",
                "application_name": "x",
                "search_path": "s",
            },
        ),
        (
            "jdbc:postgresql://db/shop?ssl=true&reWriteBatchedInserts=true&targetServerType=primary",
            {
                "host": "db",
                "port": "5432",
                "dbname": "shop",
                "sslmode": "verify-full",
                "target_session_attrs": "primary",
            },
        ),
        ("jdbc:mysql://db/shop", {"host": "db", "port": 3306, "database": "shop"}),
        ("jdbc:MariaDB://db:1", {"host": "db", "port": 1}),
        (
            "jdbc:mysql://db/shop?useSSL=false&connectTimeout=1500&serverTimezone=UTC&user=me",
            {
                "host": "db",
                "port": 3306,
                "database": "shop",
                "user": "me",
                "ssl_disabled": True,
                "connect_timeout": 2,
            },
        ),
        (
            "jdbc:mysql://db/shop?sslMode=VERIFY_IDENTITY&serverSslCert=ca.pem",
            {
                "host": "db",
                "port": 3306,
                "database": "shop",
                "ssl_verify_cert": True,
                "ssl_verify_identity": True,
                "ssl_ca": "ca.pem",
            },
        ),
        ("jdbc:sqlite:/data/shop.db", {"database": "/data/shop.db", "timeout": 5.0}),
        ("jdbc:sqlite:/data/shop.db?busy_timeout=100", {"database": "/data/shop.db", "timeout": 0.1}),
    ],
)
def test_the_login_of_a_url(url: str, login: dict[str, Any]) -> None:
    assert database_of(url).login == login


def test_a_user_that_is_given_replaces_that_of_the_url() -> None:
    found = database_of("jdbc:mysql://db/shop?user=me&password=mine", "you", "yours")
    assert (found.login["user"], found.login["password"]) == ("you", "yours")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("jdbc:oracle:thin:@db:1521/shop", r"jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb:, jdbc:sqlite:$"),
        ("postgresql://me:secret@db/shop", r"^postgresql://\*\*\* is not a JDBC URL such as"),
        ("jdbc:postgresql://me:secret@db/shop", "has credentials before the host"),
        ("jdbc:postgresql://me:1/secret@db/shop", r"^jdbc:postgresql://\*\*\* has credentials before"),
        ("jdbc:oracle:thin:me/secret@db/shop", r"^jdbc:oracle:thin:\*\*\* is of a database system"),
        ("jdbc:postgresql://db/shop?password=a&secret", "which option 2 is not; an & in a value"),
        ("jdbc:postgresql://db:port/shop", "^jdbc:postgresql://db:port/shop must name a host"),
        ("jdbc:postgresql://db:1;password=secret", "^jdbc:postgresql://db:1 is followed by a semicolon"),
        ("jdbc:sqlite:x.db;password=secret", "^jdbc:sqlite:x.db is followed by a semicolon"),
        (
            "jdbc:postgresql://db/shop;password=secret",
            "^jdbc:postgresql://db/shop is followed by",
        ),
        ("jdbc:mysql://me:sec?ret@db/shop", r"^jdbc:mysql://\*\*\*"),
        ("jdbc:postgresql://db;user=me;password=secret@1", r"^jdbc:postgresql://\*\*\*"),
        ("Server=db;Password=secret", "^Server is not a JDBC URL"),
        ("jdbc:postgresql://db/shop?secret", "each option must be key=value"),
        ("jdbc:postgresql://db/shop?magic=secret", "has the option 'magic', which is not supported"),
        ("jdbc:postgresql://db/shop?targetServerType=far", "targetServerType must be one of primary"),
        ("jdbc:mysql://a,b/shop", "must name one host"),
        ("jdbc:mysql://db/shop?serverTimezone=Asia/Tokyo", "cannot be 'Asia/Tokyo'; leave it out"),
        ("jdbc:mysql://db/shop?sslMode=maybe", "sslMode must be one of disabled"),
        ("jdbc:mysql://db/shop?socketTimeout=1s", "socketTimeout must be a number of ms"),
        ("jdbc:sqlite::memory:", "does not name a file"),
        ("jdbc:sqlite:x?busy_timeout=long", "busy_timeout must be a number of ms"),
    ],
)
def test_a_wrong_url_is_refused(url: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as failure:
        database_of(url)
    assert "secret" not in str(failure.value)


def test_a_database_is_shown_without_credentials() -> None:
    found = database_of("jdbc:postgresql://db:1/shop?user=me&password=s3cr3t")
    assert str(found.place) == "jdbc:postgresql://db:1/shop"
    assert "s3cr3t" not in repr(found)
    assert "s3cr3t" not in repr(database_of("jdbc:mysql://db:1/shop", "me", "s3cr3t"))
    assert found.redacted("login as me, s3cr3t, failed") == "login as me, ***, failed"
    assert pickle.loads(pickle.dumps(found)) == found
