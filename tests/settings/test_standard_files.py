"""channels.json, themes.json and logger.json: what they may hold, and where in them a problem is."""

from typing import Any

import pytest

from rostrum.settings.standard_files import check_standard_file, read_channels, read_themes

RED = {"name": "Red", "meta": {"color": "red", "fdc3": {"id": "fdc3.channel.1"}, "ours": 1}}
BLUE = {"name": "Blue", "meta": {"color": "#0000ff"}}


@pytest.mark.parametrize("document", [[RED, BLUE], {"definitions": [RED, BLUE]}, {"channels": [RED, BLUE]}])
def test_channels_are_read_in_every_form(document: Any) -> None:
    channels, problems = read_channels(document)
    assert ([one.name for one in channels], problems) == (["Red", "Blue"], ())
    assert channels[0].meta.fdc3 == {"id": "fdc3.channel.1"}
    assert channels[0].meta.model_extra == {"ours": 1}


@pytest.mark.long
@pytest.mark.parametrize(
    "document", [[{"name": "dark", "displayName": "Dark", "x": 1}], {"themes": [{"name": "dark"}]}]
)
def test_themes_are_read_in_every_form(document: Any) -> None:
    themes, problems = read_themes(document)
    assert ([one.name for one in themes], problems) == (["dark"], ())


@pytest.mark.parametrize("document", [None, {}, []])
def test_an_empty_file_sets_nothing(document: Any) -> None:
    assert (read_channels(document), read_themes(document)) == (((), ()), ((), ()))


@pytest.mark.parametrize(
    ("file", "document", "paths"),
    [
        ("channels.json", [RED, {"name": "x", "meta": {}}], ["[1].meta.color"]),
        ("Channels.json", {"definitions": [5]}, ["definitions[0]"]),
        ("channels.json", [RED, RED], ["[1].name"]),
        ("channels.json", [{**RED, "meta": {"color": "red", "fdc3": {}}}], ["[0].meta.fdc3"]),
        ("channels.json", {"colours": []}, [""]),
        ("themes.json", [{"displayName": "nameless"}], ["[0].name"]),
        ("themes.json", {"themes": 5}, [""]),
        ("logger.json", {"appenders": {}}, [""]),
        ("stickywindows.json", {"anything": 1}, []),
        ("custom.json", 5, []),
    ],
)
def test_a_problem_is_reported_at_its_place(file: str, document: Any, paths: list[str]) -> None:
    assert [problem.path for problem in check_standard_file(file, document)] == paths


def test_a_wrong_channel_does_not_cost_the_others() -> None:
    channels, _ = read_channels([{"name": "x"}, BLUE])
    assert [one.name for one in channels] == ["Blue"]
