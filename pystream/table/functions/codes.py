"""Texts as codes, hashes and addresses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Nulls, SqlFunction
from pystream.table.functions.values import codes
from pystream.table.functions.values import texts as values

__all__ = ["CODES"]

_STRING = DataTypes.STRING()
_INT = DataTypes.INT()


def _digest(name: str, algorithm: str, digits: int, spark: str = "") -> SqlFunction:
    return SqlFunction(
        name,
        "STRING|BYTES",
        DataTypes.CHAR(digits),
        f"The {algorithm} hash of the text in UTF-8, or of the bytes, as hexadecimal digits.",
        partial(values.digest, algorithm.replace("-", "").lower()),
        spark=[spark] if spark else [],
        examples=[f"{name}('a')", f"{name}(X'00ff')", f"{name}(CAST(NULL AS STRING))"],
    )


CODES: Sequence[SqlFunction] = [
    SqlFunction(
        "ASCII",
        "STRING",
        _INT,
        "The first byte of the text in UTF-8, with a sign; 0 for no text.",
        values.ascii_code,
        spark=None,
        examples=["ASCII('a')", "ASCII('é')", "ASCII('')", "ASCII(CAST(NULL AS STRING))"],
    ),
    SqlFunction(
        "CHR",
        "INT",
        _STRING,
        "The character with the code of the lowest eight bits; none for a negative number.",
        values.character,
        Nulls.AND_OTHERS,
        examples=["CHR(65)", "CHR(321)", "CHR(-1)"],
    ),
    SqlFunction(
        "DECODE",
        "BYTES, STRING",
        _STRING,
        "The text of the bytes in a character set: US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE or "
        "UTF-16LE.",
        codes.decoded,
        spark=None,
        examples=[
            "DECODE(X'61c3a9', 'UTF-8')",
            "DECODE(X'61e9', 'iso-8859-1')",
            "DECODE(X'feff0061', 'UTF-16')",
            "DECODE(X'61ff', 'UTF-8')",
        ],
    ),
    SqlFunction(
        "ENCODE",
        "STRING, STRING",
        DataTypes.BYTES(),
        "The bytes of the text in a character set, as in DECODE.",
        codes.encoded,
        spark=None,
        examples=[
            "ENCODE('aé', 'UTF-8')",
            "ENCODE('aé', 'US-ASCII')",
            "ENCODE('a', 'UTF-16')",
            "ENCODE('a', 'UTF-16LE')",
        ],
    ),
    SqlFunction(
        "FROM_BASE64",
        "STRING|BYTES",
        _STRING,
        "The text whose UTF-8 bytes are in Base64.",
        values.from_base64,
        spark=["CAST(UNBASE64(CAST({0} AS STRING)) AS STRING)"],
        examples=["FROM_BASE64('aGVsbG8=')"],
    ),
    SqlFunction(
        "HEX",
        "STRING|INT",
        _STRING,
        "The text in UTF-8, or the integer, in hexadecimal digits.",
        values.hexadecimal,
        examples=["HEX('aé')", "HEX(255)", "HEX(-1)"],
    ),
    SqlFunction(
        "INET_ATON",
        "STRING|NULL",
        DataTypes.BIGINT(),
        "The number of an IPv4 address; null if it is none.",
        codes.number_of_address,
        Nulls.AND_OTHERS,
        spark=None,
        examples=[
            f"INET_ATON('{one}')" for one in ("127.0.0.1", "127.1", "1.2.3", "7", "256", "1.2.3.4.5", "a")
        ],
    ),
    SqlFunction(
        "INET_NTOA",
        "INT|NULL",
        _STRING,
        "The IPv4 address of a number; null if there is none.",
        codes.address_of_number,
        Nulls.AND_OTHERS,
        spark=None,
        examples=[f"INET_NTOA({one})" for one in ("2130706433", "0", "-1", "4294967296")],
    ),
    _digest("MD5", "MD5", 32),
    SqlFunction(
        "PARSE_URL",
        "STRING, STRING [, STRING]",
        _STRING,
        "A part of a URL, such as HOST, PATH, QUERY or REF, or the value of a key of its query.",
        codes.part_of_url,
        Nulls.AND_OTHERS,
        spark=None,
        examples=[
            *(
                f"PARSE_URL('http://u@a.org:80/p/x?q=1&r=2#f', '{part}')"
                for part in ("PROTOCOL", "AUTHORITY", "USERINFO", "HOST", "PATH", "FILE", "QUERY", "REF")
            ),
            *(
                f"PARSE_URL('{url}', 'HOST')"
                for url in ("foo://a/b", "http://a:x/c", "http://a:-1/c", "http://a:/c", "http://[::1]:80/c")
            ),
            "PARSE_URL('http://a.org/p', 'QUERY')",
            "PARSE_URL('a.org/p', 'HOST')",
            "PARSE_URL('http://a.org/p?q=1#f', 'HOST')",
            "PARSE_URL('http://a.org/p?q=1&r=2', 'QUERY', 'r')",
        ],
    ),
    _digest("SHA1", "SHA-1", 40),
    SqlFunction(
        "SHA2",
        "STRING|BYTES, INT",
        DataTypes.VARCHAR(128),
        "The SHA-2 hash of 224, 256, 384 or 512 bits of the text in UTF-8, or of the bytes, as hexadecimal "
        "digits.",
        values.sha2,
        literals={1: values.checked_bits},
        examples=["SHA2('a', 224)", "SHA2('a', 256)", "SHA2('a', 384)", "SHA2('a', 512)"],
    ),
    _digest("SHA224", "SHA-224", 56, "SHA2({0}, 224)"),
    _digest("SHA256", "SHA-256", 64, "SHA2({0}, 256)"),
    _digest("SHA384", "SHA-384", 96, "SHA2({0}, 384)"),
    _digest("SHA512", "SHA-512", 128, "SHA2({0}, 512)"),
    SqlFunction(
        "TO_BASE64",
        "STRING|BYTES",
        _STRING,
        "The text in UTF-8, or the bytes, in Base64.",
        values.to_base64,
        spark=["BASE64({0})"],
        examples=["TO_BASE64('hello')", "TO_BASE64(X'00ff')"],
    ),
    SqlFunction(
        "URL_DECODE",
        "STRING|NULL",
        _STRING,
        "The text of a part of a URL; null if it is none.",
        codes.url_decoded,
        Nulls.AND_OTHERS,
        spark=["TRY_URL_DECODE({0})"],
        examples=["URL_DECODE('a+b%26c')", "URL_DECODE('%zz')", "URL_DECODE('%C3%A9')"],
    ),
    SqlFunction(
        "URL_ENCODE",
        "STRING|NULL",
        _STRING,
        "The text as a part of a URL.",
        values.url_encoded,
        Nulls.AND_OTHERS,
        examples=["URL_ENCODE('a b&c')"],
    ),
    SqlFunction(
        "UUID",
        "",
        DataTypes.CHAR(36, nullable=False),
        "A random UUID.",
        values.random_uuid,
        Nulls.AS_DECLARED,
        is_deterministic=False,
    ),
]
"""The declarations."""
