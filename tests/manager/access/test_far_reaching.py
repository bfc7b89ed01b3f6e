"""Settings and apps that run code, redirect, or open files on the desktops of others need all of their rights."""

from typing import Any

import pytest

from tests.conftest import Api

ADMINS = "PLATFORM_SERVER_ADMIN"
APPS, CONFIGS = (f"PLATFORM_MANAGER:{kind}:WRITE" for kind in ("APPS", "SYSTEM_CONFIGS"))
EVIL = "https://evil.example/x.js"
BANK = "https://bank.example/"

LIBRARY = {"enabled": True, "library": {"source": EVIL}}
SETTINGS: tuple[dict[str, Any], ...] = (
    {"windows": {"autoInjectAPI": LIBRARY}},
    {"windows": {"autoInjectFdc3": LIBRARY}},
    {"windows": {"autoInjectFdc3": {"library": {"fallback": EVIL}}}},
    {"windows": {"autoInjectAPI": {"autoInit": {"gateway": {"ws": "wss://evil.example"}}}}},
    {"windows": {"preloadScripts": {"scripts": [EVIL]}}},
    {"windows": {"security": {"onCertificateError": {"action": "allow"}}}},
    {"windows": {"security": {"permissions": ["screen"]}}},
    {"windows": {"security": {"allowedExternalURISchemes": ["ms-msdt"]}}},
    {"dialogs": {"url": EVIL}},
    {"alerts": {"url": EVIL}},
    {"layouts": {"splash": {"url": EVIL}}},
    {"spellchecker": {"dictionaryDownloadURL": EVIL}},
    {"gw": {"configuration": {"memory": {"dump_location": "~/.config/autostart"}}}},
    {"gw": {"configuration": {"memory": {"dump_locaton": "/tmp", "memory_limit": 1}}}},
    {"gw": {"configuration": {"memory": {"dump_prefix": "../x"}}}},
    {"systemConfigurations": {"sources": [{"type": "rest", "source": EVIL}]}},
    # Settings that only other versions or platforms know.
    {"windows": {"injectedStyles": {"styles": [{"url": EVIL}]}}},
    {"windows": {"auto_inject_fdc3": LIBRARY}},
    {"extends": EVIL},
)
PLAIN: tuple[dict[str, Any], ...] = (
    {"notifications": {"enabled": False, "sourceFilter": {"allowed": ["*"], "blocked": ["x"]}}},
    {"windowManagement": {"group": {"header": {"defaultTitle": "Desk"}}, "snapping": {"enabled": False}}},
    {"channels": {"definitions": [{"name": "Red", "meta": {"color": "red", "fdc3": {"id": "r"}, "own": 1}}]}},
    {"gw": {"configuration": {"memory": {"report_interval": 1000}, "port": 0}}},
    {"dialogs": {"height": 300}, "alerts": {"ttl": 1}, "layouts": {"components": {"maxSize": 9000}}},
    {"themes": {"availableThemes": [{"name": "night", "displayName": "Night", "own": True}]}},
    {"windows": {"channelSelector": {"enabled": True, "channelId": "Red"}, "closeHandlers": {"timeout": 5}}},
)


async def writer_of(api: Api, right: str) -> Any:
    await api.add_user("root", "Desk", ADMINS)
    await api.add_user("ann", "Floor")
    return await api.add_user("writer", right)


@pytest.mark.long
async def test_settings_that_reach_further_need_the_rights_of_those_who_receive_them(api: Api) -> None:
    writer = await writer_of(api, CONFIGS)
    address = (await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {}})).json()["id"]
    written = []
    for contents in SETTINGS:
        for target in ({"version": "10"}, {"group": "Desk"}):
            made = await writer.post("/admin/configs", json={"file": "system.json", "contents": contents, **target})
            written += [contents] if made.status_code != 403 else []
        for changed in (
            await writer.patch(f"/admin/configs/{address}", json={"contents": contents}),
            await writer.put(f"/admin/configs/{address}", json={"file": "system.json", "contents": contents}),
        ):
            written += [contents] if changed.status_code != 403 else []
    assert written == []
    floor = {"file": "system.json", "contents": SETTINGS[0], "group": "Floor"}
    assert (await writer.post("/admin/configs", json=floor)).status_code == 201
    assert (await api.admin.patch(f"/admin/configs/{address}", json={"contents": SETTINGS[0]})).status_code == 200


async def test_settings_without_such_an_effect_need_only_the_right_to_write_them(api: Api) -> None:
    writer = await writer_of(api, CONFIGS)
    address = (await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {}})).json()["id"]
    for contents in PLAIN:
        changed = await writer.patch(f"/admin/configs/{address}", json={"contents": contents})
        assert changed.status_code == 200, (contents, changed.text)


@pytest.mark.parametrize("file", ["gilding-PROD-EMEA.json", "GILDING-a.json", "ENV.json"])
async def test_files_of_a_pair_count_as_the_file_itself(api: Api, file: str) -> None:
    writer = await writer_of(api, CONFIGS)
    refused = await writer.post("/admin/configs", json={"file": file, "contents": {}})
    assert refused.status_code == 403, refused.text


def page(url: str = BANK, kind: str = "window", **details: Any) -> dict[str, Any]:
    return {"name": "evil", "type": kind, "details": {"url": url, **details}}


APP_MEMBERS: tuple[dict[str, Any], ...] = (
    page(preloadScripts=[EVIL]),
    page(preloadScripts={"scripts": [{"url": EVIL}]}),
    page(kind="workspaces", preloadScripts=[EVIL]),
    page(injectedStyles={"styles": [{"url": EVIL}]}),
    page(autoInjectFdc3={"enabled": True, "library": {"source": EVIL}}),
    page(downloadSettings={"path": "~/.config/autostart"}),
    page(downloadSettings={"autoOpenDownload": True}),
    page(security={"onCertificateError": {"action": "allow"}}),
    page(taskbar={"command": "/bin/sh"}),
    page(urlLoadOptions={"postData": [{"type": "file", "data": "/etc/passwd"}]}),
    page(kind="webGroup"),
    *({**page(), right: True} for right in ("allowCapture", "allowScriptExecution", "allowCookiesManipulation")),
    {**page(), "asset": {"src": EVIL}},
    {**page(), "type": "WINDOW", "allowCapture": True},
)


@pytest.mark.long
async def test_pages_that_reach_other_pages_need_the_rights_of_those_who_receive_them(api: Api) -> None:
    writer = await writer_of(api, APPS)
    stored = await writer.post("/admin/apps", json={"definition": page(), "public": True})
    assert stored.status_code == 201, stored.text
    accepted = []
    for definition in APP_MEMBERS:
        record = {
            "appId": "evil",
            "title": "x",
            "type": "web",
            "details": {"url": BANK},
            "hostManifests": {"rostrum": {**definition, "name": "other"}},
        }
        for attempt in (
            await writer.patch("/admin/apps/evil", json={"definition": definition}),
            await writer.patch("/admin/apps/evil", json={"definition": record}),
            await writer.post("/admin/imports/apps", json={"applications": [definition], "overwrite": True}),
        ):
            accepted += [definition] if attempt.status_code != 403 else []
    assert accepted == []
    floor = {"definition": {**APP_MEMBERS[0], "name": "floor"}, "accessList": ["Floor"]}
    assert (await writer.post("/admin/apps", json=floor)).status_code == 201
    assert (await writer.patch("/admin/apps/floor", json={"public": True})).status_code == 403
    assert (await api.admin.patch("/admin/apps/evil", json={"definition": APP_MEMBERS[0]})).status_code == 200


async def test_pages_that_show_only_themselves_need_only_the_right_to_write_them(api: Api) -> None:
    writer = await writer_of(api, APPS)
    plain = (
        page(width=300, navigation={"allowed": BANK}, allowedOrigins=[BANK], autoInjectAPI={"enabled": True}),
        page(preloadScripts=[], security={}, downloadSettings={"autoSave": True}, injectedStyles={"styles": []}),
        page("rostrum-page://group/", kind="webGroup"),
        {**page(), "allowCapture": False, "autoStart": True, "customProperties": {"allowCapture": True}},
    )
    for number, definition in enumerate(plain):
        made = await writer.post(
            "/admin/apps", json={"definition": {**definition, "name": str(number)}, "public": True}
        )
        assert made.status_code == 201, made.text
