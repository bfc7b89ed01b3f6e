"""Who may call which method of the platform: every method on the gateway, in every role, against one table.

A new method without a line in the table fails here, and so does one that lets in more roles than its line says.
"""

from typing import Any

import pytest

from tests.desktop.test_identities import EXE, START, bearing, process, signed_in
from tests.desktop.test_platform import Desk, desk
from tests.gateway.sockets import talking

__all__ = ["desk", "process"]

ANYONE = [
    "Apps.List",
    "Channels.Join",
    "Channels.List",
    "Flydowns.Remove",
    "Groups.Close",
    "Groups.Hibernate",
    "Groups.Join",
    "Groups.Leave",
    "Groups.List",
    "Groups.Rename",
    "Groups.Resume",
    "Groups.SetState",
    "Groups.ShowHeader",
    "Instances.List",
    "Instances.Stop",
    "Layouts.Export",
    "Layouts.Hibernate",
    "Layouts.Import",
    "Layouts.List",
    "Layouts.Remove",
    "Layouts.Rename",
    "Layouts.Save",
    "Layouts.SetDefault",
    "Platform.Exit",
    "Platform.Focus",
    "Platform.Status",
    "Popups.Close",
    "Popups.Open",
    "Search.Find",
    "Tabs.Join",
    "Tabs.Leave",
    "Tabs.List",
    "Tabs.Pin",
    "Tabs.Reorder",
    "Tabs.Select",
    "Tabs.ShowHeader",
    "Themes.List",
    "Themes.Select",
    "Tray.Choose",
    "Tray.Menu",
    "Windows.Focus",
    "Windows.Hide",
    "Windows.List",
    "Windows.Move",
    "Windows.SetContext",
    "Windows.SetState",
    "Windows.Show",
    "Windows.Stick",
]
"""Methods for all programs of the user: what they do does not depend on who calls."""

ROLES = ("external", "app", "allowed app")
"""A program that the platform has not started, an app that it has started, and one that the settings allow more."""

RIGHTS: dict[str, tuple[dict[str, Any], tuple[bool, bool, bool]]] = {
    "Alerts.Show": ({"text": "x"}, (True, True, True)),
    # An app that intercepts starts, or restores, does not see its own.
    "Apps.Start": ({"name": "page"}, (True, True, True)),
    "Layouts.Restore": ({"name": "Morning"}, (True, True, True)),
    "Apps.Add": ({"definitions": [{**EXE, "name": "helper"}]}, (False, False, True)),
    "Apps.Import": ({"definitions": [{**EXE, "name": "helper"}], "mode": "merge"}, (False, False, True)),
    "Apps.Export": ({}, (False, False, True)),
    "Apps.Remove": ({"names": ["helper"]}, (False, False, True)),
    "Apps.Clear": ({}, (False, False, True)),
    "Notifications.Raise": ({"title": "x"}, (False, False, True)),
    "Interception.Register": (START, (False, False, True)),
    "Interception.Remove": ({"area": "Apps", "operation": "Start"}, (False, False, True)),
    # By default, what belongs to other apps is available to all, except for clicks and pages (test_app_rights).
    "Notifications.List": ({}, (True, True, True)),
    "Notifications.Click": ({"id": "none"}, (True, True, True)),
    "Notifications.Close": ({"id": "none"}, (True, True, True)),
    "Notifications.Snooze": ({"id": "none"}, (False, False, False)),
    "Preferences.Get": ({"app": "page"}, (True, True, True)),
    "Preferences.Set": ({"app": "page", "data": {}}, (True, True, True)),
    "Windows.Navigate": ({"instance": "none", "url": "https://x.example"}, (False, False, False)),
    # Without an instance, the caller's own.
    "Windows.SetTitle": ({"title": "x"}, (False, True, True)),
    "Instances.Prevent": ({"what": "shutdown"}, (False, True, True)),
    # Shows only what the caller itself offers.
    "Flydowns.Set": (
        {
            "instance": "nobody's",
            "window": "nobody's",
            "zones": [{"id": "z", "left": 0, "top": 0, "width": 1, "height": 1}],
            "width": 1,
            "height": 1,
            "method": "Not.Offered",
        },
        (False, False, False),
    ),
}
"""Methods whose outcome depends on the caller: with which arguments they are called, and in which role they work."""


STREAMS = ["Platform.Changes", "Preferences.Changes"]
"""Streams for all programs of the user."""
AGENT = ["FDC3.Connect", "FDC3.Send", "FDC3.RaiseIntent"]
"""The stream and the methods of the FDC3 agent, which decide themselves who may use them: tests/agents."""


async def test_every_method_is_in_the_table(desk: Desk) -> None:
    async with desk.running() as platform:
        offered = platform.services.methods.offered.values()
    assert {f"Rostrum.{name}" for name in ANYONE} == {one.name for one in offered if not one.takes_caller}
    assert {f"Rostrum.{name}" for name in RIGHTS} == {one.name for one in offered if one.takes_caller}


@pytest.mark.long
async def test_calling_a_method_requires_a_sign_in(desk: Desk, process: tuple[str, dict[str, Any]]) -> None:
    address, key = process
    async with signed_in(address, key) as person, talking(address) as nobody:
        offered = {name for name in person.methods if name.startswith("Rostrum.")}
        assert offered == {f"Rostrum.{name}" for name in (*ANYONE, *RIGHTS, *STREAMS, *AGENT)}
        for name in offered:
            server, method = person.methods[name]
            for claimed in ({}, {"peer_id": person.peer_id}, {"peer_id": server}):
                call = {"server_id": server, "method_id": method, "arguments_kv": {}, **claimed}
                answer = await nobody.ask(domain="agm", type="call", **call)
                assert answer["type"] == "error", name


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
async def test_a_method_works_in_the_roles_of_the_table_only(
    desk: Desk, process: tuple[str, dict[str, Any]], role: str
) -> None:
    address, key = process
    # The settings of the platform allow the app "guard" more than others.
    claims = {"application": "guard", "applicationName": "guard"}
    async with signed_in(address, key, **claims) as person:
        authentication = key
        if role != "external":
            app = "guard" if role == "allowed app" else "page"
            authentication = bearing(await person.started(desk.root / f"{app}.told"))
        await person.call("Layouts.Save", name="Morning")
        async with signed_in(address, authentication, process=1, **claims) as caller:
            await caller.offer_guard()
            found = {}
            for name, (arguments, _) in RIGHTS.items():
                answer = await caller.asked(name, **arguments)
                found[name] = answer["type"] == "result"

    assert found == {name: allowed[ROLES.index(role)] for name, (_, allowed) in RIGHTS.items()}
