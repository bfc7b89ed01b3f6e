"""Main pages with the unmodified `@glue42/web-platform`: they read apps from a manager, and join a gateway."""

import asyncio
import json
import shutil
from base64 import b64encode
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Route

from rostrum.gateway.manager_check import ManagerCheck
from tests.agents.main_page import served
from tests.agents.web_clients import PACKAGES
from tests.gateway.sockets import quick, running
from tests.plain_http import NO_TLS
from tests.real_manager import USER, manager

PAGE = """<!doctype html><meta charset="utf-8"><title>Platform</title><h1>Platform</h1>
<script src="platform.js"></script>
<script>fetch("{name}.json").then(answer => answer.json()).then(async setting => {
  const { glue } = await GlueWebPlatform(setting);
  await glue.interop.register("Add", ({a, b}) => ({sum: a + b}));
  window.glue = glue;
})</script>"""


def write_page(folder: Path, name: str, **setting: Any) -> None:
    (folder / f"{name}.html").write_text(PAGE.replace("{name}", name))
    (folder / f"{name}.json").write_text(json.dumps(setting))


@pytest.mark.long
async def test_a_main_page_reads_apps_from_the_manager_and_joins_the_gateway(launched: Browser, tmp_path: Path) -> None:
    data, pages = tmp_path / "manager", tmp_path / "pages"
    data.mkdir()
    pages.mkdir()
    shutil.copy(PACKAGES / "@glue42/web-platform/dist/platform.web.umd.js", pages / "platform.js")
    name, password = USER
    with served(pages) as site, manager(data, cors={"credentials": True, "origin": site}) as server:
        server.add_app("blotter")
        check = ManagerCheck(server.address, httpx.AsyncClient(verify=NO_TLS))
        async with running(quick(), secrets=check) as gateway, await launched.new_context() as context:
            basic = b64encode(f"{name}:{password}".encode()).decode()
            remote = {"url": f"{server.address}/apps", "customHeaders": {"Authorization": f"Basic {basic}"}}
            write_page(pages, "apps", applications={"remote": remote})
            page = await context.new_page()
            await page.goto(f"{site}/apps.html")
            await page.wait_for_function("window.glue?.appManager.application('blotter') !== undefined")

            preferred = {"url": gateway.address, "auth": {"username": name, "password": password}}
            write_page(pages, "gateway", connection={"preferred": preferred})
            page = await context.new_page()
            await page.goto(f"{site}/gateway.html")
            await page.wait_for_function("window.glue?.connection.transport.name().startsWith('ws:')")
            peer = await gateway.local_peer("other", name, instance="other-1")
            await page.wait_for_function("glue.interop.servers().some(({application}) => application === 'other')")
            assert await peer.methods.call("Add", {"a": 1, "b": 2}) == {"sum": 3}
            await peer.close()

            # Both in one page. While it changes to the gateway, the library loses its own event about new apps, so
            # the answer of the manager is held back until then.
            write_page(
                pages,
                "both",
                applications={"remote": {**remote, "requestTimeout": 60_000}},
                connection={"preferred": preferred},
            )
            page = await context.new_page()
            changed = asyncio.Event()

            async def answer(route: Route) -> None:
                await changed.wait()
                await route.continue_()

            await page.route(f"{server.address}/apps", answer)
            await page.goto(f"{site}/both.html")
            await page.wait_for_function("window.glue?.connection.transport.name().startsWith('ws:')")
            changed.set()
            await page.wait_for_function("glue.appManager.application('blotter') !== undefined")
        await check.close()
