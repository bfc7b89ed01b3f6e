"""The npm package for main pages of firms, as `make dist` builds it, in the example page."""

import asyncio
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Request

from rostrum import __version__
from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import ROOT, config_for
from tests.end_to_end.packages import unpack
from tests.end_to_end.platform_ui.conftest import ADMIN, USER
from tests.plain_http import NO_TLS
from tools.admin_ui import npm_version

pytestmark = pytest.mark.long


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the package, with the example page beside its module."""
    folder = tmp_path_factory.mktemp("package")
    command = [sys.executable, "tools/admin_ui.py", "package", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    unpack(folder / f"rostrum-browser-platform-{npm_version(__version__)}.tgz", folder)
    site = folder / "package" / "library"
    shutil.copy(ROOT / "platform-ui/example/index.html", site / "index.html")
    return folder / "package"


@pytest.fixture
def firm_page(unpacked: Path) -> Iterator[str]:
    """The example page on an origin of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(unpacked / "library"))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_package_has_types_and_the_version_of_the_product_and_no_dependencies(unpacked: Path) -> None:
    description = json.loads((unpacked / "package.json").read_text())

    assert (description["name"], description["version"]) == ("@rostrum/browser-platform", npm_version(__version__))
    assert "dependencies" not in description
    for path in description["exports"]["."].values():
        assert (unpacked / path).is_file(), path


@pytest.mark.rule("R-2.4-6", "R-2.4-7", "R-5-7")
async def test_the_example_page_signs_in_with_the_object_and_follows_changes(
    browser: Browser, firm_page: str, tmp_path: Path
) -> None:
    users = {"predefinedUsers": [":".join(ADMIN), ":".join(USER)]}
    cors = {"credentials": True, "origin": firm_page}
    config = config_for(f"sqlite:///{tmp_path}/rostrum.db", auth_basic=users, cors=cors)
    with await asyncio.to_thread(RunningManager, config) as running:
        async with httpx.AsyncClient(base_url=running.base_url, auth=ADMIN, verify=NO_TLS) as admin:

            async def add(name: str) -> None:
                definition = {"name": name, "type": "window", "details": {"url": f"{firm_page}/?{name}"}}
                answer = await admin.post("/admin/apps", json={"definition": definition, "public": True})
                assert answer.status_code == 201, answer.text

            await add("chart")
            page = await browser.new_page()
            requests: list[Request] = []
            page.on("request", lambda request: requests.append(request) if "/api/" in request.url else None)
            await page.goto(f"{firm_page}/?manager={running.base_url}")

            async def sign_in(password: str) -> None:
                await page.get_by_label("User").fill(USER[0])
                await page.get_by_label("Password").fill(password)
                await page.get_by_role("button", name="Sign in").click()

            await sign_in("wrong password")
            await expect(page.get_by_role("status")).to_contain_text("The user name or password is incorrect")
            requests.clear()
            await sign_in(USER[1])
            await expect(page.get_by_role("status")).to_have_text("Signed in as ann")
            await expect(page.get_by_role("button", name="chart")).to_be_visible()
            # The password goes out once, for the session; everything else has its token.
            sent = [await each.all_headers() for each in requests if each.method != "OPTIONS"]
            kinds = [headers.get("authorization", "")[:6] for headers in sent]
            assert kinds[0] == "Basic "
            assert set(kinds[1:]) == {"Bearer"}
            (session,) = (await admin.get("/admin/sessions?product=browser&active=true")).json()["items"]
            assert session["user"] == "ann"

            await add("news")
            await expect(page.get_by_role("button", name="news")).to_be_visible()
            async with page.expect_popup() as opened:
                await page.get_by_role("button", name="news").click()
            assert (await opened.value).url.endswith("/?news")

            # A license key has no effect. Both intervals are milliseconds: the token is renewed, and apps are asked for
            # while there are no events.
            await page.route("**/api/events*", lambda route: route.abort())
            async with (
                page.expect_response("**/api/token/refresh") as refreshed,
                page.expect_response("**/api/v2/apps") as fetched,
            ):
                user = json.dumps({"username": USER[0], "password": USER[1]})
                await page.evaluate(
                    f"""import('./browser-platform.js').then(async ({{browserPlatform}}) => {{
                        const manager = {{url: '{running.base_url}', auth: {{basic: {user}}}}};
                        window.second = await browserPlatform({{licenseKey: 'no key', manager: {{...manager,
                            fetchIntervalMS: 200, tokenRefreshIntervalMS: 300}}}});
                    }})"""
                )
            assert (await refreshed.value).ok
            assert (await fetched.value).ok
            async with page.expect_response("**/api/v2/apps"):
                pass
            for wrong, message in (
                ("{}", "manager must be an object"),
                ("{manager: {url: 'x', auth: {basic: {username: 'a', password: 'b'}}}}", "manager.url must be"),
                ("{manager: {url: 'http://x', auth: {basic: {username: 'a'}}}}", "manager.auth.basic.password"),
                (
                    "{manager: {url: 'http://x', auth: {basic: {username: 'a', password: 'b'}}, fetchIntervalMS: -1}}",
                    "manager.fetchIntervalMS must be a number of milliseconds",
                ),
            ):
                said = await page.evaluate(
                    f"import('./browser-platform.js').then(m => m.browserPlatform({wrong})).catch(e => e.message)"
                )
                assert message in said

            await admin.delete(f"/admin/sessions/{session['id']}")
            await page.unroute("**/api/events*")
            await page.close()
