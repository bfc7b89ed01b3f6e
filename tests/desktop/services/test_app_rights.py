"""What apps can do with windows, preferences and notifications of other apps, and what the settings change."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from rostrum.desktop.platform import Platform
from tests.desktop.test_identities import Program, bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk

__all__ = ["desk"]

WINDOW_COMMANDS: dict[str, tuple[str, dict[str, Any]]] = {
    "navigate": ("navigation", {"url": "https://hostile.example/sign-in"}),
    "goBack": ("navigation", {}),
    "goForward": ("navigation", {}),
    "downloadURL": ("downloads", {"url": "data:text/plain,x"}),
    "print": ("printing", {}),
    "printToPDF": ("printing", {}),
    "showDevTools": ("devTools", {}),
    "showDialog": ("dialogs", {"type": "YesNo", "title": "Sign in", "message": "Password?"}),
}
EVERYTHING = {right: ["hostile"] for right, _ in WINDOW_COMMANDS.values()} | {"notificationClicks": ["hostile"]}
NOTHING: dict[str, list[str]] = {"preferences": [], "notifications": []}


@asynccontextmanager
async def two_apps(
    desk: Desk, rights: dict[str, Any] | None = None
) -> AsyncIterator[tuple[Platform, Program, Program, str, str]]:
    """Start two apps; yield the platform, their connections and their instances."""
    for name in ("hostile", "victim"):
        desk.write_app(name, type="window", details={"url": f"https://{name}.example"})
    desk.system(**APPS, appRights=rights or {})
    async with desk.running() as platform, AsyncExitStack() as parts:
        ids = [(await platform.services.instances.start(name)).id for name in ("hostile", "victim")]
        hostile, victim = [
            await parts.enter_async_context(
                signed_in(platform.gateway.address, bearing(platform.services.tokens.token(one)))
            )
            for one in ids
        ]
        yield platform, hostile, victim, ids[0], ids[1]


async def execute(program: Program, method: str, **arguments: Any) -> dict[str, Any]:
    server, number = program.methods[method]
    return await program.ask(domain="agm", type="call", server_id=server, method_id=number, arguments_kv=arguments)


async def reason_of(program: Program, window: str, command: str) -> str:
    """Return the reason for which a command for a window is refused; empty if it is not."""
    options = WINDOW_COMMANDS[command][1]
    answer = await execute(program, "T42.Wnd.Execute", windowId=window, command=command, options=options)
    return str((answer.get("result") or {}).get("errorMsg", ""))


@pytest.mark.long
async def test_windows_of_other_apps_need_a_right(desk: Desk) -> None:
    async with two_apps(desk) as (platform, hostile, _, own, other):
        opened = await execute(hostile, "T42.Wnd.Create", name="mine", url="https://third.example", options={})
        for command, (right, _) in WINDOW_COMMANDS.items():
            assert f"appRights.{right} names the apps" in await reason_of(hostile, other, command)
            for window in (own, opened["result"]["id"]):
                assert "appRights" not in await reason_of(hostile, window, command)
        address = "https://hostile.example"
        assert "appRights.navigation" in await hostile.refused("Windows.Navigate", instance=other, url=address)
        assert [one.url for one in platform.services.windows.registry.all if one.id == other] == [
            "https://victim.example"
        ]
    async with two_apps(desk, EVERYTHING) as (_, hostile, victim, own, other):
        for command, (right, _) in reversed(WINDOW_COMMANDS.items()):
            assert f"appRights.{right}" in await reason_of(victim, own, command)
            assert "appRights" not in await reason_of(hostile, other, command)


async def test_an_app_that_a_program_defines_gets_no_right_by_its_name(desk: Desk) -> None:
    desk.write_app("maker", type="exe", details={"command": "/bin/sleep", "parameters": "60"})
    desk.write_app("victim", type="window", details={"url": "https://victim.example"})
    stores = [*APPS["appStores"], {"type": "in-memory"}]
    desk.system(appStores=stores, appRights={"devTools": ["trusted"]})
    async with desk.running() as platform:
        maker, victim = [(await platform.services.instances.start(name)).id for name in ("maker", "victim")]
        tokens = platform.services.tokens
        async with signed_in(platform.gateway.address, bearing(tokens.token(maker))) as app:
            made = {"name": "trusted", "type": "window", "details": {"url": "https://evil.example"}}
            await app.call("Apps.Add", definitions=[made])
        instance = (await platform.services.instances.start("trusted")).id
        async with signed_in(platform.gateway.address, bearing(tokens.token(instance))) as app:
            assert "trusted may not open developer tools" in await reason_of(app, victim, "showDevTools")


@pytest.mark.parametrize(
    "settings",
    [
        {"interception": {"enabled": True, "applications": ["guard"]}},
        pytest.param({"notifications": {"sourceFilter": {"allowed": ["guard", "hostile"]}}}, marks=pytest.mark.long),
        pytest.param({"appRights": {"navigation": ["guard"]}}, marks=pytest.mark.long),
    ],
)
async def test_a_page_defines_no_app_of_a_name_to_which_settings_give_rights(
    desk: Desk, settings: dict[str, Any]
) -> None:
    desk.write_app("hostile", type="window", details={"url": "https://hostile.example"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}], **settings)
    async with desk.running() as platform:
        instance = (await platform.services.instances.start("hostile")).id
        async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(instance))) as app:
            guard = {"name": "guard", "type": "window", "details": {"url": "https://evil.example"}}
            assert "the settings give rights to this name" in await app.refused("Apps.Add", definitions=[guard])
            await app.call("Apps.Add", definitions=[{**guard, "name": "other"}])


async def test_preferences_of_other_apps_are_shared_unless_configured_otherwise(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, victim, __, ___):
        await victim.call("Preferences.Set", app="victim", data={"a": 1})
        assert (await hostile.call("Preferences.Get", app="victim"))["data"] == {"a": 1}
    async with two_apps(desk, NOTHING) as (_, hostile, victim, __, ___):
        await victim.call("Preferences.Set", app="victim", data={"a": 2})
        await hostile.call("Preferences.Set", app="hostile", data={"b": 1})
        for method in ("Preferences.Get", "Preferences.Set"):
            assert "appRights.preferences" in await hostile.refused(method, app="victim", data={})
        for arguments in ({"app": "victim"}, {"app": "victim", "data": {}}, {"clear": True}):
            name = "T42.Prefs.Get" if arguments == {"app": "victim"} else "T42.Prefs.Set"
            assert "appRights.preferences" in (await execute(hostile, name, **arguments))["reason"]
        listed = (await execute(hostile, "T42.Prefs.Get"))["result"]
        assert listed == {"all": [{"app": "hostile", "data": {"b": 1}}]}
        server, stream = hostile.methods["Rostrum.Preferences.Changes"]
        asked = {"server_id": server, "method_id": stream, "arguments_kv": {"app": "victim"}}
        answer = await hostile.ask(domain="agm", type="subscribe", **asked)
        assert "appRights.preferences" in answer["reason"]
        assert (await victim.call("Preferences.Get", app="victim"))["data"] == {"a": 2}


async def test_an_app_clicks_on_its_own_notifications_only(desk: Desk) -> None:
    async with two_apps(desk) as (platform, hostile, victim, __, ___):
        chosen: list[Any] = []
        platform.services.notifications.chosen.connect(chosen.append)
        raised = await victim.call("Notifications.Raise", title="Transfer?")
        click = {"command": "click", "data": {"id": raised["id"]}}
        assert "appRights.notificationClicks" in await hostile.refused("Notifications.Click", id=raised["id"])
        assert "notificationClicks" in (await execute(hostile, "T42.Notifications.Execute", **click))["reason"]
        assert chosen == []
        # Lists and panels of firms need the others.
        assert len((await hostile.call("Notifications.List"))["notifications"]) == 1
        await execute(victim, "T42.Notifications.Execute", **click)
        assert len(chosen) == 1
    async with two_apps(desk, EVERYTHING) as (platform, hostile, victim, __, ___):
        raised = await victim.call("Notifications.Raise", title="Transfer?")
        await hostile.call("Notifications.Click", id=raised["id"])


async def test_notifications_of_others_are_hidden_if_configured(desk: Desk) -> None:
    async with two_apps(desk, NOTHING) as (platform, hostile, victim, __, ___):
        server, stream = hostile.methods["T42.GNS.Subscribe.Notifications"]
        asked = {"server_id": server, "method_id": stream, "arguments_kv": {"sendDeltaOnly": True}}
        await hostile.ask(domain="agm", type="subscribe", **asked)
        secret = (await victim.call("Notifications.Raise", title="Secret"))["id"]
        server, raises = hostile.methods["Rostrum.Notifications.Raise"]
        own = {"server_id": server, "method_id": raises, "arguments_kv": {"title": "Own"}}
        await hostile.send(domain="agm", type="call", request_id="own", **own)
        events: list[str] = []
        while not any("Own" in one for one in events):
            events.append(str(await hostile.get()))
        assert "Secret" not in str(events)
        listed = (await hostile.call("Notifications.List"))["notifications"]
        assert [one["title"] for one in listed] == ["Own"]
        for command in ("list", "clearAll", "clearAllOld"):
            await execute(hostile, "T42.Notifications.Execute", command=command, data={})
        for command, data in (
            ("clear", {"id": secret}),
            ("snooze", {"id": secret}),
            ("updateState", {"id": secret, "state": "Seen"}),
            ("updateStates", {"notifications": [secret], "state": "Seen"}),
        ):
            answer = await execute(hostile, "T42.Notifications.Execute", command=command, data=data)
            assert "appRights.notifications" in answer["reason"], command
        assert (
            "appRights.notifications" in (await execute(hostile, "T42.Notifications.Configure", enable=False))["reason"]
        )
        assert [one.id for one in platform.services.notifications.kept] == [secret]


async def test_the_method_that_a_notification_names_is_called_by_the_app_that_raised_it(desk: Desk) -> None:
    async with two_apps(desk) as (platform, hostile, victim, own, __):
        method = {"id": "pay", "name": "Pay", "flags": {}}
        await victim.ask(domain="agm", type="register", methods=[method])
        click = {"method": "Pay", "arguments": {"amount": 7}}
        notification = {"title": "News", "clickInterop": click}
        answer = await execute(hostile, "T42.GNS.Publish.RaiseNotification", notification=notification)
        await platform.services.notifications.click(answer["result"]["id"], close=False)
        while (frame := await victim.get())["type"] != "invoke":
            pass
        assert (frame["caller_id"], frame["arguments_kv"]) == (hostile.peer_id, {"amount": 7})
        # The result reaches nobody, and the app goes on.
        await victim.send(domain="agm", type="yield", invocation_id=frame["invocation_id"], result={})
        assert (await hostile.call("Instances.List"))["instances"][0]["id"] == own
        # Nobody is left in whose name it could be called.
        await platform.services.instances.stop(own)
        await platform.services.notifications.click(answer["result"]["id"])
        assert (await victim.call("Notifications.List"))["notifications"] != []


async def test_other_apps_do_not_see_the_password_in_the_address_of_an_app(desk: Desk) -> None:
    desk.write_app("shop", type="window", details={"url": "https://ann:secret@shop.example/@home"})
    async with two_apps(desk) as (platform, hostile, _, __, ___):
        instance = (await platform.services.instances.start("shop")).id
        assert desk.host.windows[instance].details["url"].startswith("https://ann:secret@")
        answers = [
            await execute(hostile, "T42.ACS.GetApplications", v2={}),
            await execute(hostile, "T42.ACS.GetApplications"),
            await hostile.call("Windows.List"),
            await hostile.call("Apps.List"),
        ]
        assert "https://shop.example/@home" in str(answers[0])
        assert "https://shop.example/@home" in str(answers[2])
        assert "secret" not in str(answers)


async def test_an_alert_of_an_app_names_the_app(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, __, ___, ____):
        shown = await hostile.call("Alerts.Show", text="Enter your \u202edrowssap")
        assert desk.host.windows[shown["id"]].details["text"] == "hostile: Enter your drowssap"


@pytest.mark.long
async def test_one_app_does_not_open_all_windows(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, victim, __, ___):

        async def opened(app: Program, number: int) -> dict[str, Any]:
            return await execute(app, "T42.Wnd.Create", name=f"w{number}", url="https://third.example", options={})

        first = [await opened(hostile, number) for number in range(101)]
        assert ["id" in (one.get("result") or {}) for one in first] == [True] * 100 + [False]
        assert "hostile has opened 100 windows" in str(first[-1])
        assert "id" in (await opened(victim, 0))["result"]
        await execute(victim, "T42.Wnd.Execute", windowId=first[0]["result"]["id"], command="close", options={})
        assert "id" in (await opened(hostile, 101))["result"]


async def test_an_app_shows_a_few_alerts_at_a_time(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, victim, __, ___):
        answers = [await hostile.asked("Alerts.Show", text=f"alert {one}") for one in range(20)]
        assert [one["type"] for one in answers] == ["result"] * 3 + ["error"] * 17
        assert "3 alerts at a time" in answers[-1]["reason"]
        await victim.call("Alerts.Show", text="of another app")


@pytest.mark.long
async def test_preferences_under_invented_names_are_limited(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, victim, __, ___):
        large = "x" * (3 * 2**20)
        answers = [await hostile.asked("Preferences.Set", app=f"name {one}", data={"a": large}) for one in range(12)]
        assert [one["type"] for one in answers] == ["result"] * 10 + ["error"] * 2
        assert "all apps together" in answers[-1]["reason"]
        # What is smaller than before can still be saved.
        await hostile.call("Preferences.Set", app="name 0", data={"a": ""})
        await victim.call("Preferences.Set", app="victim", data={"a": 1})


@pytest.mark.long
async def test_a_page_without_the_right_intercepts_nothing_by_any_method(desk: Desk) -> None:
    rights = {"interception": {"enabled": True, "applications": ["guard"]}}
    for name in ("hostile", "victim"):
        desk.write_app(name, type="window", details={"url": f"https://{name}.example"})
    desk.system(**APPS, **rights)
    async with desk.running() as platform:
        ids = [(await platform.services.instances.start(name)).id for name in ("hostile", "victim")]
        hostile_token, victim_token = (bearing(platform.services.tokens.token(one)) for one in ids)
        address, method = platform.gateway.address, "T42.GD.Interception.Execute"
        async with signed_in(address, hostile_token, application="guard") as hostile:
            for name in ("Guard", "T42.GD.Interception.Handler"):
                await hostile.ask(domain="agm", type="register", methods=[{"id": name, "name": name, "flags": {}}])
            for area, operation in (("Apps", "Start"), ("Intents", "Raise"), ("Intents", "FilterHandlers")):
                asked = {"area": area, "operation": operation, "method": "Guard"}
                assert "may not intercept" in await hostile.refused("Interception.Register", **asked)
                asked = {"domain": area, "operation": operation}
                answer = await execute(hostile, method, command="register", interceptions=[asked])
                assert "may not intercept" in str(answer)
            async with signed_in(address, victim_token) as victim:
                shown = {"domain": "intents", "operation": "raise", "phase": "before", "operationArgs": [{"a": 1}]}
                answer = await execute(victim, method, command="raiseInterception", interceptions=[shown])
                assert answer["result"] == {}
                # Until the answer to its own question, the hostile app receives no call.
                await hostile.send(domain="agm", type="register", methods=[], request_id="last")
                while (frame := await hostile.get()).get("request_id") != "last":
                    assert frame["type"] != "invoke", frame


async def test_titles_have_no_characters_that_disguise_them(desk: Desk) -> None:
    desk.write_app("evil", type="window", title="Sign in \u202egpj", details={"url": "https://evil.example"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}])
    async with desk.running() as platform:
        instance = await platform.services.instances.start("evil")
        assert desk.host.windows[instance.id].title == "Sign in gpj"
        token = bearing(platform.services.tokens.token(instance.id))
        async with signed_in(platform.gateway.address, token) as page:
            for command, member in (("setTitle", "title"), ("setTabTitle", "tabTitle")):
                options = {member: "Bank\u202e"}
                await execute(page, "T42.Wnd.Execute", windowId=instance.id, command=command, options=options)
                running = platform.services.instances.get(instance.id)
                assert running is not None
                assert running.title == "Bank"
            tooltip = {"tabTooltip": "a\u202eb"}
            await execute(page, "T42.Wnd.Execute", windowId=instance.id, command="setTabTooltip", options=tooltip)
            assert platform.services.windows.registry.find(instance.id).tab_tooltip == "ab"
            url = "https://evil.example/2"
            created = {"title": "a\u202eb", "tabTooltip": "c\u202ed"}
            await execute(page, "T42.Wnd.Create", name="second", url=url, **created)
            (second,) = (one for one in platform.services.windows.registry.all if one.id != instance.id)
            assert (second.title, second.tab_tooltip) == ("ab", "cd")


@pytest.mark.parametrize("name", ["trader\u202e", "trader ", "tr\u200bader", "tr\u0430der", "TRADER"])
async def test_a_page_defines_no_app_whose_name_looks_like_another_one(desk: Desk, name: str) -> None:
    for one in ("trader", "evil"):
        desk.write_app(one, type="window", details={"url": f"https://{one}.example"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}])
    async with desk.running() as platform:
        instance = await platform.services.instances.start("evil")
        token = bearing(platform.services.tokens.token(instance.id))
        async with signed_in(platform.gateway.address, token) as page:
            definition = {"name": name, "type": "window", "details": {"url": "https://evil.example"}}
            for method in ("Apps.Add", "Apps.Import"):
                assert "name" in await page.refused(method, definitions=[definition])
            await page.call("Apps.Add", definitions=[{**definition, "name": "Évil – other"}])
            await page.call("Apps.Add", definitions=[{**definition, "name": "Évil – other"}])
