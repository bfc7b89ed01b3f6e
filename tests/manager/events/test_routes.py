"""The event stream: who hears what, how a client resumes, and when its stream ends."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.manager.event_streams import Stream, basic, listening

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}
LAYOUT = {"name": "Morning", "type": "Workspace", "components": [{"type": "Workspace", "state": {"children": []}}]}
DAY = 24 * 60 * 60


async def make(api: Api, path: str, body: Any, status: int = 201) -> Any:
    answer = await api.admin.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def ready(stream: Stream) -> int:
    """Take the first event of a new client: the revision from which on it hears."""
    event = await stream.event()
    assert event.name == "ready"
    assert event.id == str(event.revision)
    return event.revision


def words_of(user: str) -> dict[str, str]:
    return basic(user, f"{user}-password")


async def open_session(api: Api, user: str) -> tuple[str, dict[str, str]]:
    """Open a client session: its id, and the header that its token makes."""
    answer = await api.client((user, f"{user}-password")).post("/sessions", json={"machine": {"name": "pc"}})
    return answer.json()["id"], {"authorization": f"Bearer {answer.json()['token']}"}


async def test_a_new_client_receives_the_revision_at_which_its_stream_starts(api: Api) -> None:
    async with listening(api) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream"
        assert stream.headers["cache-control"] == "no-store"
        first = await ready(stream)
        await make(api, "/admin/apps", {"definition": APP})

        event = await stream.event()

    assert (event.name, event.revision, event.id) == ("apps", first + 1, str(first + 1))


async def test_the_event_stream_requires_credentials(api: Api) -> None:
    async with listening(api, {}) as stream:
        assert stream.status == 401
        assert "realm" in stream.headers["www-authenticate"]


async def test_cookie_basic_and_bearer_all_do(api: Api) -> None:
    cookie = (await api.admin.get("/me")).cookies["PLATFORM_SESSION"]
    _, bearer = await open_session(api, "admin")
    for number, headers in enumerate(({"cookie": f"PLATFORM_SESSION={cookie}"}, bearer, basic(*ADMIN))):
        async with listening(api, headers) as stream:
            await ready(stream)
            await make(api, "/admin/prefs", {"user": "admin", "app": f"app {number}", "data": {}})
            assert (await stream.event()).name == "prefs"


async def test_the_session_cookie_of_a_client_goes_to_no_other(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")

    cookies = [(await client.head("/events")).headers.get_list("set-cookie") for client in (ann, bob, api.admin)]

    assert [len(each) for each in cookies] == [1, 1, 1]
    claims = [each[0].split(".")[1] for each in cookies]
    users = [json.loads(b64decode(claim + "=" * (-len(claim) % 4), "-_"))["sub"] for claim in claims]
    assert users == ["ann", "bob", "admin"]


@pytest.mark.rule("R-6-2")
async def test_each_kind_is_reported_by_its_name(api: Api) -> None:
    session, _ = await open_session(api, "admin")
    async with listening(api) as stream:
        at = await ready(stream)
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        await api.admin.patch("/admin/apps/blotter", json={"disabled": True})
        await api.admin.delete("/admin/apps/blotter")
        assert await stream.events(3) == [("apps", at + 1), ("apps", at + 2), ("apps", at + 3)]

        layout = await make(api, "/admin/layouts", {"definition": LAYOUT, "owner": "*", "public": True})
        await api.admin.post("/layouts/default", json={"name": "Morning", "type": "Workspace"})
        await api.admin.delete(f"/admin/layouts/{layout['id']}")
        assert [name for name, _ in await stream.events(3)] == ["layouts"] * 3

        preference = await make(api, "/admin/prefs", {"user": "admin", "app": "blotter", "data": {}})
        await api.admin.patch(f"/admin/prefs/{preference['id']}", json={"data": {"a": 1}})
        await api.admin.delete(f"/admin/prefs/{preference['id']}")
        assert [name for name, _ in await stream.events(3)] == ["prefs"] * 3

        config = await make(api, "/admin/configs", {"file": "system.json", "contents": {}})
        await api.admin.patch(f"/admin/configs/{config['id']}", json={"contents": {"a": 1}})
        await api.admin.delete(f"/admin/configs/{config['id']}")
        assert [name for name, _ in await stream.events(3)] == ["systemConfig"] * 3

        sent = await make(api, "/admin/commands", {"session": session, "command": "Restart"})
        await api.admin.delete(f"/admin/commands/{sent['items'][0]['id']}")
        assert [name for name, _ in await stream.events(2)] == ["commands"] * 2


async def test_a_client_is_not_notified_of_documents_of_others(api: Api) -> None:
    ann = await api.add_user("ann")
    await api.add_user("bob", "Desk")
    session, _ = await open_session(api, "ann")
    async with listening(api, words_of("ann")) as mine, listening(api, words_of("bob")) as other:
        await ready(mine)
        await ready(other)
        await make(api, "/admin/prefs", {"user": "ann", "app": "blotter", "data": {}})
        assert (await ann.post("/layouts", json={"layout": LAYOUT})).status_code < 300
        await make(api, "/admin/configs", {"file": "system.json", "contents": {}, "user": "ann"})
        await make(api, "/admin/commands", {"session": session, "command": "Restart"})
        await api.admin.patch("/admin/users/ann", json={"apps": ["blotter"]})
        await make(api, "/admin/apps", {"definition": APP})
        await api.admin.patch("/admin/apps/blotter", json={"accessList": ["Desk"]})

        kinds = [name for name, _ in await mine.events(6)]
        assert kinds == ["prefs", "layouts", "systemConfig", "commands", "apps", "apps"]
        # The last change is the first that concerns the other one.
        assert (await other.event()).name == "apps"


async def test_a_layout_concerns_others_as_soon_as_or_as_long_as_they_see_it(api: Api) -> None:
    await api.add_user("ann")
    await api.add_user("bob", "Desk")
    made = await make(api, "/admin/layouts", {"definition": LAYOUT, "owner": "ann"})
    address = f"/admin/layouts/{made['id']}"
    async with listening(api, words_of("bob")) as other:
        at = await ready(other)
        steps: list[dict[str, Any]] = [
            {"public": True},
            {"public": False},
            {"accessList": ["Desk"]},
            {"accessList": []},
        ]
        for body in steps:
            assert (await api.admin.patch(address, json=body)).status_code == 200
        assert await other.events(4) == [("layouts", at + number) for number in range(1, 5)]

        await api.admin.patch("/admin/users/bob", json={"layouts": [made["id"]]})
        await api.admin.patch(address, json={"disabled": True})
        await api.admin.delete(address)
        assert await other.events(3) == [("layouts", at + number) for number in range(5, 8)]


async def test_a_change_of_groups_concerns_their_members_in_every_respect(api: Api) -> None:
    await api.add_user("ann", "Desk")
    async with listening(api, words_of("ann")) as stream:
        at = await ready(stream)
        await api.admin.patch("/admin/groups/Desk", json={"expandsTo": ["Trading"]})
        await api.admin.patch("/admin/users/ann", json={"groups": ["Trading"]})
        await api.admin.delete("/admin/groups/Trading")

        each = ("apps", "layouts", "systemConfig")
        expected = [(kind, at + number) for number in (1, 2, 3) for kind in each]
        assert await stream.events(9) == expected


async def test_events_of_one_revision_have_one_id_and_the_last_of_them_carries_it(api: Api) -> None:
    async with listening(api) as stream:
        at = await ready(stream)
        await make(api, "/admin/groups", {"name": "Desk", "priority": 1})

        events = [await stream.event() for _ in range(3)]

    assert [event.id for event in events] == [None, None, str(at + 1)]


async def test_who_missed_nothing_gets_no_event(api: Api) -> None:
    async with listening(api) as stream:
        at = await ready(stream)
    async with listening(api, {**basic(*ADMIN), "last-event-id": str(at)}) as stream:
        await make(api, "/admin/apps", {"definition": APP})
        assert (await stream.event()).revision == at + 1
        assert stream.retry > 0


async def test_who_missed_only_what_concerns_others_gets_no_event(api: Api) -> None:
    await api.add_user("ann")
    async with listening(api, words_of("ann")) as stream:
        at = await ready(stream)
    await make(api, "/admin/prefs", {"user": "admin", "app": "blotter", "data": {}})
    async with listening(api, words_of("ann"), f"lastEventId={at}") as stream:
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        assert await stream.events(1) == [("apps", at + 2)]


async def test_administrators_of_a_kind_are_notified_of_changes_for_others(api: Api) -> None:
    """Their lists show it; what they administer does not concern their own desktop, so nothing is pending there."""
    await api.add_user("ann", "PLATFORM_MANAGER:APPS:READ")
    await api.add_user("bob", "Desk")
    async with listening(api, words_of("ann")) as stream:
        at = await ready(stream)
        await make(api, "/admin/configs", {"file": "system.json", "contents": {}, "group": "Desk"})
        await make(api, "/admin/apps", {"definition": APP, "accessList": ["Desk"]})
        assert await stream.events(1) == [("apps", at + 2)]
    async with listening(api, words_of("ann"), f"lastEventId={at}") as stream:
        assert await stream.events(1) == [("apps", at + 2)]
    await open_session(api, "ann")
    due = (await api.admin.get("/admin/sessions/receipts?kind=apps")).json()["items"]
    assert [(item["user"], item["due"]) for item in due] == [("ann", 0)]


async def test_a_client_that_was_away_gets_the_kinds_that_changed_meanwhile(api: Api) -> None:
    await api.add_user("ann")
    async with listening(api, words_of("ann")) as stream:
        at = await ready(stream)
    await make(api, "/admin/apps", {"definition": APP})
    await api.admin.patch("/admin/apps/blotter", json={"public": True})
    await make(api, "/admin/prefs", {"user": "ann", "app": "blotter", "data": {}})
    await make(api, "/admin/prefs", {"user": "admin", "app": "blotter", "data": {}})

    for headers, query in (
        ({**words_of("ann"), "last-event-id": str(at)}, ""),
        (words_of("ann"), f"lastEventId={at}"),
    ):
        async with listening(api, headers, query) as stream:
            assert await stream.events(2) == [("apps", at + 2), ("prefs", at + 3)]
    async with listening(api, words_of("ann"), f"lastEventId={at + 2}") as stream:
        assert await stream.events(1) == [("prefs", at + 3)]


@pytest.mark.parametrize("known", ["999999", "-1", "", "x", "1e3", "٣", "9" * 5000])
async def test_a_client_with_an_impossible_revision_must_fetch_everything(api: Api, known: str) -> None:
    async with listening(api, query=f"lastEventId={known}") as stream:
        event = await stream.event()
        assert (event.name, event.id) == ("reset", str(event.revision))
        await make(api, "/admin/apps", {"definition": APP})
        assert await stream.events(1) == [("apps", event.revision + 1)]


async def test_a_client_is_notified_of_commands_of_its_session_only(api: Api) -> None:
    await api.add_user("ann")
    one, its_token = await open_session(api, "ann")
    two, _ = await open_session(api, "ann")
    async with (
        listening(api, its_token) as by_token,
        listening(api, words_of("ann"), f"session={one}") as by_choice,
        listening(api, words_of("ann")) as any_of_mine,
    ):
        at = await ready(by_token)
        await ready(by_choice)
        await ready(any_of_mine)
        await make(api, "/admin/commands", {"session": two, "command": "Restart"})
        await make(api, "/admin/commands", {"session": one, "command": "Restart"})
        assert await by_token.events(1) == await by_choice.events(1) == [("commands", at + 2)]
        assert await any_of_mine.events(2) == [("commands", at + 1), ("commands", at + 2)]
    async with listening(api, its_token, f"lastEventId={at}") as again:
        assert await again.events(1) == [("commands", at + 2)]


async def test_a_session_must_be_ones_own_and_open(api: Api) -> None:
    await api.add_user("ann")
    session, _ = await open_session(api, "ann")
    async with listening(api, query=f"session={session}") as others:
        assert others.status == 404
    await api.client(("ann", "ann-password")).delete(f"/sessions/{session}")
    async with listening(api, words_of("ann"), f"session={session}") as ended:
        assert ended.status == 409


@pytest.mark.long
async def test_a_client_that_reads_slowly_gets_only_the_newest_revision_of_each_kind(api: Api) -> None:
    async with listening(api) as stream:
        at = await ready(stream)
        stream.stop_reading()
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        for number in range(20):
            await api.admin.patch("/admin/apps/blotter", json={"disabled": number % 2 == 0})
            await make(api, "/admin/prefs", {"user": "admin", "app": f"app {number}", "data": {}})
        stream.read_on()

        # One that it was being sent, then one of each kind.
        assert await stream.events(3) == [("apps", at + 1), ("apps", at + 40), ("prefs", at + 41)]


async def test_head_returns_the_headers_and_ends(api: Api) -> None:
    async with listening(api, method="HEAD") as stream:
        await stream.end()
        assert (stream.status, stream.headers["content-type"], stream.text) == (200, "text/event-stream", "")


async def test_clients_are_asked_to_reconnect_after_times_of_their_own(api: Api) -> None:
    times = set()
    for _ in range(20):
        async with listening(api) as stream:
            await ready(stream)
            times.add(stream.retry)

    assert len(times) > 5
    assert all(1000 <= time <= 5000 for time in times)


async def test_silence_is_broken_by_heartbeats(api: Api, clock: SettableClock) -> None:
    async with listening(api) as stream:
        await ready(stream)
        for beats in (1, 2):
            clock.advance(30)
            api.app._live.hub.tick()
            await stream.until(":\n\n" * beats)


@pytest.fixture
async def narrow(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    config = manager_config(sqlite, events={"perUser": 2, "total": 3})
    async with running_api(config, clock) as running:
        yield running


async def test_a_user_has_only_so_many_streams_and_so_has_the_server(narrow: Api) -> None:
    await narrow.add_user("ann")
    async with listening(narrow) as first, listening(narrow) as second:
        async with listening(narrow) as third:
            assert (third.status, third.headers["retry-after"]) == (429, "30")
            assert "2 event streams" in third.text
        async with listening(narrow, words_of("ann")) as others:
            assert others.status == 200
            async with listening(narrow, words_of("ann")) as full:
                assert full.status == 429
        await first.close()
        async with listening(narrow) as again:
            assert again.status == second.status == 200


async def left(api: Api, user: str) -> int:
    """How many streams of a user the server has open."""
    return len(api.app._live.hub._of_user.get(user, ()))


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("PATCH", "/admin/users/ann", {"disabled": True}),
        ("PATCH", "/admin/users/ann", {"password": "another password"}),
        ("PATCH", "/admin/users/ann", {"password": None}),
        ("DELETE", "/admin/users/ann", None),
    ],
)
async def test_every_stream_ends_at_once_when_the_user_may_not_sign_in_any_more(
    api: Api, method: str, address: str, body: Any
) -> None:
    ann = await api.add_user("ann")
    cookie = (await ann.get("/me")).cookies["PLATFORM_SESSION"]
    _, bearer = await open_session(api, "ann")
    async with (
        listening(api, words_of("ann")) as one,
        listening(api, {"cookie": f"PLATFORM_SESSION={cookie}"}) as two,
        listening(api, bearer) as three,
        listening(api) as other,
    ):
        assert await left(api, "ann") == 3
        assert (await api.admin.request(method, address, json=body)).is_success
        for stream in (one, two, three):
            await stream.end()
        assert await left(api, "ann") == 0
        assert not other.ended


async def test_signing_out_ends_the_streams_of_that_sign_in_only(api: Api) -> None:
    ann = await api.add_user("ann")
    cookies = [{"cookie": f"PLATFORM_SESSION={(await ann.get('/me')).cookies['PLATFORM_SESSION']}"} for _ in range(2)]
    origin = {"origin": "http://manager.example.com"}
    async with listening(api, cookies[0]) as here, listening(api, cookies[1]) as elsewhere:
        await ready(elsewhere)
        left_open = await api.client().post("/logout", headers={**cookies[0], **origin})
        assert left_open.status_code == 204
        await here.end()
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        assert (await elsewhere.event()).name == "apps"


@pytest.mark.parametrize("by", ["client", "administrator"])
async def test_the_end_of_a_client_session_ends_its_stream_only(api: Api, by: str) -> None:
    ann = await api.add_user("ann")
    one, its_token = await open_session(api, "ann")
    _, other_token = await open_session(api, "ann")
    async with (
        listening(api, its_token) as mine,
        listening(api, words_of("ann"), f"session={one}") as chosen,
        listening(api, other_token) as other,
    ):
        await ready(other)
        client, address = (ann, f"/sessions/{one}") if by == "client" else (api.admin, f"/admin/sessions/{one}")
        assert (await client.delete(address)).status_code == 204
        await mine.end()
        await chosen.end()
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        assert (await other.event()).name == "apps"


async def test_a_stream_ends_when_its_sign_in_expires(api: Api, clock: SettableClock) -> None:
    cookie = (await api.admin.get("/me")).cookies["PLATFORM_SESSION"]
    async with listening(api, {"cookie": f"PLATFORM_SESSION={cookie}"}) as stream:
        await ready(stream)
        clock.advance(3599)
        api.app._live.hub.tick()
        await stream.until(":\n\n")
        clock.advance(1)
        api.app._live.hub.tick()
        await stream.end()


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_setting_the_clock_neither_shortens_nor_lengthens_a_stream(
    api: Api, clock: SettableClock, jump: int
) -> None:
    cookie = (await api.admin.get("/me")).cookies["PLATFORM_SESSION"]
    async with listening(api, {"cookie": f"PLATFORM_SESSION={cookie}"}) as stream:
        await ready(stream)
        clock.jump(jump)
        clock.advance(1800)
        api.app._live.hub.tick()
        await make(api, "/admin/apps", {"definition": APP, "public": True})
        assert (await stream.event()).name == "apps"
        clock.advance(1800)
        api.app._live.hub.tick()
        await stream.end()


async def test_a_client_that_goes_away_is_forgotten(api: Api) -> None:
    async with listening(api) as stream:
        await ready(stream)
        assert await left(api, "admin") == 1
        await stream.close()
        assert await left(api, "admin") == 0
    assert not api.app._live.hub._of_user


async def test_stopping_ends_every_stream_and_lets_no_new_one_stay(api: Api) -> None:
    async with listening(api) as one, listening(api) as two:
        api.app.stop()
        await asyncio.gather(one.end(), two.end())
    async with listening(api) as late:
        await late.end()
        assert late.status == 200
