"""A regular-expression matcher with linear time, because patterns and texts come from untrusted sources.

All possible matches are followed at the same time. Each character of the text therefore costs at most a fixed number of
steps, whatever the pattern is: about one for each eight characters of the pattern.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

MOST_STATES = 300
LONGEST_PATTERN = 300
LONGEST_TEXT = 200
STATE_BYTES = 2000
"""About how many bytes a state uses at most, with the cached sets of places."""

_MOST_CACHED = 8
"""Cached sets of places of each kind, for each state."""
_MOST_CONDITIONS = 10
_IGNORE_CASE = "(?i)"

Test = Callable[[str], bool]

_CLASSES: dict[str, Test] = {
    "d": lambda c: c.isdecimal(),
    "w": lambda c: c.isalnum() or c == "_",
    "s": lambda c: c.isspace(),
    "D": lambda c: not c.isdecimal(),
    "W": lambda c: not (c.isalnum() or c == "_"),
    "S": lambda c: not c.isspace(),
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


class BadPattern(ValueError):
    """A pattern is invalid, or uses features that this matcher does not support."""


@dataclass(slots=True)
class _State:
    """A step of the pattern: a test of one character, an anchor, or neither."""

    test: Test | None = None
    anchor: str = ""
    after: list[int] = field(default_factory=list)


class Pattern:
    """A compiled pattern.

    Bit n of a set of places means that the n-th test of the pattern is next. Two more bits mean that the pattern has
    matched, and that it has matched if the text ends here.

    Attributes:
        tests: The tests, each of one character.
        first: The places at the beginning of a text.
        after: The places after each test.
        matched: The first of the two more bits.
        is_anchored: Whether the pattern requires the beginning of a text with ``^``.

    """

    __slots__ = (
        "_conditions",
        "_masks",
        "_most_cached",
        "_steps",
        "_width",
        "after",
        "first",
        "is_anchored",
        "matched",
        "tests",
    )

    def __init__(
        self,
        states: list[_State],
        first: int,
        last: int,
        conditions: "tuple[tuple[bool, Pattern], ...]" = (),
        *,
        is_anchored: bool = False,
    ) -> None:
        """Number the tests, and find the tests that can follow each of them."""
        numbers = {place: bit for bit, place in enumerate(n for n, state in enumerate(states) if state.test)}
        self.tests = [test for state in states if (test := state.test)]
        self.matched = 1 << len(numbers)
        self._width = (len(numbers) + 7) // 8
        self._conditions = conditions
        self.first = self._reached(states, numbers, last, at_start=True)[first]
        later = self._reached(states, numbers, last)
        self.after = [self._united(later, states[place].after) for place in numbers]
        self.is_anchored = is_anchored or not later[first]
        self._most_cached = _MOST_CACHED * len(numbers)
        self._masks: dict[str, int] = {}
        self._steps: dict[tuple[int, int], int] = {}

    @property
    def has_conditions(self) -> bool:
        """Whether the pattern begins with lookaheads."""
        return bool(self._conditions)

    @property
    def weight(self) -> int:
        """About how many bytes the pattern uses in memory at most."""
        return STATE_BYTES * (1 + len(self.tests)) + sum(pattern.weight for _, pattern in self._conditions)

    @property
    def effort(self) -> int:
        """About how many steps a comparison with the longest text takes at most."""
        return LONGEST_TEXT * (2 + self._width) + sum(pattern.effort for _, pattern in self._conditions)

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches the entire text; very long texts never match."""
        return len(text) <= LONGEST_TEXT and len(text) in self.ends(text)

    def ends(self, text: str) -> Iterator[int]:
        """Yield the length of each beginning of the text that the pattern matches, in ascending order."""
        if any((next(pattern.ends(text), None) is None) != negated for negated, pattern in self._conditions):
            return
        places = self.first
        for length, character in enumerate(text):
            if places & self.matched:
                yield length
            live = places & self._mask(character)
            if not live:
                return
            places = 0
            for number, byte in enumerate(live.to_bytes(self._width, "little")):
                if byte:
                    places |= self._step(number, byte)
        if places & 3 * self.matched:
            yield len(text)

    def _mask(self, character: str) -> int:
        """Return the tests that a character passes."""
        mask = self._masks.get(character)
        if mask is None:
            mask = sum(1 << bit for bit, test in enumerate(self.tests) if test(character))
            if len(self._masks) < self._most_cached:
                self._masks[character] = mask
        return mask

    def _step(self, number: int, byte: int) -> int:
        """Return the places after eight tests, of which those in ``byte`` were passed."""
        found = self._steps.get((number, byte))
        if found is None:
            found = 0
            for bit in range(8):
                if byte >> bit & 1:
                    found |= self.after[number * 8 + bit]
            if len(self._steps) < self._most_cached:
                self._steps[number, byte] = found
        return found

    def _reached(
        self, states: list[_State], numbers: dict[int, int], last: int, *, at_start: bool = False
    ) -> list[int]:
        """Return the places that each state leads to without another character."""
        found = [1 << numbers[place] if state.test else 0 for place, state in enumerate(states)]
        is_changed = True
        while is_changed:
            is_changed = False
            # Most states lead to later ones, so few rounds are needed.
            for place, state in reversed(list(enumerate(states))):
                if state.test is not None or (state.anchor == "^" and not at_start):
                    continue
                places = self._united(found, state.after) | (self.matched if place == last else 0)
                if state.anchor == "$":
                    places = self.matched << 1 if places & 3 * self.matched else 0
                if places != found[place]:
                    found[place], is_changed = places, True
        return found

    @staticmethod
    def _united(found: list[int], places: list[int]) -> int:
        united = 0
        for place in places:
            united |= found[place]
        return united


def compile_pattern(
    text: str, *, longest: int = LONGEST_PATTERN, most_states: int = MOST_STATES, extended: bool = False
) -> Pattern:
    r"""Read a pattern: characters, ``.``, ``[a-z]``, ``\d \w \s``, groups, ``|``, ``* + ? {m,n}``, ``^ $``.

    An ``extended`` pattern may begin with ``(?i)``, which ignores letter case, and then with lookaheads.
    """
    if len(text) > longest:
        raise BadPattern(f"the pattern is longer than {longest} characters")
    return _Compiler(text, most_states, extended=extended).compile()


class _Compiler:
    def __init__(self, text: str, most_states: int, *, extended: bool) -> None:
        self._text = text
        self._is_extended = extended
        self._left = most_states
        self._at = 0
        self._depth = 0
        self._states: list[_State] = []
        self._ignores_case = extended and text.startswith(_IGNORE_CASE)

    def compile(self) -> Pattern:
        if self._ignores_case:
            self._at = len(_IGNORE_CASE)
        # Lookaheads at the beginning are anchored in any case.
        is_anchored = self._text.startswith(("^(?=", "^(?!"), self._at)
        self._at += is_anchored
        conditions = tuple(self._conditions())
        if conditions:
            first, last = self._sequence()
            if self._peek() == "|":
                raise BadPattern("put the alternatives after a lookahead into a group")
        else:
            first, last = self._choice()
        if self._at < len(self._text):
            raise BadPattern(f"unexpected {self._text[self._at]!r} in a pattern")
        return self._built(first, last, conditions, is_anchored=is_anchored)

    def _built(
        self,
        first: int,
        last: int,
        conditions: tuple[tuple[bool, Pattern], ...] = (),
        *,
        is_anchored: bool = False,
    ) -> Pattern:
        end = self._new()
        self._states[last].after.append(end)
        return Pattern(self._states, first, end, conditions, is_anchored=is_anchored)

    def _conditions(self) -> Iterator[tuple[bool, Pattern]]:
        """Read the lookaheads at the beginning: whether each is negated, and its pattern."""
        number = 0
        while self._is_extended and self._text.startswith(("(?=", "(?!"), self._at):
            number += 1
            if number > _MOST_CONDITIONS:
                raise BadPattern(f"a pattern may have {_MOST_CONDITIONS} lookaheads at most")
            negated = self._text[self._at + 2] == "!"
            self._at += 3
            outer, self._states = self._states, []
            first, last = self._choice()
            if self._take() != ")":
                raise BadPattern("a group is not closed")
            yield negated, self._built(first, last)
            self._states = outer

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _take(self) -> str:
        if self._at >= len(self._text):
            raise BadPattern("the pattern ends too early")
        self._at += 1
        return self._text[self._at - 1]

    def _new(self, test: Test | None = None, *after: int, anchor: str = "") -> int:
        self._left -= 1
        if self._left < 0:
            raise BadPattern("the pattern is too long or repeats too much")
        self._states.append(_State(test, anchor, list(after)))
        return len(self._states) - 1

    def _choice(self) -> tuple[int, int]:
        branches = [self._sequence()]
        while self._peek() == "|":
            self._take()
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        end = self._new()
        for _, last in branches:
            self._states[last].after.append(end)
        return self._new(None, *(first for first, _ in branches)), end

    def _sequence(self) -> tuple[int, int]:
        first = last = self._new()
        while (sign := self._peek()) not in ("", "|", ")"):
            begin, end = self._anchor(is_first=first == last) if sign in "^$" else self._repeated()
            self._states[last].after.append(begin)
            last = end
        return first, last

    def _anchor(self, *, is_first: bool) -> tuple[int, int]:
        sign = self._take()
        if not is_first if sign == "^" else self._peek() not in ("", "|", ")"):
            raise BadPattern(f"{sign!r} may stand only at the edge of a pattern or group")
        anchor = self._new(anchor=sign)
        return anchor, anchor

    def _repeated(self) -> tuple[int, int]:
        place = self._at
        piece = self._piece()
        least, most = self._count()
        if (least, most) == (1, 1):
            return piece
        if self._peek() == "?":
            # A repetition of as few as possible matches the same texts.
            self._take()
        if self._peek() and self._peek() in "*+?{":
            raise BadPattern("a repetition of a repetition")
        resume, copies = self._at, max(least, 1) if most is None else most
        parts = [piece][:copies]
        for _ in range(copies - 1):
            self._at = place
            parts.append(self._piece())
        self._at = resume
        return self._chain(parts, least, endless=most is None)

    def _chain(self, parts: list[tuple[int, int]], least: int, *, endless: bool) -> tuple[int, int]:
        first = last = self._new()
        end = self._new()
        for number, (begin, finish) in enumerate(parts):
            if number >= least:
                self._states[last].after.append(end)
            self._states[last].after.append(begin)
            last = finish
        if endless:
            self._states[last].after.append(parts[-1][0])
        self._states[last].after.append(end)
        return first, end

    def _count(self) -> tuple[int, int | None]:
        sign = self._peek()
        if sign not in ("*", "+", "?", "{"):
            return 1, 1
        self._take()
        if sign != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        close = self._text.find("}", self._at)
        inside = self._text[self._at : close] if close >= 0 else ""
        least, comma, most = inside.partition(",")
        if not (least.isdecimal() and (not most or most.isdecimal())) or len(inside) > 9:
            raise BadPattern("a repetition is {m}, {m,} or {m,n}")
        self._at = close + 1
        counts = int(least), (int(most) if most else None) if comma else int(least)
        if counts[1] is not None and counts[1] < counts[0]:
            raise BadPattern("a repetition ends before it begins")
        return counts

    def _piece(self) -> tuple[int, int]:
        sign = self._take()
        if sign == "(":
            return self._group()
        if sign in "*+?{":
            raise BadPattern(f"nothing to repeat before {sign!r}")
        if sign == ".":
            return self._single(lambda c: c != "\n")
        if sign == "[":
            return self._single(self._set())
        return self._single(self._escape() if sign == "\\" else _exactly(sign))

    def _group(self) -> tuple[int, int]:
        if self._text.startswith("?:", self._at):
            self._at += 2
        elif self._peek() == "?":
            known = ", except (?:, and (?i), (?= and (?! at the beginning" if self._is_extended else ", except (?:"
            raise BadPattern(f"groups that begin with (? are not supported{known}")
        self._depth += 1
        if self._depth > 20:
            raise BadPattern("groups are nested too deeply")
        inside = self._choice()
        if self._take() != ")":
            raise BadPattern("a group is not closed")
        self._depth -= 1
        return inside

    def _single(self, test: Test) -> tuple[int, int]:
        state = self._new(_ignoring_case(test) if self._ignores_case else test)
        return state, state

    def _escape(self) -> Test:
        sign = self._take()
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign in _CONTROLS:
            return _exactly(_CONTROLS[sign])
        if sign.isalnum():
            raise BadPattern(f"the escape \\{sign} is not supported")
        return _exactly(sign)

    def _set(self) -> Test:
        negated = self._peek() == "^"
        if negated:
            self._take()
        tests: list[Test] = []
        while not tests or self._peek() != "]":
            tests.append(self._member())
        self._take()
        return lambda c: any(test(c) for test in tests) != negated

    def _member(self) -> Test:
        sign = self._take()
        if sign == "\\":
            return self._escape()
        if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
            self._take()
            last = self._take()
            if last == "\\" or last < sign:
                raise BadPattern("a range of characters ends before it begins")
            return lambda c: sign <= c <= last
        return _exactly(sign)


def _exactly(wanted: str) -> Test:
    return lambda c: c == wanted


def _ignoring_case(test: Test) -> Test:
    return lambda c: test(c.lower()) or test(c.upper())
