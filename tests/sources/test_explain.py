"""Explaining a setting: value, winner, losers, why."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rostrum.settings.catalogue import catalogue
from rostrum.sources.combine import Outcome
from rostrum.sources.explain import Explainer, explain
from rostrum.sources.load import fetch_sources, finalize, load_early
from tests.sources.firm import CLOCK, Firm, path, rest
from tests.sources.server import down, running, serving


@pytest.fixture
def firm(tmp_path: Path) -> Firm:
    return Firm(tmp_path)


PORT = "gw.configuration.port"


def port(number: Any) -> Any:
    return {"gw": {"configuration": {"port": number}}}


async def test_without_a_value_the_default_applies(firm: Firm) -> None:
    found = explain(await firm.load(), PORT)
    assert (found.path, found.value, found.default, found.origin, found.overridden) == (PORT, 8385, 8385, None, ())
    assert found.text == catalogue()[PORT].text


async def test_the_winner_and_every_loser_with_file_line_and_reason(firm: Firm) -> None:
    firm.write("config/system-DEMO-EMEA.json", port(2))
    firm.write("low/system.json", port(3))
    firm.write("high/system.json", '{"gw":\n {"configuration":\n  {"port": 4}}}')
    firm.write("same/system.json", port(5))
    declared = [path("low", priority=5), path("same", priority=7), path("high", priority=7)]
    firm.system(*declared, env="DEMO", region="EMEA", **port(1))
    found = explain(await firm.load(), PORT)
    assert (found.value, found.default) == (4, 8385)
    assert found.origin is not None
    assert (Path(found.origin.file), found.origin.line) == (firm.root / "high" / "system.json", 3)
    assert [(loser.value, loser.reason) for loser in found.overridden] == [
        (5, "comes before high, which has the same priority 7"),
        (3, "priority 5 is lower than 7 of high"),
        (2, "priority 1 is lower than 7 of high"),
        (1, "priority 1 is lower than 7 of high"),
    ]
    assert [Path(loser.where.file).name for loser in found.overridden][2:] == ["system-DEMO-EMEA.json", "system.json"]


async def test_the_file_of_the_pair_wins_over_the_base_file_of_its_source(firm: Firm) -> None:
    firm.system(env="DEMO", region="EMEA", build="base")
    firm.write("config/system-DEMO-EMEA.json", {"build": "pair"})
    (loser,) = explain(await firm.load(), "build").overridden
    assert loser.reason == "system-DEMO-EMEA.json of the same source overrides it"


async def test_a_remote_value_of_a_local_only_setting_lost_for_that_reason(firm: Firm) -> None:
    async with running(serving({"system.json": {"contents": {"splash": {"width": 9}}}})) as server:
        firm.system(rest(server.url), splash={"width": 5})
        found = explain(await firm.load(), "splash.width")
    assert found.value == 5
    assert [(loser.value, loser.reason) for loser in found.overridden] == [
        (9, "must be set locally; the value of a remote source is ignored")
    ]


async def test_a_file_that_is_fetched_but_not_applied_lost_for_that_reason(firm: Firm) -> None:
    firm.write("more/system.json", port(3))
    firm.system(path("more", configs="themes.json"))
    found = explain(await firm.load(), PORT)
    assert found.value == 8385
    assert [loser.reason for loser in found.overridden] == [
        "the configs of this source (themes.json) do not name system.json"
    ]


async def test_a_cached_value_is_marked_with_its_age(firm: Firm) -> None:
    async with running(serving({"system.json": {"contents": port(3)}})) as server:
        firm.system(rest(server.url))
        await firm.load()
    CLOCK.advance(90)
    found = explain(await firm.load(), PORT)
    assert found.origin is not None
    assert (found.value, found.origin.cached, found.origin.age) == (3, True, 90)
    assert any("saved 90 s ago" in note for note in found.notes)


async def test_a_source_that_could_not_be_asked_is_named(firm: Firm) -> None:
    async with down() as dead:
        firm.system(rest(dead.url, required=True))
        early = load_early(firm.start())
        loaded = finalize(early, await fetch_sources(early, sleep=firm.slept, save=False))
    (note,) = explain(loaded, PORT).notes
    assert "was not available: the connection failed" in note


async def test_an_invalid_value_leaves_the_default_effective_with_a_note(firm: Firm) -> None:
    firm.system(splash={"width": "wide"})
    found = explain(await firm.load(), "splash.width")
    assert (found.value, found.default) == (350, 350)
    assert found.origin is not None
    assert ["must be a number" in note for note in found.notes] == [True]


async def test_defaults_are_those_of_the_effective_mode(firm: Firm) -> None:
    assert explain(await firm.load(), "windowManagement.group.type").value == "Web"
    firm.system(advancedMode=True)
    found = explain(await firm.load(), "windowManagement.group.type")
    assert (found.value, found.default) == ("Classic", "Classic")
    assert explain(await firm.load(), "advancedMode").default is False


async def test_an_object_written_in_one_place_has_that_origin_and_in_several_the_origin_of_each_part(
    firm: Firm,
) -> None:
    firm.system(splash={"width": 1, "height": 2})
    found = explain(await firm.load(), "splash")
    assert found.origin is not None
    assert found.members == ()
    firm.write("more/system.json", {"splash": {"width": 3}})
    firm.system(path("more"), splash={"width": 1, "height": 2})
    found = explain(await firm.load(), "splash")
    assert found.origin is None
    assert {member.path: Path(member.where.file).parent.name for member in found.members} == {
        "splash.width": "more",
        "splash.height": "config",
    }


async def test_a_value_inside_an_object_that_a_scalar_replaced_lost_to_it(firm: Firm) -> None:
    firm.write("more/system.json", {"proxy": "none"})
    firm.system(path("more"), proxy={"mode": "auto"})
    found = explain(await firm.load(), "proxy.mode")
    assert found.value is None
    assert [(loser.value, loser.reason) for loser in found.overridden] == [
        ("auto", "priority 1 is lower than 1000 of more")
    ]


async def test_items_of_arrays_can_be_explained_and_credentials_are_not_shown(firm: Firm) -> None:
    firm.system(path("more"), rest("http://ann:secret@127.0.0.1:9/x?token=t", restUseCache=False))
    loaded = await firm.load()
    found = explain(loaded, "systemConfigurations.sources[1].source")
    assert found.value == "http://…@127.0.0.1:9/x?token=t"
    assert explain(loaded, "systemConfigurations.sources[0].type").value == "path"
    assert "secret" not in repr(explain(loaded, "systemConfigurations"))


async def test_an_unknown_setting_is_reported_with_the_nearest_name(firm: Firm) -> None:
    firm.system(splsh={"width": 1})
    found = explain(await firm.load(), "splsh.width")
    assert not found.known
    assert found.value == 1
    assert found.notes[0] == "unknown setting, has no effect; did you mean splash.width?"


async def test_every_setting_can_be_explained_without_a_server(firm: Firm) -> None:
    async with down() as dead:
        firm.system(rest(dead.url))
        loaded = await firm.load()
    explainer = Explainer(loaded)
    for declared in catalogue():
        for asked in {declared, declared.replace("[]", "[0]")}:
            found = explainer.explain(asked)
            assert (found.path, found.known) == (asked, True)
            assert found.text, asked


async def test_of_each_item_of_an_array_the_values_and_who_wrote_the_array_are_reported(firm: Firm) -> None:
    stores = [{"type": "in-memory"}, {"type": "path", "details": {"path": "apps"}}]
    firm.write("config/system.json", {"appStores": stores})
    found = explain(await firm.load(), "appStores[].type")
    assert (found.value, found.default) == (["in-memory", "path"], None)
    assert found.origin is not None
    assert found.origin.file.endswith("system.json")
    assert found.notes[-1].endswith("appStores[0].type is that of the first")
    assert explain(await firm.load(), "systemConfigurations.sources[].priority").value == [1]


@pytest.mark.long
@given(st.text(max_size=20))
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_any_text_can_be_explained(tmp_path: Path, text: str) -> None:
    firm = Firm(tmp_path)
    early = load_early(firm.start())
    loaded = finalize(early, tuple(Outcome(source, fetched) for source, fetched in early.local.items()))
    assert explain(loaded, text).origin is None
