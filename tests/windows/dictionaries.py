"""Small dictionaries for the spell checker, in the binary form that the browser engine reads (.bdic)."""

import hashlib
import struct
from collections.abc import Iterable

_HEADER = "<4sHHII16s"
_AFFIXES = "<4I"
_LEAF, _LEAF_WITH_REST, _LIST = 0x00, 0x40, 0xF0


def dictionary(words: Iterable[str]) -> bytes:
    """Return a dictionary of a few words, without rules for their forms."""
    start = struct.calcsize(_HEADER)
    at = start + struct.calcsize(_AFFIXES)
    tables = (b"AF 0\0\0", b"\0", b"\0", b"SET UTF-8\0TRY abcdefghijklmnopqrstuvwxyz\0\0")
    offsets = []
    for table in tables:
        offsets.append(at)
        at += len(table)
    body = struct.pack(_AFFIXES, *offsets) + b"".join(tables) + _node(sorted(word.encode() for word in words))
    return struct.pack(_HEADER, b"BDic", 2, 0, start, at, hashlib.md5(body, usedforsecurity=False).digest()) + body


def _node(words: list[bytes]) -> bytes:
    """Return the tree of words that have the same beginning, without that beginning."""
    if len(words) == 1:
        (rest,) = words
        return bytes((_LEAF_WITH_REST, 0)) + rest + b"\0" if rest else bytes((_LEAF, 0))
    letters = sorted({word[:1] or b"\0" for word in words})
    assert len(letters) < 16, "a node of this form has at most 15 letters"
    children = [_node([word[1:] for word in words if (word[:1] or b"\0") == letter]) for letter in letters]
    entries, at = b"", 0
    for letter, child in zip(letters, children, strict=True):
        entries += letter + struct.pack("<H", at)
        at += len(child)
    return bytes((_LIST | len(letters),)) + entries + b"".join(children)
