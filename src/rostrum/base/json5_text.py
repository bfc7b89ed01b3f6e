"""Parser for JSON5 that reports the line and column of errors and members."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyjson5

from rostrum.base.errors import Invalid
from rostrum.base.problems import MAX_DEPTH, Problem, json_path

MAX_BYTES = 64 * 1024 * 1024
"""Longer texts are refused without parsing."""

Path = tuple[str | int, ...]

_SHOWN = 100
_STRING = r""""(?:[^"\\\n\r]++|\\(?:\r\n|.))*+"|'(?:[^'\\\n\r]++|\\(?:\r\n|.))*+'"""
_COMMENT = r"//[^\n\r\u2028\u2029]*+|/\*.*?\*/"
_TOKEN = re.compile(
    rf"""(?P<space>[\s\ufeff]++|{_COMMENT})|(?P<string>{_STRING})|(?P<mark>[{{}}\[\]:,])|(?P<word>[^\s{{}}\[\]:,"'/]++)""",
    re.DOTALL,
)
_NOT_A_COLON = re.compile(rf"{_STRING}|{_COMMENT}", re.DOTALL)
_SCALAR = re.compile(
    r"true|false|null|[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
)
_LINE_END = re.compile(r"\r\n|\r|\n")


class TextPosition(NamedTuple):
    """A line and a column, both counted from 1 as editors do."""

    line: int
    column: int


class BadSyntax(Invalid):
    """A text is not JSON5; the message shows the line.

    Attributes:
        place: Where reading stopped.
        reason: What is wrong there.
        drawn: The line, and a mark under the place.

    """

    def __init__(self, reason: str, text: str, offset: int) -> None:
        self.place = _place(text, offset)
        self.reason = reason
        self.drawn = _drawn(text, offset)
        super().__init__(f"line {self.place.line}, column {self.place.column}: {reason}\n{self.drawn}")


class Parsed(NamedTuple):
    """A value, the text it was read from, and warnings about that text."""

    value: Any
    text: str
    warnings: tuple[Problem, ...] = ()


class _Member(NamedTuple):
    path: Path
    offset: int
    again: bool


@dataclass(slots=True)
class _Frame:
    """An open object or array; ``names`` is None for an array."""

    step: str | int
    offset: int
    names: set[str] | None


class _Wrong(Exception):
    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


def parse(text: bytes | str) -> Parsed:
    """Read one JSON5 value; raise an error with the line and a description for invalid text."""
    text = decode_text(text)
    try:
        value = pyjson5.decode(text, MAX_DEPTH)
    except pyjson5.Json5NestingTooDeep:
        raise Invalid(f"the JSON is nested deeper than {MAX_DEPTH} levels") from None
    except pyjson5.Json5DecoderException as error:
        raise _explained(text, error) from None
    members, odd = _survey(value)
    if odd is not None:
        raise _not_finite(text)
    # Each member has one colon. A duplicate member is lost in the parsed value, so one colon remains.
    if _NOT_A_COLON.sub("", text).count(":") == members:
        return Parsed(value, text)
    return Parsed(value, text, tuple(_repeated(text)))


def decode_text(text: bytes | str) -> str:
    """Return text of a bounded size without its byte order mark; refuse text that is not UTF-8."""
    if len(text) > MAX_BYTES:
        raise Invalid(f"the text is longer than {MAX_BYTES // 1024 // 1024} MiB")
    try:
        if isinstance(text, str):
            text.encode()
        else:
            if text.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise Invalid("the text is UTF-16; save it as UTF-8")
            text = text.decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"the text is not UTF-8: {error.reason} at byte {error.start}") from None
    except UnicodeEncodeError:
        raise Invalid("the text holds half of a surrogate pair, which no text can hold") from None
    return text.removeprefix("\ufeff")


def locate(text: str, path: Path) -> TextPosition:
    """Find a member by its path, or the innermost object or array that would contain it."""
    best, offset = 0, _start(text)
    for member in _readable_members(text):
        length = len(member.path)
        # The last duplicate counts, as in the parsed value.
        if path[:length] == member.path and (length >= best or member.again):
            best, offset = length, member.offset
    return _place(text.removeprefix("\ufeff"), offset)


def positions(text: str) -> dict[Path, TextPosition]:
    """Find all members in one pass, for callers that need many positions."""
    text = text.removeprefix("\ufeff")
    ends = [match.end() for match in _LINE_END.finditer(text)]
    found: dict[Path, TextPosition] = {(): _place(text, _start(text))}
    line = 0
    for member in _readable_members(text):
        while line < len(ends) and ends[line] <= member.offset:
            line += 1
        found[member.path] = TextPosition(line + 1, member.offset - (ends[line - 1] if line else 0) + 1)
    return found


def _survey(value: Any) -> tuple[int, float | None]:
    """Count the members at each depth, and find a number that JSON cannot represent."""
    members = 0
    odd = None
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            members += len(current)
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)
        elif isinstance(current, float) and not math.isfinite(current):
            odd = current
    return members, odd


def _repeated(text: str) -> Iterator[Problem]:
    for member in _readable_members(text):
        if member.again:
            place = _place(text, member.offset)
            message = f"is repeated in line {place.line}, column {place.column}; the last one counts"
            yield Problem(path=json_path(member.path), message=message)


def _explained(text: str, error: Exception) -> BadSyntax:
    try:
        for _ in _members(text):
            pass
    except _Wrong as wrong:
        return BadSyntax(wrong.reason, text, wrong.offset)
    # This scanner accepts more inside strings, names and numbers than the parser does.
    near = re.search(r"near (\d+)", str(error.args[0]))
    offset = min(int(near[1]) - 1, len(text)) if near else 0
    return BadSyntax("this cannot be read (an escape, a name or a number)", text, max(offset, 0))


def _not_finite(text: str) -> BadSyntax:
    for kind, piece, offset in _tokens(text):
        if kind == "word" and piece.lstrip("+-") in {"NaN", "Infinity"}:
            return BadSyntax(f"{piece} is not a valid number", text, offset)
    return BadSyntax("a number is too large", text, 0)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise _Wrong(_unreadable(text, offset), offset)
        if match.lastgroup != "space":
            yield match.lastgroup or "", match[0], offset
        offset = match.end()
    yield "end", "", len(text)


def _unreadable(text: str, offset: int) -> str:
    if text.startswith("/*", offset):
        return "this comment is not closed"
    if text[offset] in "\"'":
        return "this text is not closed"
    return f"{text[offset]!r} does not belong here"


def _readable_members(text: str) -> Iterator[_Member]:
    try:
        yield from _members(text.removeprefix("\ufeff"))
    except _Wrong:
        return


def _members(text: str) -> Iterator[_Member]:
    """Yield all members and elements in order; raise ``_Wrong`` at the first error."""
    walk = _Walk(text)
    while walk.past_value():
        yield walk.member()
        walk.to_value()


class _Walk:
    """A position between two tokens, and the objects and arrays that are open there."""

    def __init__(self, text: str) -> None:
        self._frames: list[_Frame] = []
        self._tokens = _tokens(text)
        self._take()

    def past_value(self) -> bool:
        """Skip a scalar or enter an object or array, and leave all that end there; return whether a member follows."""
        opened = _open_or_scalar(self._kind, self._piece, self._offset)
        if opened is not None:
            self._frames.append(opened)
        self._take()
        if opened is None:
            self._past_comma()
        while self._frames and _closes(self._frames[-1], self._kind, self._piece):
            self._frames.pop()
            self._take()
            self._past_comma()
        if not self._frames and self._kind != "end":
            raise _Wrong(f"{_named(self._kind, self._piece)} comes after the end of the document", self._offset)
        return bool(self._frames)

    def member(self) -> _Member:
        """Describe the member or element that starts here."""
        frame = self._frames[-1]
        again = False
        if frame.names is None:
            frame.step = int(frame.step) + 1
        else:
            frame.step = name = _name(frame, self._kind, self._piece, self._offset)
            again = name in frame.names
            frame.names.add(name)
        return _Member(tuple(open_.step for open_ in self._frames), self._offset, again)

    def to_value(self) -> None:
        """Skip the name of a member."""
        if self._frames[-1].names is None:
            return
        self._take()
        if self._kind != "mark" or self._piece != ":":
            raise _Wrong(f"a colon is missing before {_named(self._kind, self._piece)}", self._offset)
        self._take()

    def _take(self) -> None:
        self._kind, self._piece, self._offset = next(self._tokens)

    def _past_comma(self) -> None:
        if not self._frames:
            return
        if self._kind == "mark" and self._piece == ",":
            self._take()
        elif not _closes(self._frames[-1], self._kind, self._piece):
            raise _missing_comma(self._frames[-1], self._kind, self._piece, self._offset)


def _open_or_scalar(kind: str, piece: str, offset: int) -> _Frame | None:
    if kind == "mark" and piece in "{[":
        return _Frame(-1, offset, set() if piece == "{" else None)
    if kind == "string" or (kind == "word" and _SCALAR.fullmatch(piece)):
        return None
    if kind == "word":
        raise _Wrong(f"{_named(kind, piece)} is not a value; text needs quotation marks", offset)
    raise _Wrong(f"a value is missing before {_named(kind, piece)}", offset)


def _closes(frame: _Frame, kind: str, piece: str) -> bool:
    return kind == "mark" and piece == ("]" if frame.names is None else "}")


def _missing_comma(frame: _Frame, kind: str, piece: str, offset: int) -> _Wrong:
    if kind == "end":
        what = "array" if frame.names is None else "object"
        return _Wrong(f"this {what} is not closed", frame.offset)
    return _Wrong(f"a comma is missing before {_named(kind, piece)}", offset)


def _name(frame: _Frame, kind: str, piece: str, offset: int) -> str:
    if kind == "end":
        raise _missing_comma(frame, kind, piece, offset)
    if kind not in {"string", "word"}:
        raise _Wrong(f"a name is missing before {_named(kind, piece)}", offset)
    quoted = piece if kind == "string" else f'"{piece}"'
    if "\\" not in piece:
        return quoted[1:-1]
    try:
        return str(pyjson5.decode(quoted))
    except pyjson5.Json5DecoderException:
        raise _Wrong(f"{_named(kind, piece)} holds an escape that cannot be read", offset) from None


def _named(kind: str, piece: str) -> str:
    if kind == "end":
        return "the end of the text"
    return repr(piece if len(piece) <= 40 else piece[:40] + "…")


def _start(text: str) -> int:
    try:
        return next((offset for kind, _, offset in _tokens(text.removeprefix("\ufeff")) if kind != "end"), 0)
    except _Wrong:
        return 0


def _place(text: str, offset: int) -> TextPosition:
    line, start = 1, 0
    for match in _LINE_END.finditer(text, 0, offset):
        line += 1
        start = match.end()
    return TextPosition(line, offset - start + 1)


def _drawn(text: str, offset: int) -> str:
    column = _place(text, offset).column
    start = offset - column + 1
    end = _LINE_END.search(text, start)
    line = text[start : end.start() if end else len(text)]
    cut = max(0, column - 1 - _SHOWN // 2)
    # Tabs and control characters would shift the marker.
    shown = "".join(letter if letter.isprintable() else " " for letter in line[cut : cut + _SHOWN])
    return f"    {shown}\n    {' ' * (column - 1 - cut)}^"
