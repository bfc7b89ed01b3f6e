"""The channels of the platform as user channels of FDC3."""

from typing import Any

from rostrum.fdc3 import UserChannel, user_channels
from rostrum.settings.standard_files import read_channels


def test_channels_with_fdc3_metadata_have_its_id_and_its_looks() -> None:
    display = {"name": "Channel 1", "color": "#f00", "glyph": "https://x.example/1.png"}
    meta = {"color": "red", "fdc3": {"id": "fdc3.channel.1", "displayMetadata": display}}

    expected = UserChannel("fdc3.channel.1", "Channel 1", "#f00", "https://x.example/1.png")
    assert user_channels([{"name": "Red", "meta": meta}]) == (expected,)


def test_other_channels_have_their_name_and_colour() -> None:
    assert user_channels([{"name": "Red", "meta": {"color": "red"}}]) == (UserChannel("Red", "Red", "red"),)


def test_channels_of_the_settings_are_read() -> None:
    document = [{"name": "Red", "meta": {"color": "red"}}, {"name": "Green", "meta": {"color": "#00ff00"}}]
    channels, problems = read_channels(document)
    assert problems == ()

    definitions = [{"name": one.name, "meta": {"color": one.meta.color, "fdc3": one.meta.fdc3}} for one in channels]
    assert [(one.id, one.color) for one in user_channels(definitions)] == [("Red", "red"), ("Green", "#00ff00")]


def test_what_is_no_channel_is_left_out_and_the_first_of_an_id_counts() -> None:
    same = {"fdc3": {"id": "Red", "displayMetadata": 1}, "color": 1}
    wrong: list[dict[str, Any]] = [
        {},
        {"name": ""},
        {"name": 1},
        {"name": "Red", "meta": 1},
        {"name": "Other", "meta": same},
    ]

    assert user_channels(wrong) == (UserChannel("Red", "Red", ""),)
