"""Settings that change while the platform runs."""

from dataclasses import fields
from pathlib import Path

import pytest

from rostrum.settings.catalogue import catalogue
from rostrum.settings.parse import parse_system
from rostrum.sources.live import PATHS, Change, LiveSettings, Reapplied
from rostrum.sources.load import load_all
from tests.sources.firm import CLOCK, Firm, rest
from tests.sources.server import running, serving


def test_every_re_applied_setting_of_the_catalogue_is_live() -> None:
    declared = [path for path, one in catalogue().items() if one.reapplied]
    tops = {path for path in declared if not any(path.startswith(f"{other}.") for other in declared)}
    assert set(PATHS.values()) == tops
    assert set(PATHS) == {field.name for field in fields(Reapplied)}


@pytest.mark.parametrize(
    ("document", "path", "old", "new"),
    [
        ({"spellchecker": {"enabled": False}}, "spellchecker", True, False),
        ({"windows": {"responseHeaders": {"x": "y"}}}, "windows.responseHeaders", None, {"x": "y"}),
        ({"windows": {"urlFilter": ["https://x/*"]}}, "windows.urlFilter", None, ["https://x/*"]),
    ],
)
def test_a_difference_is_applied_and_reported_once(document: object, path: str, old: object, new: object) -> None:
    live = LiveSettings(Reapplied.of(parse_system({}).settings))
    heard: list[Change] = []
    live.changed.connect(heard.append)

    live.apply(parse_system(document).settings)
    live.apply(parse_system(document).settings)

    (change,) = heard
    assert change.path == path
    if path == "spellchecker":
        assert (change.old.enabled, change.new.enabled, live.value.spellchecker.enabled) == (old, new, new)
    else:
        assert (change.old, change.new) == (old, new)


def test_other_settings_do_not_change_while_running() -> None:
    live = LiveSettings(Reapplied.of(parse_system({}).settings))
    assert live.apply(parse_system({"gw": {"configuration": {"port": 1}}, "build": "x"}).settings) == ()


@pytest.mark.rule("R-2.8-7", "T-D-10")
async def test_a_start_uses_local_values_first_and_then_remote_ones(tmp_path: Path) -> None:
    firm = Firm(tmp_path)
    remote = {"system.json": {"contents": {"spellchecker": {"languages": ["de"]}, "windows": {"urlFilter": ["b"]}}}}
    async with running(serving(remote)) as server:
        firm.system(rest(server.url), windows={"urlFilter": ["a"]})
        early = firm.early()
        live = LiveSettings(early.reapplied)
        assert (live.value.url_filter, live.value.spellchecker.languages) == (["a"], None)
        changes = live.apply((await load_all(early, sleep=firm.slept, clock=CLOCK)).settings)
    assert [change.path for change in changes] == ["spellchecker", "windows.urlFilter"]
    assert (live.value.url_filter, live.value.spellchecker.languages) == (["b"], ("de",))
