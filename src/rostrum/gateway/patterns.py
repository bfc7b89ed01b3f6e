"""A regular-expression matcher with linear time, because patterns come from untrusted clients."""

from collections.abc import Callable
from dataclasses import dataclass, field

MOST_STATES = 300
LONGEST_PATTERN = 300
LONGEST_TEXT = 200

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
    test: Test | None = None
    after: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern."""

    states: tuple[_State, ...]
    first: int
    last: int

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches the entire text; very long texts never match."""
        if len(text) > LONGEST_TEXT:
            return False
        now = self._reach([self.first])
        for character in text:
            stepped = [
                after
                for state in now
                if (test := self.states[state].test) is not None and test(character)
                for after in self.states[state].after
            ]
            if not stepped:
                return False
            now = self._reach(stepped)
        return self.last in now

    def _reach(self, begin: list[int]) -> set[int]:
        found = set(begin)
        todo = list(found)
        while todo:
            state = self.states[todo.pop()]
            if state.test is None:
                new = [after for after in state.after if after not in found]
                found.update(new)
                todo += new
        return found


def compile_pattern(text: str) -> Pattern:
    r"""Read a pattern: characters, ``.``, ``[a-z]``, ``\d \w \s``, groups, ``|``, ``* + ? {m,n}``."""
    if len(text) > LONGEST_PATTERN:
        raise BadPattern(f"the pattern is longer than {LONGEST_PATTERN} characters")
    return _Compiler(text).compile()


class _Compiler:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._states: list[_State] = []

    def compile(self) -> Pattern:
        first, last = self._choice()
        if self._at < len(self._text):
            raise BadPattern(f"unexpected {self._text[self._at]!r} in a pattern")
        return Pattern(tuple(self._states), first, last)

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _take(self) -> str:
        if self._at >= len(self._text):
            raise BadPattern("the pattern ends too early")
        self._at += 1
        return self._text[self._at - 1]

    def _new(self, test: Test | None = None, *after: int) -> int:
        if len(self._states) >= MOST_STATES:
            raise BadPattern("the pattern repeats too much")
        self._states.append(_State(test, list(after)))
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
        while self._peek() not in ("", "|", ")"):
            if self._peek() in "^$":
                # The entire text is matched, so anchors at the edges have no effect.
                self._anchor()
                continue
            begin, end = self._repeated()
            self._states[last].after.append(begin)
            last = end
        return first, last

    def _anchor(self) -> None:
        place = self._at
        sign = self._take()
        if self._depth or place not in (0, len(self._text) - 1) or (sign == "^") != (place == 0):
            raise BadPattern(f"{sign!r} may stand only at the edge of a pattern")

    def _repeated(self) -> tuple[int, int]:
        place = self._at
        piece = self._piece()
        least, most = self._count()
        if (least, most) == (1, 1):
            return piece
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
        self._depth += 1
        if self._depth > 20:
            raise BadPattern("groups are nested too deeply")
        inside = self._choice()
        if self._take() != ")":
            raise BadPattern("a group is not closed")
        self._depth -= 1
        return inside

    def _single(self, test: Test) -> tuple[int, int]:
        end = self._new()
        return self._new(test, end), end

    def _escape(self) -> Test:
        sign = self._take()
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign in _CONTROLS:
            return _exactly(_CONTROLS[sign])
        if sign.isalnum():
            raise BadPattern(f"the escape \\{sign} is not known")
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
