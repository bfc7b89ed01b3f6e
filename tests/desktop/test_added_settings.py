"""Settings of existing installations that the specification does not have: each has its effect on a running desktop."""

import sys
from typing import Any

import pytest

from rostrum.desktop.errors import StartFailed
from rostrum.desktop.services.instances import Ended
from tests.desktop.test_platform import APPS, Desk, desk, program, until
from tests.sources.server import answering, in_turn, running, serving, slow

__all__ = ["desk"]

SEEN = "import os; open('seen', 'w').write(os.environ.get('SITE', '-') + os.environ.get('GONE', '-'))"


async def test_the_start_does_not_wait_longer_for_app_stores_than_it_may(desk: Desk) -> None:
    desk.write_app("clock")
    async with slow() as store:
        remote: dict[str, Any] = {"type": "rest", "details": {"url": store.url}}
        members: dict[str, Any] = {"appStores": [remote, *APPS["appStores"]], "appStoresTimeout": 200}
        desk.system(**members)
        with pytest.raises(StartFailed, match=r"not available within 0\.2 s \(appStoresTimeout\)"):
            await desk.platform().start()
        own = {"enabled": True, "title": "No apps", "body": "Call the help desk"}
        desk.system(**members, appStoresCustomError=own)
        with pytest.raises(StartFailed, match=r"^stores: No apps: Call the help desk \(a required app store"):
            await desk.platform().start()
        remote["isRequired"] = False
        desk.system(**members)
        async with desk.running() as platform:
            assert list(platform.stores.apps.apps) == ["clock"]
            assert "appStoresTimeout" in str(platform.status()["problems"])


async def test_a_desktop_without_any_app_may_refuse_to_start(desk: Desk) -> None:
    desk.system(shutdownOnEmptyAppList=True)
    with pytest.raises(StartFailed, match="no app store has an app"):
        await desk.platform().start()
    desk.write_app("clock")
    desk.system(**APPS, shutdownOnEmptyAppList=True)
    async with desk.running():
        pass


@pytest.mark.parametrize("closes", [False, True])
async def test_instances_of_an_app_whose_definition_is_removed_stay_or_are_closed(desk: Desk, closes: bool) -> None:
    desk.write_app("clock")
    desk.write_app("mail")
    desk.system(**APPS, closeRunningInstancesOnAppRemoved=closes)
    async with desk.running() as platform:
        ended: list[Ended] = []
        platform.services.instances.ended.connect(ended.append)
        for name in ("clock", "mail"):
            await platform.services.instances.start(name)
        (desk.root / "apps" / "clock.json").unlink()
        await platform.services.control.refresh()
        if closes:
            await until(lambda: bool(ended))
        assert [one.app for one in platform.services.instances.all] == (["mail"] if closes else ["clock", "mail"])


async def test_apps_get_the_variables_of_the_settings_and_node_apps_the_chosen_program(desk: Desk) -> None:
    details = {"command": sys.executable, "parameters": f'-c "{SEEN}"', "path": "."}
    desk.write_app("tool", type="exe", details=details, autoStart=True)
    script, by_node = desk.root / "script.py", desk.root / "by_node"
    script.write_text(f"open({str(by_node)!r}, 'w').write('ran')")
    desk.write_app("script", type="node", details={"path": str(script), "nodeCLIOptions": ""}, autoStart=True)
    variables = {"SITE": "%CITY%-1", "GONE": "", "PYTHON": sys.executable}
    desk.system(**APPS, envVars={"set": variables}, nodePath="%PYTHON%")
    async with desk.running(CITY="Oslo", GONE="no") as platform:
        await until(lambda: not platform.services.instances.all)
        assert platform.status()["problems"] == []
    assert (desk.root / "seen").read_text() == "Oslo-1-"
    assert by_node.read_text() == "ran"


async def test_a_remote_source_chooses_no_program(desk: Desk) -> None:
    contents = {"nodePath": "/bin/false", "envVars": {"set": {"SITE": "remote"}}}
    async with running(serving({"system.json": {"contents": contents}})) as source:
        desk.system(systemConfigurations={"sources": [{"type": "rest", "source": source.url}]})
        async with desk.running() as platform:
            assert platform.settings.node_path is None
            assert platform.configuration.loaded.variables["SITE"] == "remote"


async def test_crash_reports_name_company_and_product_and_can_be_switched_off(desk: Desk) -> None:
    desk.write_app("bad", **program("raise SystemExit(7)"))
    names = {"companyName": "Harbour", "productName": "Harbour Desk"}
    async with running(serving({"id": "1"})) as receiver:
        output = {"type": "server", "serverUrl": f"http://127.0.0.1:{receiver.port}/api/crashes"}
        for enabled in (False, True):
            desk.system(**APPS, crashReporter={"enabled": enabled, **names, "output": output})
            async with desk.running() as platform:
                await platform.services.instances.start("bad")
                await until(lambda: not platform.services.instances.all)
                await until(lambda: not platform.crashes.waiting)
    (request,) = receiver.requests
    assert b"Harbour Desk" in request.body
    assert b"_companyName" in request.body


async def test_a_manager_that_cannot_be_reached_at_the_start_is_tried_again(desk: Desk) -> None:
    async with running(answering(503)) as away, running(in_turn(answering(503), answering(401))) as late:
        for manager, reason in ((away, "cannot be reached"), (late, "does not accept")):
            address = f"http://127.0.0.1:{manager.port}/api"
            desk.system(server={"enabled": True, "url": address, "startRetries": 2, "startRetryInterval": 0.01})
            with pytest.raises(StartFailed, match=reason):
                await desk.platform().start()
        assert [request.path for request in away.requests] == ["/api/health/live", "/api/health/live", "/api/me"]
        # Any answer ends the waiting.
        assert [request.path for request in late.requests] == ["/api/health/live", "/api/health/live", "/api/me"]
