"""Large JSON is decoded in pieces, with the same result."""

import json
from typing import Any

import msgspec
import pytest

from rostrum.gateway.domains.context import pieces
from rostrum.gateway.domains.context.pieces import batches

TRICKY = {
    "quotes": 'a "b", {c} [d] \\',
    "only escapes": '\\"' * 30_000,
    "long": "x" * 300_000,
    "nested": {"a": [1, {"b": ",,,"}], "c": {}},
    "empty": {},
    "list": [[], [1, 2], "]"],
    'na,me"': 1,
    "é": "ü" * 5000,
}


def decoded(value: Any, indent: int | None = None) -> tuple[list[Any], int]:
    """Decode a value, and return its pieces, with the number of pauses."""
    text = msgspec.Raw(json.dumps(value, indent=indent).encode())
    found = list(batches(text, msgspec.json.decode))
    return [each for each in found if each is not None], found.count(None)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("indent", [None, 4])
def test_the_pieces_of_an_object_are_the_object(size: int, indent: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "SMALL", 10)
    monkeypatch.setattr(pieces, "PIECE", size)

    found, _ = decoded(TRICKY, indent)

    assert {name: value for piece in found for name, value in piece.items()} == TRICKY
    assert len(found) == -(-len(TRICKY) // size)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_the_pieces_of_an_array_are_the_array(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "SMALL", 10)
    monkeypatch.setattr(pieces, "PIECE", size)
    value = [*TRICKY.values(), " " * 20_000, "", []]

    found, _ = decoded(value)

    assert [each for piece in found for each in piece] == value


def test_there_are_pauses_in_long_texts_and_between_many_elements() -> None:
    one_value = [list(range(50_000))]

    assert decoded({"a": "," * 4 * pieces.SMALL})[1] > 0
    assert decoded(one_value)[1] > 50_000 // 1024
    assert decoded([1, 2, 3]) == ([[1, 2, 3]], 0)


@pytest.mark.parametrize("text", [b"1" * 70_000, b'"' + b"," * 70_000 + b'"', b" " * 70_000 + b"null"])
def test_another_value_is_given_to_the_decoder(text: bytes) -> None:
    assert [each for each in batches(msgspec.Raw(text), bytes) if each is not None] == [text]
