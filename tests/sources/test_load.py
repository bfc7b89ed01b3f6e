"""Loading of the configuration: local files, declared sources, the 9.0 stream, stored files and reported problems."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from rostrum import PLATFORM_VERSION
from rostrum.settings.catalogue import local_only_paths
from rostrum.sources.errors import RemoteConfigFailed, RequiredSourceFailed
from rostrum.sources.explain import in_force
from rostrum.sources.load import fetch_sources, finalize, load_all, load_early
from rostrum.sources.locate import Arguments
from rostrum.sources.source import RequestIdentity
from tests.sources.firm import CLOCK, Firm, path, rest
from tests.sources.server import ANSWER, Request, down, response, running, serving


@pytest.fixture
def firm(tmp_path: Path) -> Firm:
    return Firm(tmp_path)


def answer(**system: Any) -> Any:
    return serving({"system.json": {"contents": system}})


@pytest.mark.rule("R-2.6-1", "R-2.8-9")
async def test_without_declared_sources_the_configuration_folder_is_all(firm: Firm) -> None:
    firm.system(build="local", gw={"configuration": {"port": 9000}})
    loaded = await firm.load()
    assert loaded.settings.build == "local"
    assert loaded.settings.gw.configuration.port == 9000
    assert [outcome.source.source for outcome in loaded.combined.sources] == ["./config"]
    assert loaded.problems == ()


@pytest.mark.rule("R-2.8-15")
async def test_a_declared_source_goes_over_the_configuration_folder_which_stays(firm: Firm) -> None:
    firm.write("more/system.json", {"build": "more"})
    firm.system(path("more"), build="local", uiVersion="local")
    loaded = await firm.load()
    assert (loaded.settings.build, loaded.settings.ui_version) == ("more", "local")


async def test_a_declaration_of_the_configuration_folder_itself_gives_it_another_rank(firm: Firm) -> None:
    firm.write("more/system.json", {"build": "more"})
    firm.system(path("more"), path("./config", priority=2000), build="local")
    loaded = await firm.load()
    assert loaded.settings.build == "local"
    assert [outcome.source.source for outcome in loaded.combined.sources] == ["more", "./config"]


@pytest.mark.rule("R-1-14", "R-2.8-14")
async def test_equal_priorities_merge_in_the_order_declared_local_and_remote_alike(firm: Firm) -> None:
    firm.write("last/system.json", {"build": "last"})
    async with running(answer(build="first", uiVersion="first")) as server:
        firm.system(rest(server.url), path("last"))
        loaded = await firm.load()
    assert (loaded.settings.build, loaded.settings.ui_version) == ("last", "first")


@pytest.mark.rule("R-2.8-1", "T-D-5")
async def test_nothing_is_merged_before_the_last_source_has_answered(firm: Firm) -> None:
    waiting = asyncio.Event()
    go_on = asyncio.Event()

    async def late(_: Request) -> bytes:
        waiting.set()
        await go_on.wait()
        return response(200, json.dumps(ANSWER).encode())

    async with running(late) as slow, running(answer(uiVersion="quick")) as quick:
        firm.system(rest(quick.url), rest(slow.url))
        loading = asyncio.create_task(firm.load())
        await asyncio.wait_for(waiting.wait(), 30)
        assert not loading.done()
        assert not (firm.root / "UserData" / "configOverrides" / "system.json").exists()
        go_on.set()
        loaded = await loading
    assert (loaded.settings.build, loaded.settings.ui_version) == ("remote", "quick")


@pytest.mark.rule("R-2.8-2", "X-7-2", "T-D-3")
async def test_a_required_source_that_fails_stops_the_start_and_keeps_what_was_saved(firm: Firm) -> None:
    async with running(answer(build="saved")) as server:
        firm.system(rest(server.url))
        await firm.load()
    async with down() as dead:
        firm.system(rest(server.url), rest(dead.url, required=True))
        with pytest.raises(RequiredSourceFailed, match=r"127\.0\.0\.1"):
            await firm.load()
    saved = json.loads((firm.root / "UserData" / "configOverrides" / "system.json").read_text())
    assert saved == {"build": "saved"}


@pytest.mark.rule("R-2.8-3", "X-7-3", "T-D-4")
async def test_a_source_that_is_not_required_fails_alone(firm: Firm) -> None:
    async with down() as dead:
        firm.system(rest(dead.url), build="local")
        loaded = await firm.load()
    assert loaded.settings.build == "local"
    assert ["the connection failed" in problem.message for problem in loaded.problems] == [True]


async def test_a_required_source_that_cannot_be_understood_stops_the_start(firm: Firm) -> None:
    firm.system({"type": "rest", "required": True})
    with pytest.raises(RequiredSourceFailed, match=r"systemConfigurations\.sources\[0\]: is invalid"):
        await firm.load()


def test_a_local_file_that_cannot_be_read_stops_the_start(firm: Firm) -> None:
    firm.write("config/system.json", "{")
    with pytest.raises(RequiredSourceFailed, match=r"system\.json"):
        firm.early()


@pytest.mark.rule("R-2.8-4")
async def test_remote_files_are_saved_for_the_environment_and_region(firm: Firm) -> None:
    files = {"system.json": {"contents": {"build": "r"}}, "custom.json": {"contents": {"a": 1}}}
    async with running(serving(files)) as server:
        firm.system(rest(server.url), env="DEMO", region="EMEA")
        loaded = await firm.load()
    folder = firm.root / "UserData" / "DEMO-EMEA" / "configOverrides"
    assert {file.name: json.loads(file.read_text()) for file in folder.glob("*.json")} == {
        "system.json": {"build": "r"},
        "custom.json": {"a": 1},
    }
    assert loaded.combined.files["custom.json"].document == {"a": 1}


@pytest.mark.rule("R-2.8-5")
async def test_custom_files_come_from_remote_sources_only(firm: Firm) -> None:
    firm.write("config/custom.json", {"local": True})
    loaded = await firm.load()
    assert "custom.json" not in loaded.combined.files
    assert ["custom file" in problem.message for problem in loaded.problems] == [True]


async def test_looking_without_saving_leaves_no_file_behind(firm: Firm) -> None:
    async with running(serving(ANSWER)) as server:
        firm.system(rest(server.url))
        await firm.load(save=False)
    assert not (firm.root / "UserData").exists()


@pytest.mark.rule("R-2.8-20", "T-D-6")
async def test_a_dead_server_is_replaced_by_what_it_last_answered_and_the_age_is_reported(firm: Firm) -> None:
    async with running(serving(ANSWER)) as server:
        firm.system(rest(server.url))
        await firm.load()
    CLOCK.advance(60)
    loaded = await firm.load()
    assert loaded.settings.build == "remote"
    assert [(one.fetched.status, one.fetched.age) for one in loaded.combined.sources] == [("ok", None), ("cached", 60)]
    firm.system(rest(server.url, restUseCache=False))
    assert (await firm.load()).settings.build is None


def sample(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    document: Any = value
    for step in reversed(path):
        document = {step: document}
    return dict(document)


LOCAL = {
    ("advancedMode",): (True, False),
    ("allowMultipleInstances",): ("never", "inDifferentEnvRegion"),
    ("env",): ("DEMO", "OTHER"),
    ("region",): ("EMEA", "OTHER"),
    ("folders",): ({"cache": "mine", "userData": "mine"}, {"cache": "other", "userData": "other"}),
    ("splash",): ({"width": 10}, {"width": 20}),
    ("windowManagement", "hardwareAcceleration", "enabled"): (True, False),
}


@pytest.mark.rule("R-2.8-6")
@pytest.mark.parametrize("steps", local_only_paths())
async def test_a_local_only_setting_keeps_its_local_value_whatever_remote_sources_say(
    firm: Firm, steps: tuple[str, ...]
) -> None:
    mine, other = LOCAL.get(steps, ("mine", "other"))
    async with running(serving({"system.json": {"contents": sample(steps, other)}})) as server:
        firm.system(rest(server.url), **sample(steps, mine))
        loaded = await firm.load()
    firm.system(**sample(steps, mine))
    alone = await firm.load()
    without = {"systemConfigurations"}
    assert {k: v for k, v in in_force(loaded.settings).items() if k not in without} == {
        k: v for k, v in in_force(alone.settings).items() if k not in without
    }
    told = [problem for problem in loaded.problems if "must be set locally" in problem.message]
    assert [problem.path for problem in told] == [".".join(steps)]


@pytest.mark.rule("R-2.8-8")
async def test_early_settings_are_the_local_ones_and_remote_ones_come_later(firm: Firm) -> None:
    async with running(answer(build="remote", uiVersion="remote")) as server:
        firm.write("more/system.json", {"splash": {"width": 20}})
        firm.system(path("more"), rest(server.url), build="local", splash={"width": 10})
        early = firm.early()
        loaded = await load_all(early, sleep=firm.slept, clock=CLOCK)
    assert (early.settings.build, early.settings.ui_version) == ("local", None)
    assert (loaded.settings.build, loaded.settings.ui_version) == ("remote", "remote")
    # What must be local is the same early and late, wherever on this machine it was written.
    assert early.settings.splash == loaded.settings.splash
    assert early.settings.splash.width == 20


def test_early_settings_do_not_have_the_others(firm: Firm) -> None:
    assert not hasattr(firm.early().settings, "gw")


async def test_only_the_base_files_determine_which_files_are_read(firm: Firm) -> None:
    ignored = {"env": "X", "region": "Y", "systemConfigurations": {"sources": [path("third")]}}
    firm.write("third/system.json", {"build": "third"})
    firm.write("more/system.json", ignored)
    firm.system(path("more"), env="DEMO", region="EMEA")
    loaded = await firm.load()
    assert (loaded.settings.env, loaded.settings.region, loaded.settings.build) == ("DEMO", "EMEA", None)
    told = [problem.path for problem in loaded.problems if "decides which files are read" in problem.message]
    assert told == ["env", "region", "systemConfigurations"]


@pytest.mark.rule("R-2.11-4")
async def test_the_file_of_the_pair_goes_over_the_base_file(firm: Firm) -> None:
    firm.system(env="DEMO", region="EMEA", build="base", uiVersion="base")
    firm.write("config/system-DEMO-EMEA.json", {"build": "pair"})
    firm.write("config/system-UAT-EMEA.json", {"build": "uat"})
    loaded = await firm.load()
    assert (loaded.settings.build, loaded.settings.ui_version) == ("pair", "base")
    other = await firm.load(env="UAT")
    assert (other.settings.build, other.early.pair.name) == ("uat", "UAT-EMEA")


@pytest.mark.rule("R-2.11-6")
async def test_files_of_the_command_line_go_over_the_base_file(firm: Firm) -> None:
    firm.write("other/base.json", {"build": "base", "uiVersion": "base", "env": "E"})
    firm.write("a.json", {"build": "a", "uiVersion": "a"})
    firm.write("b.json", {"uiVersion": "b"})
    loaded = await firm.load(arguments=Arguments(base="other/base.json", overrides=("a.json", "b.json")))
    settings = loaded.settings
    assert (settings.build, settings.ui_version, settings.env) == ("a", "b", "E")


@pytest.mark.rule("R-2.8-16")
async def test_sources_are_asked_for_the_platform_version_unless_another_is_chosen(firm: Firm) -> None:
    async with running(serving(ANSWER)) as server:
        firm.system(rest(server.url, impersonation={"user": "ann", "group": "g"}))
        await firm.load(save=False)
        await firm.load(save=False, version="10.0.3")
        firm.system(rest(server.url, impersonation={"user": "ann", "group": "g", "version": "9.9"}))
        await firm.load(save=False)
        await firm.load(save=False, impersonation=RequestIdentity(user="bob", group=None, version="10.1"))
    assert [request.json for request in server.requests] == [
        {"user": "ann", "group": "g", "version": PLATFORM_VERSION},
        {"user": "ann", "group": "g", "version": "10.0.3"},
        {"user": "ann", "group": "g", "version": "9.9"},
        {"user": "bob", "group": "g", "version": "10.1"},
    ]


@pytest.mark.rule("R-2.8-10")
async def test_environment_variables_stand_in_sources_and_an_unknown_one_is_reported(firm: Firm) -> None:
    firm.write("more/system.json", {"build": "more"})
    firm.system(path("%WHERE%"), path("${NOPE}/x"))
    loaded = await firm.load(variables={"WHERE": "more"})
    assert loaded.settings.build == "more"
    assert "there is no environment variable NOPE" in [problem.message for problem in loaded.problems]


async def test_problems_name_the_file_line_and_column_they_stand_in(firm: Firm) -> None:
    firm.write("more/system.json", '{\n  "splash": {\n    "width": "wide"}}')
    firm.system(path("more"))
    (problem,) = (await firm.load()).problems
    assert (Path(problem.file), problem.line, problem.column) == (firm.root / "more" / "system.json", 3, 5)
    assert problem.path == "splash.width"


async def test_a_failed_save_is_reported_and_the_start_continues(firm: Firm) -> None:
    firm.write("UserData", "a file where a folder should be")
    async with running(serving(ANSWER)) as server:
        firm.system(rest(server.url))
        loaded = await firm.load()
    assert loaded.settings.build == "remote"
    assert any("cannot be saved" in problem.message for problem in loaded.problems)


async def test_a_failed_required_source_can_still_be_looked_at(firm: Firm) -> None:
    async with down() as dead:
        firm.system(rest(dead.url, required=True), build="local")
        early = load_early(firm.start())
        loaded = finalize(early, await fetch_sources(early, sleep=firm.slept, clock=CLOCK, save=False))
    assert loaded.settings.build == "local"
    assert [outcome.fetched.status for outcome in loaded.combined.sources] == ["ok", "failed"]


# The 9.0 stream


def gild(firm: Firm, name: str = "gilding.json", **remote: Any) -> None:
    firm.write(
        f"config/{name}", {"remoteConfig": {"enabled": True, **remote}, "envVars": {"set": {"A": "1", "B": "2"}}}
    )


@pytest.mark.rule("R-2.9-3", "R-2.9-15", "R-2.9-16", "R-2.9-17")
async def test_the_9_stream_fetches_the_files_of_its_gilding_file_and_ignores_sources(firm: Firm) -> None:
    firm.write("more/system.json", {"build": "more"})
    firm.system(path("more"), build="local")
    files = {
        "system.json": {"contents": {"build": "r"}},
        "env.json": {"contents": {"set": {"A": "", "B": "3", "C": 4}}},
    }
    async with running(serving(files)) as server:
        gild(firm, url=server.url, impersonation={"user": "ann", "version": "9.9"})
        loaded = await firm.load(version="9.9", variables={"PATH": "/bin"})
    assert loaded.settings.build == "r"
    assert [request.json for request in server.requests] == [{"user": "ann", "version": "9.9"}]
    assert loaded.early.variables == {"PATH": "/bin", "A": "1", "B": "2"}
    assert loaded.variables == {"PATH": "/bin", "B": "3", "C": "4"}
    assert json.loads((firm.root / "UserData" / "configOverrides" / "system.json").read_text()) == {"build": "r"}


@pytest.mark.rule("R-2.9-16")
async def test_before_9_9_a_remote_env_file_changes_no_variable(firm: Firm) -> None:
    async with running(serving({"env.json": {"contents": {"set": {"A": "x"}}}})) as server:
        gild(firm, url=server.url)
        loaded = await firm.load(version="9.8")
    assert loaded.variables == {"A": "1", "B": "2"}
    assert [request.json for request in server.requests] == [{"version": "9.8"}]


@pytest.mark.rule("R-2.9-1", "R-9-2")
async def test_the_10_stream_ignores_the_gilding_file(firm: Firm) -> None:
    async with running(serving(ANSWER)) as server:
        gild(firm, url=server.url)
        loaded = await firm.load()
    assert server.requests == []
    assert loaded.variables == {}


@pytest.mark.rule("R-2.9-4", "X-D-1", "X-7-6", "T-D-9")
async def test_the_9_stream_stops_when_fetching_fails_unless_it_may_go_on(firm: Firm) -> None:
    async with down() as dead:
        gild(firm, url=dead.url)
        with pytest.raises(RemoteConfigFailed):
            await firm.load(version="9.9")
        gild(firm, url=dead.url, continueOnError=True)
        loaded = await firm.load(version="9.9")
    assert any("the connection failed" in problem.message for problem in loaded.problems)


@pytest.mark.rule("R-2.9-10", "R-2.9-11", "R-2.9-12", "X-D-7")
async def test_the_9_stream_reports_missing_local_keys_and_files(firm: Firm) -> None:
    async with running(serving(ANSWER)) as server:
        gild(firm, url=server.url)
        loaded = await firm.load(version="9.9")
    told = {problem.path for problem in loaded.problems if "local system.json" in problem.message}
    assert {"region", "env", "folders", "flash", "build"} <= told
    assert any("logger.json must exist locally" in problem.message for problem in loaded.problems)


@pytest.mark.rule("R-2.9-13", "R-2.9-14")
async def test_the_gilding_file_is_the_one_of_the_pair_or_of_the_command_line(firm: Firm) -> None:
    firm.system(env="DEMO", region="EMEA")
    async with running(answer(build="pair")) as pair, running(answer(build="named")) as named:
        gild(firm, "gilding-demo-emea.json", url=pair.url)
        gild(firm, "mine.json", url=named.url)
        assert (await firm.load(version="9.9")).settings.build == "pair"
        loaded = await firm.load(version="9.9", arguments=Arguments(gilding_file="mine.json"))
        assert not any("custom file" in problem.message for problem in loaded.problems)
    assert loaded.settings.build == "named"


def test_a_gilding_file_that_cannot_be_read_stops_the_start(firm: Firm) -> None:
    firm.write("config/gilding.json", "{")
    with pytest.raises(RequiredSourceFailed, match=r"gilding\.json"):
        firm.early(version="9.9")
