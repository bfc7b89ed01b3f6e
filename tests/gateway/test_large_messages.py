"""Large messages are copied and examined in parts."""

import pytest

from rostrum.gateway.server.large_messages import DENSE, LARGE, MOST_ELEMENTS, Fragments, LargeMessage

MIB = 1024 * 1024


def examined(text: bytes, most: int = 1000) -> LargeMessage:
    fragments = Fragments()
    fragments.add(memoryview(text))
    message = LargeMessage(memoryview(fragments.text), fragments)
    for _ in range(most):
        if message.is_complete or message.is_dense:
            break
        message.step()
    return message


@pytest.mark.parametrize("size", [LARGE + 1, 3 * LARGE, MIB + 17])
def test_the_text_is_complete_and_unchanged_although_its_beginning_is_overwritten(size: int) -> None:
    text = bytes(range(128)) * (size // 128) + b"x" * (size % 128)
    fragments = Fragments()
    fragments.add(memoryview(text))
    message = LargeMessage(memoryview(fragments.text), fragments)
    # As the library does with what follows the message.
    fragments.text[: 16 * 1024] = b"?" * (16 * 1024)
    steps = 0
    while not message.is_complete:
        message.step()
        steps += 1

    assert message.text == text
    assert steps == -(-size // LARGE)
    assert (message.error, len(message)) == (None, size)


def test_characters_may_begin_in_one_part_and_end_in_the_next() -> None:
    for shift in range(4):
        text = b"x" * shift + "\N{GRINNING FACE}".encode() * (LARGE // 3)
        message = examined(text)
        assert (message.error, message.text) == (None, text)


@pytest.mark.parametrize("at", [LARGE - 2, LARGE, LARGE + 10, 2 * LARGE - 1])
def test_the_position_of_invalid_bytes_is_reported(at: int) -> None:
    text = bytearray(b"x" * 2 * LARGE)
    text[at] = 0xFF

    assert f"it is not UTF-8: invalid start byte at byte {at}" in str(examined(bytes(text)).error)


def test_a_character_that_ends_the_text_incomplete_is_invalid() -> None:
    assert "unexpected end of data" in str(examined(b"x" * LARGE + b"\xe2\x82").error)


DENSE_TEXTS = {
    "numbers": b"0," * (MOST_ELEMENTS + 10_000) + b"x" * 3 * MIB,
    "arrays": b"[]," * (6 * MIB // 3),
    "escapes": b"\\n" * (8 * MIB // 2),
    "spaces": b" " * (8 * MIB),
    "line ends": b"\r\n" * (4 * MIB),
}


@pytest.mark.parametrize("kind", DENSE_TEXTS)
def test_very_many_elements_are_found_before_the_message_is_parsed(kind: str) -> None:
    assert examined(DENSE_TEXTS[kind]).is_dense


def test_long_texts_and_tables_are_not_dense() -> None:
    for text in (b"It is a long text, with words. " * (8 * MIB // 31), b"[123.456, 789.125], " * (5 * MIB // 20)):
        assert len(text) > DENSE
        assert not examined(text).is_dense


def test_messages_up_to_some_megabytes_may_have_any_number_of_elements() -> None:
    assert not examined(b"[]," * (DENSE // 3)).is_dense
