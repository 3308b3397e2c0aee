"""Random numbers, from a seed the same ones as those of Java."""

from __future__ import annotations

import random

from pystream.table.functions.errors import SqlArithmeticError

__all__ = ["RandomDoubles", "RandomIntegers", "first_double", "first_integer", "unseeded_integer"]

_FACTOR = 0x5DEECE66D
_MASK = (1 << 48) - 1


class _JavaRandom:
    """The generator of ``java.util.Random``.

    Args:
        seed: the seed.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _FACTOR) & _MASK

    def _bits(self, count: int) -> int:
        self._state = (self._state * _FACTOR + 0xB) & _MASK
        return self._state >> (48 - count)

    def double(self) -> float:
        """Return the next number from 0 to 1."""
        return ((self._bits(26) << 27) + self._bits(27)) / (1 << 53)

    def integer(self, bound: int) -> int:
        """Return the next integer from 0 on that is less than a bound.

        Raises:
            SqlArithmeticError: there is none.
        """
        if bound <= 0:
            raise SqlArithmeticError(f"RAND_INTEGER takes a bound of at least 1, not {bound}")
        if bound & (bound - 1) == 0:
            return (bound * self._bits(31)) >> 31
        while True:
            bits = self._bits(31)
            found = bits % bound
            if bits - found + bound <= 1 << 31:
                return found


class RandomDoubles(_JavaRandom):
    """The doubles of Java's ``Random`` for a seed; the arguments of a call are not used."""

    def __call__(self, *seed: int) -> float:
        return self.double()


class RandomIntegers(_JavaRandom):
    """The integers of Java's ``Random`` for a seed, below the last argument of a call."""

    def __call__(self, *arguments: int) -> int:
        return self.integer(arguments[-1])


def first_double(seed: int) -> float:
    """Return the first number from 0 to 1 that follows from a seed."""
    return _JavaRandom(seed).double()


def first_integer(seed: int, bound: int) -> int:
    """Return the first integer that follows from a seed."""
    return _JavaRandom(seed).integer(bound)


def unseeded_integer(bound: int) -> int:
    """Return an integer that is different in each run."""
    return first_integer(random.getrandbits(48), bound)
