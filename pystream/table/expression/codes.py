"""Functions of codes, hashes and addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, given
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["CodeFunctions"]


@checks_arguments(ArgumentTypeError)
class CodeFunctions(ExpressionTree[T_co]):
    """Functions of codes, hashes and addresses, whose results are null if an argument is."""

    @property
    def ascii(self) -> Expression[int]:
        """The code of the first character."""
        return self._of_call("ASCII", self)

    @property
    def chr(self) -> Expression[str]:
        """The character of a code."""
        return self._of_call("CHR", self)

    def decode(self, charset: str | Expression[str]) -> Expression[str]:
        """Return the text of bytes in a character set such as ``UTF-8``."""
        return self._of_call("DECODE", self, charset)

    def encode(self, charset: str | Expression[str]) -> Expression[bytes]:
        """Return the bytes of the text in a character set such as ``UTF-8``."""
        return self._of_call("ENCODE", self, charset)

    @property
    def from_base64(self) -> Expression[str]:
        """The text whose UTF-8 bytes are in Base64."""
        return self._of_call("FROM_BASE64", self)

    @property
    def to_base64(self) -> Expression[str]:
        """The text in UTF-8, or the bytes, in Base64."""
        return self._of_call("TO_BASE64", self)

    def url_decode(self) -> Expression[str]:
        """Return the text of a part of a URL; null if it is none."""
        return self._of_call("URL_DECODE", self)

    def url_encode(self) -> Expression[str]:
        """Return the text as a part of a URL."""
        return self._of_call("URL_ENCODE", self)

    def parse_url(
        self, part_to_extract: str | Expression[str], key: str | Expression[str] | None = None
    ) -> Expression[str]:
        """Return a part of a URL, such as ``HOST`` or ``QUERY``, or the value of a key of its query."""
        return self._of_call("PARSE_URL", self, part_to_extract, *given(key))

    def inet_aton(self) -> Expression[int]:
        """Return the number of an IPv4 address; null if it is none."""
        return self._of_call("INET_ATON", self)

    def inet_ntoa(self) -> Expression[str]:
        """Return the IPv4 address of a number; null if there is none."""
        return self._of_call("INET_NTOA", self)

    @property
    def md5(self) -> Expression[str]:
        """The MD5 hash, as hexadecimal digits."""
        return self._of_call("MD5", self)

    @property
    def sha1(self) -> Expression[str]:
        """The SHA-1 hash, as hexadecimal digits."""
        return self._of_call("SHA1", self)

    @property
    def sha256(self) -> Expression[str]:
        """The SHA-256 hash, as hexadecimal digits."""
        return self._of_call("SHA2", self, 256)

    @property
    def sha512(self) -> Expression[str]:
        """The SHA-512 hash, as hexadecimal digits."""
        return self._of_call("SHA2", self, 512)

    @property
    def sha224(self) -> Expression[str]:
        """The SHA-224 hash, as hexadecimal digits."""
        return self._of_call("SHA224", self)

    @property
    def sha384(self) -> Expression[str]:
        """The SHA-384 hash, as hexadecimal digits."""
        return self._of_call("SHA384", self)

    def sha2(self, hash_length: int | Expression[int]) -> Expression[str]:
        """Return the SHA-2 hash of 224, 256, 384 or 512 bits, as hexadecimal digits."""
        return self._of_call("SHA2", self, hash_length)
