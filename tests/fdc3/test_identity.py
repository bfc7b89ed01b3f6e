"""Who is at the other end: validation of identity, coming back, leaving, heartbeats."""

import uuid

import pytest

from rostrum.fdc3 import Limits, Timeouts
from tests.fdc3.platform import CONTACT, INSTRUMENT, ORIGIN, App, Platform


@pytest.fixture
def platform() -> Platform:
    return Platform()


def listen(app: App) -> None:
    app.ask("addContextListenerRequest", channelId="red", contextType=None)


def test_an_app_gets_an_identity_that_is_unique_across_machines(platform: Platform) -> None:
    first, second = platform.connect("chart"), platform.connect("chart")
    payload = first.validate()["payload"]
    second.validate()

    assert payload["appId"] == "chart"
    assert payload["implementationMetadata"]["appMetadata"]["instanceId"] == first.instance_id
    known = {first.instance_id, first.secret, second.instance_id, second.secret}
    assert len(known) == 4
    assert {uuid.UUID(one).version for one in known} == {4}


@pytest.mark.parametrize(
    ("members", "is_accepted"),
    [
        ({"identityUrl": f"{ORIGIN}/chart"}, True),
        ({"identityUrl": f"{ORIGIN}/chart/index.html?more=1#there"}, True),
        ({"identityUrl": f"{ORIGIN}:443/chart/"}, True),
        ({"identityUrl": f"{ORIGIN}/other/"}, False),
        ({"identityUrl": "https://evil.example/chart/"}, False),
        ({"actualUrl": "https://evil.example/chart/"}, False),
        ({"identityUrl": f"{ORIGIN}:8443/chart/"}, False),
        ({"identityUrl": "http://apps.example/chart/"}, False),
        ({"identityUrl": "https://apps.example.evil.example/chart/"}, False),
        ({"identityUrl": f"{ORIGIN}:99999/chart/"}, False),
    ],
)
def test_window_origin_and_directory_record_must_agree(
    platform: Platform, members: dict[str, str], is_accepted: bool
) -> None:
    app = platform.connect("chart")
    answer = app.validate(**members)

    assert answer["type"] == f"WCP5ValidateAppIdentity{'' if is_accepted else 'Failed'}Response"
    assert len(platform.agent.instances) == is_accepted


def test_the_page_of_another_app_is_refused_in_the_window_of_an_app(platform: Platform) -> None:
    app = platform.connect("news", app_id="chart")
    answer = app.validate()

    assert answer["type"] == "WCP5ValidateAppIdentityFailedResponse"
    assert "no app that the user may use here" in answer["payload"]["message"]
    assert platform.start("chart", app_id="chart").app_id == "chart"


def test_the_address_with_most_in_common_decides_between_apps_on_one_page() -> None:
    def page(app_id: str, ending: str) -> dict[str, object]:
        return {"appId": app_id, "type": "web", "details": {"url": f"{ORIGIN}/shared{ending}"}}

    platform = Platform(records=[page("plain", ""), page("query", "?view=a"), page("both", "?view=a&more=b#c")])

    def found(ending: str) -> str:
        app = platform.connect("plain")
        url = f"{ORIGIN}/shared{ending}"
        app_id: str = app.validate(identityUrl=url, actualUrl=url)["payload"]["appId"]
        return app_id

    assert found("") == found("?view=b") == "plain"
    assert found("?x=1&view=a") == found("?view=a&more=b") == "query"
    assert found("?more=b&view=a#c") == "both"


def test_programs_are_the_app_that_the_platform_started(platform: Platform) -> None:
    program = platform.connect("mail", origin=None, app_id="mail")
    assert program.validate()["payload"]["appId"] == "mail"
    unknown = platform.connect("mail", origin=None)
    assert unknown.validate()["type"] == "WCP5ValidateAppIdentityFailedResponse"
    removed = platform.connect("mail", origin=None, app_id="removed")
    assert removed.validate()["type"] == "WCP5ValidateAppIdentityFailedResponse"


def test_requests_before_the_validation_are_ignored(platform: Platform) -> None:
    app = platform.connect("chart")
    app.post("getInfoRequest")

    assert app.take() == []
    [refusal] = platform.refusals
    assert (refusal.error, refusal.text) == ("", "WCP4ValidateAppIdentity must come first")


def test_a_page_that_is_loaded_again_is_the_same_instance_on_the_same_channel(platform: Platform) -> None:
    before = platform.start("chart", place="window-1")
    before.ask("joinUserChannelRequest", channelId="green")
    listen(before)
    before.goodbye()
    assert platform.agent.instances == []
    platform.end(before)

    after = platform.connect("chart", place="window-1")
    after.validate(instanceId=before.instance_id, instanceUuid=before.secret)

    assert (after.instance_id, after.secret) == (before.instance_id, before.secret)
    assert after.ask("getCurrentChannelRequest")["channel"]["id"] == "green"
    platform.start("news").ask("broadcastRequest", channelId="red", context=CONTACT)
    assert after.take() == []  # the new page has no listeners yet


def test_a_page_that_is_loaded_again_without_a_goodbye_is_the_same_instance(platform: Platform) -> None:
    before = platform.start("chart", place="window-1")
    listen(before)
    after = platform.connect("chart", place="window-1")
    after.validate(instanceId=before.instance_id, instanceUuid=before.secret)

    assert after.instance_id == before.instance_id
    assert len(platform.agent.instances) == 1
    before.post("getInfoRequest")
    assert before.take() == []
    platform.end(before)
    assert after.ask("getInfoRequest")["implementationMetadata"]


def test_the_platform_states_the_identity_of_a_window_that_cannot_store_its_secret(platform: Platform) -> None:
    before = platform.start("chart", place="window-1", instance_id="one")
    before.ask("joinUserChannelRequest", channelId="red")
    assert platform.start("chart", place="window-1", instance_id="one").instance_id == "one"
    elsewhere = platform.connect("chart", place="window-2", instance_id="one")
    assert elsewhere.validate()["type"] == "WCP5ValidateAppIdentityFailedResponse"


@pytest.mark.parametrize("how", ["other window", "other secret", "other app", "too late", "no secret"])
def test_an_identity_is_bound_to_its_window_secret_app_and_time(platform: Platform, how: str) -> None:
    before = platform.start("chart", place="window-1")
    if how in ("other app", "too late"):
        platform.end(before)
    if how == "too late":
        assert platform.agent.deadline == platform.now + 60
        platform.wait(60)
        assert platform.agent.is_idle
    app_id = "news" if how == "other app" else "chart"
    after = platform.connect(app_id, place="window-2" if how == "other window" else "window-1")
    secret = {"instanceUuid": "x" if how == "other secret" else before.secret}
    after.validate(instanceId=before.instance_id, **({} if how == "no secret" else secret))

    assert after.instance_id not in ("", before.instance_id)
    assert after.secret != before.secret


def test_a_connection_belongs_to_one_instance(platform: Platform) -> None:
    app = platform.start("chart")
    before = app.identifier
    assert app.validate()["type"] == "WCP5ValidateAppIdentityFailedResponse"
    again = app.validate(instanceId=app.instance_id, instanceUuid=app.secret)
    assert again["payload"]["instanceId"] == before["instanceId"]
    assert len(platform.agent.instances) == 1


def test_an_interrupted_instance_keeps_all_it_has_and_gets_what_it_missed(platform: Platform) -> None:
    chart, news = platform.start("chart", place="window-1"), platform.start("news")
    listen(chart)
    platform.do(platform.agent.suspend(chart.connection, platform.now))
    for context in (INSTRUMENT, CONTACT):
        news.ask("broadcastRequest", channelId="red", context=context)

    again = platform.connect("chart", place="window-1")
    outputs = platform.agent.resume(again.connection, chart.instance_id, chart.secret, platform.now)
    assert outputs is not None
    platform.do(outputs)
    news.ask("broadcastRequest", channelId="red", context=CONTACT)

    contexts = [event["context"] for event in again.payloads("broadcastEvent")]
    assert contexts == [INSTRUMENT, CONTACT, CONTACT]


def test_an_instance_is_resumed_only_in_its_window_with_its_secret_and_in_time(platform: Platform) -> None:
    chart = platform.start("chart", place="window-1")
    agent = platform.agent
    second = platform.connect("chart", place="window-1")
    assert agent.resume(second.connection, chart.instance_id, chart.secret, platform.now) is None
    platform.do(agent.suspend(chart.connection, platform.now))
    elsewhere = platform.connect("chart", place="window-2")

    assert agent.resume(elsewhere.connection, chart.instance_id, chart.secret, platform.now) is None
    assert agent.resume(second.connection, chart.instance_id, "x", platform.now) is None
    assert agent.resume("nothing", chart.instance_id, chart.secret, platform.now) is None
    busy = platform.start("news", place="window-1")
    assert agent.resume(busy.connection, chart.instance_id, chart.secret, platform.now) is None
    platform.wait(60)
    assert agent.resume(second.connection, chart.instance_id, chart.secret, platform.now) is None
    assert [one["appId"] for one in agent.instances] == ["news"]


def test_the_messages_for_an_interrupted_instance_are_limited() -> None:
    platform = Platform(limits=Limits(queued_bytes=1000), timeouts=Timeouts(heartbeat=0))
    chart, news = platform.start("chart", place="window-1"), platform.start("news")
    listen(chart)
    platform.do(platform.agent.suspend(chart.connection, platform.now))
    for _ in range(20):
        news.ask("broadcastRequest", channelId="red", context=CONTACT)
    again = platform.connect("chart", place="window-1")
    platform.do(platform.agent.resume(again.connection, chart.instance_id, chart.secret, platform.now) or [])

    assert 0 < len(again.take("broadcastEvent")) < 5


def test_apps_get_heartbeats_and_those_that_do_not_answer_end(platform: Platform) -> None:
    alive, silent = platform.start("chart"), platform.start("news")
    for _ in range(6):
        assert platform.agent.deadline == platform.now + 30
        platform.wait(30)
        [beat] = alive.take("heartbeatEvent")
        alive.post("heartbeatAcknowledgementRequest", heartbeatEventUuid=beat["meta"]["eventUuid"])
        assert alive.take() == []

    assert [one.connection for one in platform.closed] == [silent.connection]
    assert [one["appId"] for one in platform.agent.instances] == ["chart"]


def test_an_agent_without_apps_waits_for_nothing(platform: Platform) -> None:
    app = platform.start("chart")
    assert not platform.agent.is_idle
    platform.end(app)
    platform.do(platform.agent.disconnect("unknown", platform.now))
    platform.do(platform.agent.suspend("unknown", platform.now))
    platform.wait(60)

    assert platform.agent.deadline is None
    assert platform.agent.is_idle


def test_the_numbers_of_connections_instances_and_departed_identities_are_limited() -> None:
    platform = Platform(limits=Limits(connections=2, instances=1, departed=1))
    first = platform.start("chart", place="1")
    second = platform.connect("chart", place="2")
    assert second.validate()["type"] == "WCP5ValidateAppIdentityFailedResponse"
    assert not platform.agent.connect("third", platform.now, origin=ORIGIN)
    assert not platform.agent.connect(first.connection, platform.now, origin=ORIGIN)

    first.goodbye()
    second.validate()
    second.goodbye()
    first.validate(instanceId=first.instance_id, instanceUuid=first.secret)
    assert first.instance_id != second.instance_id
    assert len(platform.agent.instances) == 1


def test_users_never_see_each_other() -> None:
    ada, bob = Platform(), Platform()
    chart, spy = ada.start("chart", place="window-1"), bob.connect("chart", place="window-1")
    spy.validate(instanceId=chart.instance_id, instanceUuid=chart.secret)
    assert spy.instance_id != chart.instance_id
    listen(spy)
    chart.ask("broadcastRequest", channelId="red", context=CONTACT)

    assert spy.take() == []
    answer = spy.ask("getAppMetadataRequest", app=chart.identifier)
    assert answer == {"error": "TargetInstanceUnavailable"}
