"""Where the first files and the folders of a pair are."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.settings.sections.root import Folders
from rostrum.sources.combine import combine
from rostrum.sources.environment import Pair
from rostrum.sources.errors import RequiredSourceFailed, WrongArguments
from rostrum.sources.locate import Arguments, first_sources, pair_folders, parse_arguments
from rostrum.sources.path_source import PathReader
from rostrum.sources.source import DEFAULT_SOURCE

PAIR = Pair("DEMO", "EMEA")


@pytest.mark.rule("R-2.11-6")
def test_the_template_of_the_command_line_is_understood() -> None:
    line = "--headless --gildingConfigFile=g.json -- config=base.json configOverrides config1=b.json config0=a.json"
    assert parse_arguments(line.split()) == Arguments(
        base="base.json", overrides=("a.json", "b.json"), gilding_file="g.json", runtime=("--headless",)
    )


def test_override_files_go_by_number_not_by_text() -> None:
    arguments = ["--", "configOverrides", *(f"config{number}={number}.json" for number in (10, 9, 0))]
    assert parse_arguments(arguments).overrides == ("0.json", "9.json", "10.json")


def test_an_empty_command_line_names_nothing() -> None:
    assert parse_arguments([]) == Arguments()
    assert parse_arguments(["--"]) == Arguments()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "confg=x"], "'confg=x' is not one of"),
        (["--", "config=a", "config=b"], "config= is given twice"),
        (["--", "config0=a", "config0=b"], "config0= is given twice"),
        (["--", "config="], "names no file"),
        (["--gildingConfigFile="], "names no file"),
        (["--gildingConfigFile=a", "--gildingConfigFile=b"], "given 2 times"),
        (["--", "configX=a"], "is not one of"),
    ],
)
def test_anything_else_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(WrongArguments, match=message):
        parse_arguments(arguments)


@given(st.lists(st.text(max_size=12) | st.sampled_from(["--", "config=a", "config0=b", "configOverrides"]), max_size=5))
def test_any_command_line_is_understood_or_refused(arguments: list[str]) -> None:
    with suppress(WrongArguments):
        assert len(parse_arguments(arguments).overrides) <= len(arguments)


def test_without_arguments_there_is_the_default_source(tmp_path: Path) -> None:
    assert first_sources(Arguments(), tmp_path) == (DEFAULT_SOURCE,)
    assert (DEFAULT_SOURCE.type, DEFAULT_SOURCE.source, DEFAULT_SOURCE.configs) == ("path", "./config", "*")
    assert (DEFAULT_SOURCE.priority, DEFAULT_SOURCE.required) == (1, True)


@pytest.mark.rule("R-2.11-4", "R-2.11-6")
async def test_two_override_files_both_apply_over_the_base_and_its_pair_file(tmp_path: Path) -> None:
    contents = {
        "base.json": '{"base": 1, "pair": 1, "first": 1, "second": 1}',
        "system-DEMO-EMEA.json": '{"pair": 2, "first": 2}',
        "a.json": '{"first": 3, "second": 3}',
        "b.json": '{"second": 4}',
        "system.json": '{"ignored": true}',
        "channels.json": "[]",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    arguments = Arguments(base="base.json", overrides=("a.json", "b.json"))
    combined = await combine(first_sources(arguments, tmp_path), PathReader(tmp_path, PAIR), pair=PAIR)
    assert combined.files["system.json"].document == {"base": 1, "pair": 2, "first": 3, "second": 4}
    assert combined.files["channels.json"].document == []


async def test_a_folder_can_be_the_base_and_a_missing_override_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text("{}")
    sources = first_sources(Arguments(base=".", overrides=("gone.json",)), tmp_path)
    assert (sources[0].source, sources[0].base_file) == (str(tmp_path), "system.json")
    with pytest.raises(RequiredSourceFailed, match=r"gone\.json"):
        await combine(sources, PathReader(tmp_path))


@pytest.mark.rule("R-2.11-3")
def test_user_data_and_cache_have_a_folder_for_each_pair() -> None:
    folders, problems = pair_folders(Folders(), PAIR, Path("/opt/x"), {})
    assert folders.user_data == Path("/opt/x/UserData/DEMO-EMEA")
    assert folders.cache == Path("/opt/x/Cache/DEMO-EMEA")
    assert folders.overrides == Path("/opt/x/UserData/DEMO-EMEA/configOverrides")
    assert problems == ()


def test_folders_that_are_set_are_taken_with_variables_filled_in() -> None:
    asked = Folders(user_data="%HOME%/data", cache="${HOME}/cache", remote_config="%HOME%/fetched")
    folders, problems = pair_folders(asked, PAIR, Path("/opt/x"), {"HOME": "/home/ann"})
    assert (folders.user_data, folders.cache) == (Path("/home/ann/data"), Path("/home/ann/cache"))
    assert folders.overrides == Path("/home/ann/fetched")
    assert problems == ()


def test_an_unknown_variable_in_a_folder_is_a_problem_that_names_it() -> None:
    _, problems = pair_folders(Folders(user_data="%NOPE%/data"), PAIR, Path("/opt/x"), {})
    assert [str(problem) for problem in problems] == ["folders.userData: there is no environment variable NOPE"]
