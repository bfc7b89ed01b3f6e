"""rostrum config explain, fetch and diff, as a person and as a program use them."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.processes import run
from tests.sources.firm import Firm, path, rest
from tests.sources.server import down, running, serving


@pytest.fixture
def firm(tmp_path: Path) -> Firm:
    return Firm(tmp_path)


def test_explain_shows_the_value_its_origin_and_the_overridden_values(firm: Firm) -> None:
    firm.write("more/system.json", {"splash": {"width": 7}})
    firm.system(path("more"), splash={"width": 5})
    told = run("config", "explain", "splash.width", cwd=firm.root)
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert lines[0] == "splash.width = 7"
    assert f"set in {firm.root / 'more' / 'system.json'}:1 (priority 1000)" in told.stdout
    assert "not 5 in" in told.stdout
    assert "default 350" in told.stdout
    assert "counts: local files only" in told.stdout


def test_explain_gives_a_program_the_agreed_shape(firm: Firm) -> None:
    firm.write("more/system.json", {"splash": {"width": 7}})
    firm.system(path("more"), splash={"width": 5})
    told = json.loads(run("config", "explain", "splash.width", "--json", "--config", str(firm.root / "config")).stdout)
    assert (told["path"], told["value"], told["default"]) == ("splash.width", 7, 350)
    assert told["counts"] == ["local files only"]
    assert {"source", "file", "line", "cached", "age"} <= set(told["origin"])
    assert {"source", "file", "value", "reason"} <= set(told["overridden"][0])


def test_explain_of_an_unknown_setting_ends_with_1_and_a_guess(firm: Firm) -> None:
    told = run("config", "explain", "splash.widht", cwd=firm.root)
    assert told.returncode == 1
    assert "did you mean splash.width?" in told.stdout


async def test_fetch_gives_a_program_the_agreed_shape_and_keeps_the_answers(firm: Firm) -> None:
    async with running(serving({"system.json": {"contents": {"build": "r"}}, "x.json": {"contents": [1]}})) as server:
        firm.system(rest(server.url), splsh=1)
        fetched = await _run("config", "fetch", "--json", cwd=firm.root)
    assert fetched.returncode == 0, fetched.stderr
    told = json.loads(fetched.stdout)
    assert told["settings"]["build"] == "r"
    assert told["settings"]["splash"]["width"] == 350
    assert told["files"]["x.json"] == [1]
    keys = {"source", "type", "priority", "required", "status", "error"}
    assert [(keys <= set(one), one["status"]) for one in told["sources"]] == [(True, "ok"), (True, "ok")]
    assert [problem["path"] for problem in told["problems"]] == ["splsh"]
    assert (firm.root / "UserData" / "configOverrides" / "x.json").exists()


async def test_fetch_ends_with_1_when_a_required_source_fails_and_still_reports_all(firm: Firm) -> None:
    async with down() as dead:
        firm.system(rest(dead.url, required=True), build="local")
        fetched = await _run("config", "fetch", "--json", cwd=firm.root)
    assert fetched.returncode == 1
    told = json.loads(fetched.stdout)
    assert [one["status"] for one in told["sources"]] == ["ok", "failed"]
    assert "a required configuration source cannot be retrieved" in fetched.stderr


def test_fetch_reports_a_broken_local_file_as_json_too(firm: Firm) -> None:
    firm.write("config/system.json", "{")
    fetched = run("config", "fetch", "--json", cwd=firm.root)
    assert fetched.returncode == 1
    assert json.loads(fetched.stdout)["sources"][0]["status"] == "failed"


async def test_whom_to_ask_for_is_sent_and_nothing_is_kept_of_it(firm: Firm) -> None:
    async with running(serving({"system.json": {"contents": {"build": "r"}}})) as server:
        firm.system(rest(server.url))
        asked = ("--user", "ann", "--group", "Desk", "--version", "10.1")
        fetched = await _run("config", "fetch", *asked, cwd=firm.root)
    assert fetched.returncode == 0, fetched.stderr
    assert [request.json for request in server.requests] == [{"user": "ann", "group": "Desk", "version": "10.1"}]
    assert not (firm.root / "UserData").exists()


def test_environment_and_region_can_be_chosen(firm: Firm) -> None:
    firm.write("config/system-UAT-APAC.json", {"build": "uat"})
    told = run("config", "explain", "build", "--json", "--env", "UAT", "--region", "APAC", cwd=firm.root)
    assert json.loads(told.stdout)["value"] == "uat"


def test_files_can_be_given_as_the_desktop_takes_them(firm: Firm) -> None:
    firm.write("a.json", {"build": "a"})
    arguments = ("--", "config=config/system.json", "configOverrides", "config0=a.json")
    told = run("config", "explain", "build", "--json", *arguments, cwd=firm.root)
    assert json.loads(told.stdout)["value"] == "a"


@pytest.mark.long
def test_diff_lists_what_counts_differently_and_ends_with_1(firm: Firm) -> None:
    firm.write("other/system.json", {"splash": {"width": 7}})
    differing = run("config", "diff", "config", "other", cwd=firm.root)
    assert differing.returncode == 1
    assert differing.stdout.splitlines()[0] == "splash.width"
    same = run("config", "diff", "config", "config", "--json", cwd=firm.root)
    assert (same.returncode, json.loads(same.stdout)) == (0, {"same": True, "differences": []})


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    for command in (("explain", "env"), ("fetch",), ("diff", "a", "b")):
        told = run("config", *command, cwd=tmp_path)
        assert told.returncode == 2
        assert ("does not exist" if command[0] == "diff" else "The command searched") in told.stderr


async def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command beside a server of this very loop."""
    return await asyncio.to_thread(run, *arguments, cwd=cwd)
