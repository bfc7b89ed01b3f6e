"""Examples of texts that two patterns match: they show what a pattern allows beyond the intention of its author."""

from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase, ascii_uppercase, digits, punctuation

from rostrum.base.patterns import Pattern

_CHARACTERS = ascii_lowercase + digits + punctuation + ascii_uppercase


class _Walk:
    """The places of a pattern, one at a time. With borders, it matches a beginning that ends at one of them."""

    def __init__(self, pattern: Pattern, borders: str = "") -> None:
        self._pattern = pattern
        self._borders = {character for character in borders if character in _CHARACTERS}
        self._end = pattern.matched.bit_length() - 1
        self._rest = self._end + 2
        """A place that only this class has: the beginning has been matched, and all other characters may follow."""
        tests = [{character for character in _CHARACTERS if test(character)} for test in pattern.tests]
        self._passing = [*tests, self._borders, set[str](), set(_CHARACTERS)]

    def first(self) -> Iterator[int]:
        return _places(self._pattern.first)

    def is_end(self, place: int) -> bool:
        return place >= self._end

    def passing(self, place: int) -> set[str]:
        return self._passing[place]

    def after(self, place: int, character: str) -> Iterator[int]:
        if place >= self._end:
            yield self._rest
            return
        for following in _places(self._pattern.after[place]):
            yield following
            if following == self._end and character in self._borders:
                yield self._rest


def example(rule: Pattern, target: Pattern, borders: str) -> str | None:
    """Return a short text of which ``target`` matches all and ``rule`` a beginning, or None.

    The beginning ends with the text, before one of the ``borders``, or after one. Lookaheads are not considered.
    """
    left, right = _Walk(rule, borders), _Walk(target)
    texts = dict.fromkeys(product(left.first(), right.first()), "")
    waiting = list(texts)
    # The list grows while it is read, by at most one entry for each pair of places.
    for pair in waiting:
        here, there = pair
        if left.is_end(here) and right.is_end(there):
            return texts[pair]
        for character in _chosen(left.passing(here) & right.passing(there), borders):
            for following in product(left.after(here, character), right.after(there, character)):
                if following not in texts:
                    texts[following] = texts[pair] + character
                    waiting.append(following)
    return None


def _chosen(characters: set[str], borders: str) -> Iterator[str]:
    """Yield one border and one other character: within each of these, all characters lead to the same places."""
    for wanted in (True, False):
        found = [character for character in characters if (character in borders) == wanted]
        if found:
            yield min(found, key=_CHARACTERS.index)


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
