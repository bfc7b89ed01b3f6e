"""Invalid files and variables: each is reported clearly, and the cache does not change."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum.sources.errors import RequiredSourceFailed
from tests.sources.firm import Firm, path, rest
from tests.sources.server import answering, down, in_turn, running, serving

GOOD = {"build": "local", "uiVersion": "local"}
TEXT = '{"build": "local",\n "uiVersion": "local"}'


def write(content: bytes) -> Callable[[Path], None]:
    return lambda file: void(file.write_bytes(content))


def void(_: object) -> None:
    return None


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def hundred_megabytes(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(100 * 1024 * 1024)


def link_to_itself(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "half a file": (write(TEXT[:20].encode()), "this object is not closed"),
    "something else": (write(b"<html>"), "'<html>' is not a value"),
    "a list": (write(b"[]"), "must hold an object"),
    "UTF-16": (write(TEXT.encode("utf-16")), "the text is UTF-16; save it as UTF-8"),
    "Latin-1": (write(TEXT.replace("local", "lökal").encode("latin-1")), "the text is not UTF-8"),
    "a number that is none": (write(b'{"splash": {"width": NaN}}'), "NaN is not a valid number"),
    "half a surrogate pair": (write(b'{"build": "\\ud800"}'), "this cannot be read (an escape"),
    "deep nesting": (write(b'{"a":' * 5000 + b"1" + b"}" * 5000), "nested deeper than 100 levels"),
    "a folder": (folder, "is a folder where a file should be"),
    "a pipe": (pipe, "is not a regular file"),
    "100 MB": (hundred_megabytes, "has 104,857,600 bytes; 67,108,864 are allowed"),
    "a link in a circle": (link_to_itself, "Too many levels of symbolic links"),
    "nothing at all": (lambda file: file.unlink(), ""),
}
TAKEN: dict[str, tuple[bytes, list[str]]] = {
    "a byte order mark": (b"\xef\xbb\xbf" + TEXT.encode(), []),
    "CRLF": (TEXT.replace("\n", "\r\n").encode(), []),
    "CR alone": (TEXT.replace("\n", "\r").encode(), []),
    "comments and a last comma": (b"// mine\n" + TEXT.replace("}", ",}").encode(), []),
    "a member twice": (
        TEXT.replace("{", '{"build": "first", ').encode(),
        ["build: is repeated in line 1, column 20; the last one counts"],
    ),
    "white space only": (b" \r\n", []),
}


def snapshot(firm: Firm) -> dict[str, bytes]:
    """All that is saved of remote sources."""
    overrides = firm.root / "UserData" / "configOverrides"
    return {str(file.relative_to(overrides)): file.read_bytes() for file in overrides.rglob("*") if file.is_file()}


async def started_once(firm: Firm, address: str) -> dict[str, bytes]:
    firm.system(rest(address), path("more"))
    await firm.load()
    saved = snapshot(firm)
    assert any(name.startswith(".sources") for name in saved)
    assert "system.json" in saved
    return saved


@pytest.fixture
def firm(tmp_path: Path) -> Firm:
    firm = Firm(tmp_path)
    firm.write("more/system.json", GOOD)
    return firm


@pytest.mark.parametrize("trouble", [name for name in REFUSED if name != "nothing at all"])
async def test_a_bad_file_is_reported_in_words_and_costs_nothing_that_was_saved(firm: Firm, trouble: str) -> None:
    damage, words = REFUSED[trouble]
    async with running(serving({"system.json": {"contents": {"uiVersion": "remote"}}})) as server:
        saved = await started_once(firm, server.url)
        damage(firm.root / "more" / "system.json")
        firm.system(rest(server.url), path("more", required=True))
        with pytest.raises(RequiredSourceFailed, match="more"):
            await firm.load()
        assert snapshot(firm) == saved

        firm.system(rest(server.url), path("more"))
        loaded = await firm.load()
    assert loaded.settings.ui_version == "remote"
    assert any(words in problem.message for problem in loaded.problems)
    assert {name: text for name, text in snapshot(firm).items() if name != ".sources/published.json"} == {
        name: text for name, text in saved.items() if name != ".sources/published.json"
    }


@pytest.mark.parametrize("oddity", TAKEN)
async def test_an_odd_file_is_read_as_documented(firm: Firm, oddity: str) -> None:
    content, said = TAKEN[oddity]
    (firm.root / "more" / "system.json").write_bytes(content)
    firm.system(path("more", required=True), build="base")
    loaded = await firm.load()
    assert loaded.settings.build == ("base" if oddity == "white space only" else "local")
    assert [f"{problem.path}: {problem.message}" for problem in loaded.problems] == said


@pytest.mark.parametrize("trouble", REFUSED)
async def test_a_bad_base_file_stops_the_start_even_when_everything_is_in_the_cache(firm: Firm, trouble: str) -> None:
    damage, words = REFUSED[trouble]
    async with running(serving({"system.json": {"contents": {"uiVersion": "remote"}}})) as server:
        saved = await started_once(firm, server.url)
    damage(firm.root / "config" / "system.json")
    if trouble == "nothing at all":
        (firm.root / "config").rmdir()
    with pytest.raises(RequiredSourceFailed) as caught:
        await firm.load()
    assert words in str(caught.value)
    assert snapshot(firm) == saved


@pytest.mark.parametrize(
    ("variables", "unknown"),
    [
        ({}, ["FOLDER"]),
        ({"FOLDER": "%OTHER%", "OTHER": "%FOLDER%"}, []),
        ({"FOLDER": "%FOLDER%"}, []),
        ({"FOLDER": "a\0b"}, []),
        ({"FOLDER": ""}, []),
        ({"FOLDER": "../" * 500}, []),
    ],
    ids=["missing", "cyclic", "naming itself", "with a NUL", "empty", "leading out"],
)
async def test_a_bad_variable_makes_its_source_fail_and_no_other(
    firm: Firm, variables: dict[str, str], unknown: list[str]
) -> None:
    firm.system(path("%FOLDER%/nowhere"), path("more"))
    loaded = await firm.load(variables=variables)
    assert loaded.settings.build == "local"
    assert [outcome.fetched.status for outcome in loaded.combined.sources] == ["ok", "failed", "ok"]
    told = [problem.message for problem in loaded.problems if "environment variable" in problem.message]
    assert told == [f"there is no environment variable {name}" for name in unknown]


@pytest.mark.parametrize(
    "answer",
    [b"", b"{", b"null", b'{"system.json": 1}', b'{"system.json": {"contents": {"build":' * 3, b"\xff" * 100],
    ids=["empty", "cut off", "null", "of another form", "nonsense", "binary"],
)
async def test_a_bad_answer_never_replaces_a_good_one_in_the_cache(firm: Firm, answer: bytes) -> None:
    good: Any = serving({"system.json": {"contents": {"uiVersion": "remote"}}})
    async with running(in_turn(good, answering(200, answer))) as server:
        saved = await started_once(firm, server.url)
        again = await firm.load()
    assert again.settings.ui_version == "local"
    assert again.combined.files["system.json"].document["uiVersion"] == "local"
    assert snapshot(firm) == saved


async def test_a_full_disk_does_not_stop_the_start_nor_damage_what_is_there(
    firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(serving({"system.json": {"contents": {"uiVersion": "remote"}}})) as server:
        saved = await started_once(firm, server.url)

        def full(*_: Any) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            loaded = await firm.load()
    assert any("No space left on device" in problem.message for problem in loaded.problems)
    assert snapshot(firm) == saved
    async with down():
        assert (await firm.load()).combined.sources[1].fetched.cached
