"""Search, interception, alerts and channels under every setting."""

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError, Prevented
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.services.search import Search
from rostrum.gateway import Gateway, GatewayOptions
from rostrum.settings.parse import parse_system
from rostrum.settings.problems import Severity
from rostrum.settings.settings import Settings
from rostrum.stores.layouts.store import LayoutKey
from tests.desktop.services.test_notifications import Timer

APPS: dict[str, dict[str, Any]] = {
    "clock": {"title": "World clock", "keywords": ["time"], "caption": "Times of the world"},
    "mail": {"title": "Mail"},
    "secret": {"title": "Mail admin", "hidden": True},
}
LAYOUTS = (LayoutKey("Global", "Mail and time"), LayoutKey("Workspace", "Time sheet"))
ACTIONS = {"exit": "Exit for some time"}


def settings(**document: Any) -> Settings:
    parsed = parse_system(document)
    assert [problem for problem in parsed.problems if problem.severity is not Severity.NOTE] == []
    return parsed.settings


def search(**members: Any) -> Search:
    return Search(settings(searchProvider=members).search_provider, lambda: APPS, lambda: LAYOUTS, lambda: ACTIONS)


@pytest.mark.setting("searchProvider.types")
@pytest.mark.rule("R-2.15-13")
def test_all_four_kinds_are_found_by_default_and_fewer_when_set() -> None:
    assert {one.type for one in search().find("time")} == {"application", "layout", "workspace", "action"}
    assert {one.type for one in search(types=["layout"]).find("time")} == {"layout"}
    assert {one.type for one in search().find("time", types=["action"])} == {"action"}
    assert search(types=["layout"]).find("time", types=["action"]) == []


def test_titles_that_fit_best_come_first_and_hidden_apps_do_not_come() -> None:
    assert [one.title for one in search().find("mail")] == ["Mail", "Mail and time"]
    assert [one.id for one in search().find("TIMES world")] == ["clock"]
    assert search().find("  ") == []
    assert len(search().find("time", limit=1)) == 1


@pytest.mark.setting("searchProvider.enabled")
def test_a_disabled_search_is_reported() -> None:
    with pytest.raises(DesktopError, match=r"searchProvider\.enabled"):
        search(enabled=False).find("x")


async def untouched(operation: Operation) -> Operation | None:
    return operation


@pytest.mark.setting("interception.enabled", "interception.applications")
@pytest.mark.rule("R-2.15-14")
@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, r"interception\.enabled"),
        ({"enabled": True}, "other may not intercept"),
        ({"enabled": True, "applications": ["guard"]}, "other may not intercept"),
    ],
)
def test_only_listed_apps_may_intercept_and_only_when_it_is_on(members: Any, message: str) -> None:
    interceptors = Interceptors(settings(interception=members).interception, {"Apps.Start"})
    with pytest.raises(DesktopError, match=message):
        interceptors.register("other", "Apps", "Start", untouched, caller="p1")


async def test_a_handler_changes_or_prevents_an_operation_until_it_is_removed_or_its_app_leaves() -> None:
    allowed = settings(interception={"enabled": True, "applications": ["guard"]}).interception
    interceptors = Interceptors(allowed, {"Apps.Start"})
    answers: list[Operation | None] = [Operation(area="Apps", name="Start", arguments="other"), None]

    async def handler(_: Operation) -> Operation | None:
        return answers.pop(0)

    interceptors.register("guard", "Apps", "Start", handler, caller="p1")
    with pytest.raises(DesktopError, match="intercepted by guard already"):
        interceptors.register("guard", "Apps", "Start", handler, caller="p2")
    asked = Operation(area="Apps", name="Start", arguments="clock", caller="p3")
    assert (await interceptors.passed(asked)).arguments == "other"
    with pytest.raises(Prevented, match=r"Apps\.Start was prevented by guard"):
        await interceptors.passed(asked)
    own = replace(asked, caller="p1")
    assert await interceptors.passed(own) is own
    with pytest.raises(DesktopError, match=r"does not intercept Apps\.Start"):
        interceptors.remove("Apps", "Start", caller="p2")
    interceptors.remove("Apps", "Start", caller="p1")
    assert await interceptors.passed(asked) is asked
    interceptors.register("guard", "Apps", "Start", handler, caller="p1")
    interceptors.forget("p2")
    interceptors.forget("p1")
    assert await interceptors.passed(asked) is asked


@pytest.mark.setting(
    "alerts.height", "alerts.width", "alerts.ttl", "alerts.roundedCorners", "alerts.transparent", "alerts.url"
)
@pytest.mark.rule("L-D-16")
@pytest.mark.rule("R-2.15-11")
async def test_an_alert_has_its_size_look_and_page_and_goes_after_a_while() -> None:
    host, timer, numbers = RecordingHost(), Timer(), count(1)
    members = {
        "width": 300,
        "height": 50,
        "ttl": 7000,
        "roundedCorners": True,
        "transparent": False,
        "url": "https://a",
    }
    alerts = Alerts(settings(alerts=members).alerts, host, new_id=lambda: str(next(numbers)), sleep=timer)
    await alerts.show("saved")
    window = host.windows["1"]
    assert window.bounds is not None
    assert (window.bounds.width, window.bounds.height) == (300, 50)
    assert {name: window.details[name] for name in ("url", "roundedCorners", "transparent", "text")} == {
        "url": "https://a?text=saved",
        "roundedCorners": True,
        "transparent": False,
        "text": "saved",
    }
    assert await timer.ring() == 7
    assert host.windows == {}
    await alerts.close()


@pytest.mark.rule("L-D-16")
async def test_an_alert_goes_after_five_seconds_by_default() -> None:
    timer = Timer()
    alerts = Alerts(settings().alerts, RecordingHost(), new_id=lambda: "1", sleep=timer)
    await alerts.show("saved")
    assert await timer.ring() == 5
    await alerts.close()


@pytest.mark.setting("alerts.enabled")
async def test_alerts_that_are_off_are_not_shown() -> None:
    host = RecordingHost()
    assert await Alerts(settings(alerts={"enabled": False}).alerts, host, new_id=str).show("x") is None
    assert host.windows == {}


RED = {"name": "Red", "meta": {"color": "red"}}


@pytest.mark.setting("channels.definitions")
async def test_channels_live_in_shared_contexts_and_have_members() -> None:
    gateway = Gateway(GatewayOptions(port=0))
    await gateway.start()
    peer = await gateway.local_peer("platform", "ann")
    other = await gateway.local_peer("app", "ann")
    channels = Channels(settings(channels={"definitions": [RED]}).channels, peer.contexts)
    await channels.open()
    heard: list[tuple[str, tuple[str, ...]]] = []
    channels.joined.connect(lambda one: heard.append((one.instance, one.channels)))
    channels.join("i1", "Red")
    await channels.publish("Red", {"ticker": "ABC"})
    await channels.publish("Red", {"side": "buy"})
    assert await channels.data("Red") == {"ticker": "ABC", "side": "buy"}
    seen = await other.contexts.get("___channel___Red")
    assert (seen["meta"], seen["data"]["ticker"]) == ({"color": "red"}, "ABC")
    assert channels.of("i1") == ("Red",)
    channels.leave("i1")
    assert (channels.of("i1"), heard) == ((), [("i1", ("Red",)), ("i1", ())])
    with pytest.raises(DesktopError, match="there is no channel 'Blue'"):
        channels.join("i1", "Blue")
    await gateway.stop()


@pytest.mark.setting("channels.enabled")
async def test_channels_that_are_off_are_not_there() -> None:
    gateway = Gateway(GatewayOptions(port=0))
    await gateway.start()
    peer = await gateway.local_peer("platform", "ann")
    channels = Channels(settings(channels={"enabled": False, "definitions": [RED]}).channels, peer.contexts)
    await channels.open()
    assert (channels.names, peer.contexts.names) == ((), [])
    with pytest.raises(DesktopError, match=r"channels\.enabled"):
        channels.join("i1", "Red")
    await gateway.stop()
