"""The unmodified desktop client libraries of npm use the platform's services, each call with each library.

The calls are in tests/desktop/t42/node: one file for each topic. A file runs once with each library, in one Node
process against a platform in this process. ``Test.Desk`` does what a user would do, and looks at the
screen.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import (
    ChannelChosen,
    HotkeyPressed,
    Report,
    ScreensChanged,
    ToastActionChosen,
    ToastClicked,
    ToastClosed,
)
from rostrum.desktop.platform import Platform
from rostrum.desktop.t42.workspaces import OPERATIONS, UNSUPPORTED
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.gateway.local.methods import Invocation
from tests.desktop.test_platform import APPS, Desk
from tools.node import find_node

HERE = Path(__file__).resolve().parent / "node"
MODULES = Path(__file__).resolve().parent.parent.parent / "gateway" / "node"
LIBRARIES = ("interopio", "glue42")
RED = {"name": "Red", "meta": {"color": "red", "fdc3": {"id": "fdc3.channel.1", "displayMetadata": {"name": "Red"}}}}
BLUE = {"name": "Blue", "meta": {"color": "blue"}}
SETTINGS: dict[str, Any] = {
    **APPS,
    "channels": {"definitions": [RED, BLUE]},
    "themes": {"availableThemes": [{"name": "light", "displayName": "Day"}, {"name": "dark", "displayName": "Night"}]},
    # As firms with their own notification panel need it.
    "appRights": {"notificationClicks": ["mail"]},
    "interception": {"enabled": True, "applications": ["mail"]},
    "notifications": {"snooze": {"enabled": True}, "sourceFilter": {"allowed": ["*"], "blocked": ["several"]}},
}
SEVERAL = {"channelSelector": {"enabled": True, "type": "multi", "channelId": "Red"}}


def sentences(file: str) -> list[tuple[str, str]]:
    """Return the calls of a file, and the library that alone has each; empty for both."""
    found: list[tuple[str, str]] = []
    for part in re.split(r"^call\(", (HERE / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        sentence = re.match(r'"([^"]+)"', part)
        only = re.search(r', "(interopio|glue42)"\);\s*(?:$|await run|//)', part.strip())
        assert sentence is not None
        found.append((sentence[1], only[1] if only else ""))
    return found


FILES = sorted(file.name for file in HERE.glob("*.mjs") if file.name != "harness.mjs")
# The workspaces library of one publisher runs in pages only.
CASES = [(file, library) for file in FILES for library in LIBRARIES if (file, library) != ("workspaces.mjs", "glue42")]


@pytest.mark.long
@pytest.mark.parametrize(("file", "library"), CASES)
async def test_a_client_library_makes_all_calls_of_a_topic(file: str, library: str, tmp_path: Path) -> None:
    # One test for each file, not for each call: the calls of a file share a Node process and a platform.
    told = await _run(file, library, tmp_path)
    expected = {sentence for sentence, only in sentences(file) if only in ("", library)}
    assert {*told} - {""} == expected, f"the process printed: {told.get('')}"
    troubles = {sentence: trouble for sentence, trouble in told.items() if sentence and trouble}
    assert not troubles, "\n\n".join(f"{sentence}:\n{trouble}" for sentence, trouble in troubles.items())


async def _run(file: str, library: str, folder: Path) -> dict[str, str]:
    desk = Desk(folder / "desk")
    for name, details in (("clock", {}), ("mail", {}), ("several", SEVERAL)):
        page = {"url": "https://x.example", **details}
        desk.write_app(name, title=name.title(), allowCapture=name == "mail", details=page)
    desk.write_app("note", title="Note", details={"url": "https://x.example/note"})
    desk.write_app("frame", type="workspaces", details={"width": 800, "height": 600})
    node = find_node()
    script = {
        "path": str(HERE / "apps" / "intent_app.mjs"),
        "parameters": f"'{MODULES}' {library}",
        "passGlueToken": True,
    }
    intents = [{"name": "ShowChart", "displayName": "Show a chart", "contexts": ["fdc3.instrument"]}]
    desk.write_app("chart", type="node", title="Chart", intents=intents, details=script)
    desk.write_app("intentsResolver", type="node", details=script)
    listens = {"ViewQuote": {"displayName": "View a quote", "contexts": ["fdc3.instrument"], "resultType": "quote"}}
    record = {
        "appId": "quotes",
        "title": "Quotes",
        "type": "other",
        "details": {},
        "interop": {"intents": {"listensFor": listens}},
        "hostManifests": {"rostrum": {"type": "node", "details": script}},
    }
    (desk.root / "apps" / "quotes.json").write_text(json.dumps(record))
    desk.system(**SETTINGS)
    async with desk.running(node=node.node) as platform:
        running = {name: await platform.services.instances.start(name) for name in ("clock", "mail", "several")}
        ids = {name: one.id for name, one in running.items()}
        peers: dict[str, Any] = {
            name: {"application": name, "token": platform.services.tokens.token(one)} for name, one in ids.items()
        }
        key = json.loads((desk.root / "UserData" / "key.json").read_text())
        peers["outside"] = {"application": "outside", "user": key["user"], "secret": key["secret"]}
        helper = await platform.gateway.local_peer("desk", key["user"])
        await helper.methods.register("Test.Desk", _Desk(desk, platform, ids).handle)
        setup = {"modules": str(MODULES), "library": library, "gateway": key["address"], "peers": peers}
        process = await asyncio.create_subprocess_exec(
            *node.command("node", str(HERE / file), json.dumps(setup)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(150):
                printed = (await process.communicate())[0].decode()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    told: dict[str, str] = {}
    for line in printed.splitlines():
        if line.startswith('{"sentence"'):
            one = json.loads(line)
            told[one["sentence"]] = one["trouble"]
        else:
            told[""] = told.get("", "") + line + "\n"
    return told


def _drawing(shown: Any) -> Any:
    workspaces = shown["workspaces"]
    return {
        "titles": [one["title"] for one in workspaces],
        "selected": [one["id"] for one in workspaces].index(shown["selected"]),
        "windows": [[one["windows"][each] for each in one["ids"]] for one in workspaces],
    }


def _widths(shown: Any) -> list[Any]:
    """Return every width in what a frame shows."""
    if isinstance(shown, list):
        return [width for one in shown for width in _widths(one)]
    if not isinstance(shown, dict):
        return []
    return [value for name, value in shown.items() if name == "width"] + _widths([*shown.values()])


class _Desk:
    """What a user does and sees, for the calls of a client."""

    def __init__(self, desk: Desk, platform: Platform, ids: Mapping[str, str]) -> None:
        self._host = desk.host
        self._platform = platform
        self._ids = ids
        self._deeds: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "choose": lambda one: self._report(
                ChannelChosen(instance=ids[one["app"]], channels=tuple(one["channels"]))
            ),
            "channels": lambda _: [one.name for one in self._host.channels],
            "hotkeys": lambda _: [*self._host.hotkeys],
            "press": lambda one: self._report(HotkeyPressed(hotkey=one["hotkey"])),
            "toasts": lambda _: [
                {"id": one.id, "title": one.title, "app": one.app, "actions": [each.title for each in one.actions]}
                for one in self._host.toasts.values()
            ],
            "click toast": lambda one: self._report(ToastClicked(toast=one["toast"])),
            "close toast": lambda one: self._report(ToastClosed(toast=one["toast"])),
            "choose action": lambda one: self._report(ToastActionChosen(toast=one["toast"], action=one["action"])),
            "unplug": lambda _: self._report(
                ScreensChanged(screens=(Screen("other", Bounds(0, 0, 800, 600), primary=True, name="Other"),))
            ),
            "panel": lambda _: [what for what, _ in self._host.calls if "own page" in what],
            "theme": lambda _: self._host.theme,
            "drawing": lambda one: _drawing(self._frame(one["frame"])),
            "widths": lambda one: _widths(self._frame(one["frame"])["workspaces"]),
            "running": lambda _: [one.id for one in platform.services.instances.all],
            "unsupported": lambda _: [*UNSUPPORTED],
            "supported": lambda _: [*OPERATIONS],
            "instances": lambda _: [one.app for one in platform.services.instances.all],
            "contexts of": lambda one: [
                dict(each.context) for each in platform.services.instances.all if each.app == one["app"]
            ],
        }

    def _frame(self, frame: str) -> Any:
        """Return what a frame of workspaces was asked to show at last."""
        return [about[2] for what, about in self._host.calls if what == "workspaces" and about[0] == frame][-1]

    def _report(self, report: Report) -> None:
        self._host.reports.report(report)

    async def handle(self, invocation: Invocation) -> Any:
        what = invocation.arguments["what"]
        if what.startswith("id of "):
            return {"result": self._ids[what.removeprefix("id of ")]}
        if what.startswith("channels of "):
            return {"result": [*self._host.channel_of.get(self._ids[what.removeprefix("channels of ")], ())]}
        if what == "start":
            started = await self._platform.services.instances.start(invocation.arguments["app"])
            return {"result": started.id}
        if what == "stop":
            await self._platform.services.instances.stop(invocation.arguments["instance"])
            return {"result": None}
        if what not in self._deeds:
            raise DesktopError(f"nobody does {what}")
        return {"result": self._deeds[what](invocation.arguments)}
