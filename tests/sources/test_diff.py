"""Comparing two configurations in effect."""

from pathlib import Path

import pytest

from rostrum.sources.diff import compare
from tests.sources.firm import Firm, path, rest
from tests.sources.server import running, serving


@pytest.fixture
def left(tmp_path: Path) -> Firm:
    return Firm(tmp_path / "left")


@pytest.fixture
def right(tmp_path: Path) -> Firm:
    return Firm(tmp_path / "right")


async def test_what_is_written_differently_but_counts_the_same_is_no_difference(left: Firm, right: Firm) -> None:
    left.system(gw={"configuration": {"port": 8385}})
    right.write("config/system.json", '{// the default\n "gw": {"configuration": {"port": null}},}')
    assert compare(await left.load(), await right.load()) == []


async def test_each_setting_with_different_effect_is_listed_with_who_set_it(left: Firm, right: Firm) -> None:
    right.write("more/system.json", {"splash": {"width": 7}, "own": {"x": 1}})
    right.system(path("more"))
    left.system(path("nowhere"), splash={"width": 5})
    found = {one.path: one for one in compare(await left.load(), await right.load())}
    assert set(found) == {"splash.width", "own", "systemConfigurations.sources"}
    width = found["splash.width"]
    assert (width.left, width.right) == (5, 7)
    assert width.left_origin is not None
    assert width.right_origin is not None
    assert Path(width.left_origin.file) == left.root / "config" / "system.json"
    assert Path(width.right_origin.file) == right.root / "more" / "system.json"
    assert (found["own"].left, found["own"].right) == (None, {"x": 1})


async def test_true_is_not_the_number_one(left: Firm, right: Firm) -> None:
    left.system(own=True)
    right.system(own=1)
    assert [one.path for one in compare(await left.load(), await right.load())] == ["own"]


async def test_custom_files_are_compared_too(left: Firm, right: Firm) -> None:
    async with running(serving({"custom.json": {"contents": {"a": {"b": 1}, "c": 2}}})) as server:
        left.system(rest(server.url))
        right.system(rest(server.url, configs="system.json"))
        found = [one for one in compare(await left.load(), await right.load()) if one.file == "custom.json"]
    assert [(one.path, one.left, one.right) for one in found] == [("", {"a": {"b": 1}, "c": 2}, None)]
