"""Opening apps, and what apps learn of each other."""

from typing import Any

import pytest

from rostrum.fdc3 import Directory, Limits
from rostrum.fdc3.host import ChoiceCancelled, Chosen, Opened, OpenFailed
from tests.fdc3.platform import CONTACT, INSTRUMENT, RECORDS, App, Platform


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
def grid(platform: Platform) -> App:
    return platform.start("grid")


def test_an_opened_app_is_reported_when_it_is_connected(platform: Platform, grid: App) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart", "instanceId": "ignored"})
    [asked] = platform.opened
    assert (asked.app_id, asked.source) == ("chart", grid.instance_id)
    platform.answer(Opened(request=asked.request, instance_id="of-the-platform"))
    assert grid.take() == []

    chart = platform.start("chart", instance_id="of-the-platform")

    assert grid.response(uuid, "openResponse") == {"appIdentifier": chart.identifier}
    assert chart.instance_id == "of-the-platform"
    assert platform.agent.deadline == platform.now + 30  # the next heartbeat


def test_an_app_that_connects_before_the_platform_answers_is_reported_too(platform: Platform, grid: App) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"})
    [asked] = platform.opened
    chart = platform.start("chart", instance_id=asked.instance_id)
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))

    assert grid.response(uuid, "openResponse") == {"appIdentifier": chart.identifier}


def test_an_opened_app_gets_its_context_when_it_listens_for_it(platform: Platform, grid: App) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"}, context=INSTRUMENT)
    [asked] = platform.opened
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    chart = platform.start("chart", instance_id=asked.instance_id)
    chart.ask("addContextListenerRequest", channelId=None, contextType="fdc3.contact")
    chart.ask("addContextListenerRequest", channelId="red", contextType="fdc3.instrument")
    assert (grid.take(), chart.take()) == ([], [])

    chart.post("addContextListenerRequest", channelId=None, contextType="fdc3.instrument")

    # The client knows its listener only after the response.
    response, event = chart.take()
    assert response["type"] == "addContextListenerResponse"
    assert event["payload"] == {"channelId": None, "context": INSTRUMENT, "originatingApp": grid.identifier}
    assert grid.response(uuid, "openResponse") == {"appIdentifier": chart.identifier}
    chart.ask("addContextListenerRequest", channelId=None, contextType=None)
    assert chart.take() == []


@pytest.mark.parametrize("how", ["never connects", "no listener"])
def test_an_app_that_is_not_ready_in_time_fails(platform: Platform, grid: App, how: str) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"}, context=INSTRUMENT)
    [asked] = platform.opened
    if how == "no listener":
        platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
        platform.start("chart", instance_id=asked.instance_id)
    assert platform.agent.deadline == platform.now + 30
    platform.wait(29.9)
    assert grid.take("openResponse") == []
    platform.wait(0.1)

    assert grid.response(uuid, "openResponse") == {"error": "AppTimeout"}


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("AppNotFound", "AppNotFound"),
        ("ErrorOnLaunch", "ErrorOnLaunch"),
        ("ResolverUnavailable", "ResolverUnavailable"),
        ("anything else", "ErrorOnLaunch"),
    ],
)
def test_the_platform_reports_why_an_app_was_not_opened(platform: Platform, grid: App, said: str, error: str) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"})
    platform.answer(OpenFailed(request=platform.opened[0].request, error=said))

    assert grid.response(uuid, "openResponse") == {"error": error}


def test_an_app_that_ends_before_it_gets_its_context_fails(platform: Platform, grid: App) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"}, context=INSTRUMENT)
    [asked] = platform.opened
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    platform.end(platform.start("chart", instance_id=asked.instance_id))

    assert grid.response(uuid, "openResponse") == {"error": "ErrorOnLaunch"}


def test_another_app_in_the_opened_window_is_not_the_opened_app(platform: Platform, grid: App) -> None:
    uuid = grid.post("openRequest", app={"appId": "chart"})
    [asked] = platform.opened
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    platform.start("news", instance_id=asked.instance_id)

    assert grid.response(uuid, "openResponse") == {"error": "ErrorOnLaunch"}


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        ({"app": {"appId": "nowhere"}}, "AppNotFound"),
        ({"app": {"appId": "chart", "desktopAgent": "other"}}, "DesktopAgentNotFound"),
        ({"app": {"appId": "chart"}, "context": {"type": ""}}, "MalformedContext"),
    ],
)
def test_apps_that_cannot_be_opened_are_refused(
    platform: Platform, grid: App, payload: dict[str, Any], error: str
) -> None:
    assert grid.ask("openRequest", **payload) == {"error": error}
    assert platform.opened == []


def test_the_opened_app_gets_its_context_also_when_its_opener_has_ended(platform: Platform, grid: App) -> None:
    grid.post("openRequest", app={"appId": "chart"}, context=INSTRUMENT)
    [asked] = platform.opened
    source = grid.identifier
    platform.end(grid)
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    chart = platform.start("chart", instance_id=asked.instance_id)
    chart.ask("addContextListenerRequest", channelId=None, contextType=None)

    assert [event["originatingApp"] for event in chart.payloads("broadcastEvent")] == [source]


def test_the_number_of_apps_that_are_being_opened_is_limited() -> None:
    platform = Platform(limits=Limits(pending=1))
    grid = platform.start("grid")
    grid.post("openRequest", app={"appId": "chart"})

    assert grid.ask("openRequest", app={"appId": "chart"}) == {"error": "ErrorOnLaunch"}
    assert len(platform.opened) == 1


def test_answers_that_fit_to_no_question_have_no_effect(platform: Platform, grid: App) -> None:
    grid.post("openRequest", app={"appId": "chart"})
    request = platform.opened[0].request
    platform.answer(Opened(request="other", instance_id="x"))
    platform.answer(OpenFailed(request="other"))
    platform.answer(Chosen(request=request, intent="ViewChart", app_id="chart"))
    platform.answer(ChoiceCancelled(request=request))
    assert grid.take() == []

    grid.post("raiseIntentRequest", intent="StartChat", context=CONTACT)
    choice = platform.choices[0].request
    platform.answer(Opened(request=choice, instance_id="x"))
    platform.answer(OpenFailed(request=choice))
    assert grid.take() == []


def test_running_instances_of_an_app_are_found(platform: Platform, grid: App) -> None:
    first, second = platform.start("chart"), platform.start("chart")
    platform.connect("chart")

    found = grid.ask("findInstancesRequest", app={"appId": "chart"})["appIdentifiers"]

    assert [one["instanceId"] for one in found] == [first.instance_id, second.instance_id]
    assert grid.ask("findInstancesRequest", app={"appId": "mail"}) == {"appIdentifiers": []}
    assert grid.ask("findInstancesRequest", app={"appId": "nowhere"}) == {"error": "NoAppsFound"}
    other = grid.ask("findInstancesRequest", app={"appId": "chart", "desktopAgent": "x"})
    assert other == {"error": "DesktopAgentNotFound"}
    platform.end(first)
    found = grid.ask("findInstancesRequest", app={"appId": "chart"})["appIdentifiers"]
    assert [one["instanceId"] for one in found] == [second.instance_id]


def test_apps_and_instances_are_described(platform: Platform, grid: App) -> None:
    expected = {
        "appId": "grid",
        "title": "Grid",
        "version": "1.2",
        "description": "A grid",
        "icons": [{"src": "i.png", "size": "16x16"}],
    }
    assert grid.ask("getAppMetadataRequest", app={"appId": "grid"}) == {"appMetadata": expected}
    answer = grid.ask("getAppMetadataRequest", app=grid.identifier)
    assert answer == {"appMetadata": {**expected, "instanceId": grid.instance_id}}

    def error(**app: str) -> Any:
        return grid.ask("getAppMetadataRequest", app=app)["error"]

    assert error(appId="nowhere") == "TargetAppUnavailable"
    assert error(appId="grid", instanceId="nobody") == "TargetInstanceUnavailable"
    assert error(appId="chart", instanceId=grid.instance_id) == "TargetInstanceUnavailable"
    assert error(appId="grid", desktopAgent="other") == "DesktopAgentNotFound"


def test_the_agent_describes_itself_and_the_app_that_asks(grid: App) -> None:
    found = grid.ask("getInfoRequest")["implementationMetadata"]

    assert (found["provider"], found["providerVersion"], found["fdc3Version"]) == ("Rostrum", "1.2.3", "2.2")
    assert found["appMetadata"]["instanceId"] == grid.instance_id
    assert found["optionalFeatures"] == {
        "OriginatingAppMetadata": True,
        "UserChannelMembershipAPIs": True,
        "DesktopAgentBridging": False,
    }


def test_a_new_directory_counts_at_once_and_running_apps_stay(platform: Platform, grid: App) -> None:
    records = [one for one in RECORDS if one["appId"] == "mail"]
    platform.do(platform.agent.replace_directory(Directory(records), platform.now))

    assert grid.ask("openRequest", app={"appId": "chart"}) == {"error": "AppNotFound"}
    info = grid.ask("getInfoRequest")["implementationMetadata"]
    assert info["appMetadata"] == {"appId": "grid", "instanceId": grid.instance_id}
    assert [one["appId"] for one in platform.agent.instances] == ["grid"]
