"""The browser platform as browsers get it; the build is made by ``make test``."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.platform_page import built
from tests.conftest import Api, manager_config, running_api


async def get(api: Api, path: str, **headers: str) -> httpx.Response:
    async with api.client() as client:
        return await client.get(f"http://manager.example.com{path}", headers=headers)


def settings_in(page: httpx.Response) -> dict[str, object]:
    found = re.search(r'name="rostrum-page" content="([^"]*)"', page.text)
    assert found is not None
    settings: dict[str, object] = json.loads(unescape(found[1]))
    return settings


def shown_by(page: httpx.Response) -> dict[str, list[str]]:
    """What the policy in the page allows, by directive."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page.text)
    assert found is not None
    return {words[0]: words[1:] for words in (part.split() for part in unescape(found[1]).split(";"))}


async def add_app(api: Api, name: str, *, url: str, icon: str = "", public: bool = True, kind: str = "window") -> None:
    details = {"url": url} if kind == "window" else {"path": "/opt", "command": name}
    definition = {"type": kind, "name": name, "details": details, "icon": icon}
    answer = await api.admin.post("/admin/apps", json={"definition": definition, "public": public})
    assert answer.status_code == 201, answer.text


async def test_the_page_is_served_with_strict_headers_and_its_files(api: Api) -> None:
    page = await get(api, "/platform/?app=x")
    policy = page.headers["content-security-policy"]

    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    for part in ("default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"):
        assert part in policy
    assert "unsafe" not in policy
    assert "%nonce%" not in page.text
    names = re.findall(r'(?:src|href)="(/platform/assets/[^"]+)"', page.text)
    assert {Path(name).suffix for name in names} >= {".js", ".css"}
    for name in names:
        assert (await get(api, name, **{"accept-encoding": "br"})).headers["content-encoding"] == "br"
    assert (await get(api, "/platform/assets/serve.py")).status_code == 404


async def test_frames_are_allowed_for_the_apps_of_the_signed_in_user_only(api: Api) -> None:
    await add_app(api, "chart", url="https://charts.example.com:8443/x?y#z", icon="https://icons.example.com/a.png")
    await add_app(api, "news", url="HTTPS://News.Example.com/")
    await add_app(api, "secret", url="https://secret.example.com/", public=False)
    await add_app(api, "program", url="", kind="exe")
    await add_app(api, "other", url="data:text/html,hello")
    signed_in = await get(api, "/platform/", cookie=await cookie_of(api))
    nobody = await get(api, "/platform/")
    expired = await get(api, "/platform/", cookie="PLATFORM_SESSION=made-up")

    assert shown_by(signed_in) == {
        "frame-src": ["https://charts.example.com:8443", "https://news.example.com"],
        "object-src": ["https://charts.example.com:8443", "https://news.example.com"],
        "img-src": ["'self'", "data:", "https://icons.example.com"],
    }
    assert settings_in(signed_in)["user"] == "ann"
    assert settings_in(signed_in)["frameOrigins"] == ["https://charts.example.com:8443", "https://news.example.com"]
    for page in (nobody, expired):
        assert page.status_code == 200
        assert shown_by(page) == {"frame-src": ["'none'"], "object-src": ["'none'"], "img-src": ["'self'", "data:"]}
        assert settings_in(page)["user"] is None
        assert "example.com" not in page.text


async def cookie_of(api: Api) -> str:
    """Sign in as a user without rights, and return the cookie."""
    created = await api.admin.post("/admin/users", json={"id": "ann", "password": "a long password", "groups": []})
    assert created.status_code in (201, 409), created.text
    async with api.client() as client:
        answer = await client.get("/me", auth=("ann", "a long password"))
    assert answer.status_code == 200, answer.text
    return f"PLATFORM_SESSION={answer.cookies['PLATFORM_SESSION']}"


async def test_addresses_cannot_add_to_the_policy(api: Api) -> None:
    for number, url in enumerate(
        ("https://a.example.com;script-src *", "https://a.example.com, *", 'https://"><script>', "https://*/", "http:x")
    ):
        await api.admin.post(
            "/admin/apps",
            json={"definition": {"type": "window", "name": f"bad{number}", "details": {"url": url}}, "public": True},
        )
    page = await get(api, "/platform/", cookie=await cookie_of(api))

    assert shown_by(page).keys() == {"frame-src", "object-src", "img-src"}
    assert shown_by(page)["frame-src"] == ["'none'"]


@pytest.mark.long
async def test_the_page_can_be_at_another_path(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, base="v1/api", platform={"baseName": "desk"})
    async with running_api(config, clock) as api:
        page = await get(api, "/desk/")
        assert settings_in(page)["apiURL"] == "/v1/api"
        assert 'src="/desk/assets/' in page.text
        assert (await get(api, "/platform/")).status_code == 404


@pytest.mark.parametrize(
    ("gateway", "host", "written", "allowed"),
    [
        ("", "manager.example.com", "", "connect-src 'self';"),
        ("/gw", "manager.example.com", "/gw", "connect-src 'self';"),
        (
            "wss://gw.example.com:8443/gw",
            "localhost",
            "wss://gw.example.com:8443/gw",
            "connect-src 'self' wss://gw.example.com:8443;",
        ),
        # Cookies of one name of this machine are not sent to the other.
        ("ws://127.0.0.1:9", "localhost", "ws://localhost:9", "connect-src 'self' ws://localhost:9;"),
        ("ws://127.0.0.1:9", "manager.example.com", "ws://127.0.0.1:9", "connect-src 'self' ws://127.0.0.1:9;"),
    ],
)
async def test_the_page_may_connect_to_the_central_gateway_and_to_nothing_else(
    sqlite: str, clock: SettableClock, gateway: str, host: str, written: str, allowed: str
) -> None:
    async with running_api(manager_config(sqlite, gateway={"url": gateway}), clock) as api, api.client() as client:
        page = await client.get(f"http://{host}/platform/")

        assert settings_in(page)["gatewayURL"] == written
        assert allowed in page.headers["content-security-policy"]


async def test_the_first_load_is_below_350_kib_of_compressed_scripts(api: Api) -> None:
    page = (await get(api, "/platform/")).text
    names = set(re.findall(r'(?:src|href)="/platform/assets/([^"]+\.js)"', page))

    size = sum(len(built.load().assets[name].encoded["gzip"]) for name in names)
    assert 100_000 < size < 350 * 1024


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the build, which the manager of the test serves."""
    folder = tmp_path / "build"
    shutil.copytree(str(built.FOLDER), folder)
    monkeypatch.setattr(built, "FOLDER", folder)
    built.load.cache_clear()
    yield folder
    built.load.cache_clear()


@pytest.mark.parametrize(
    ("break_it", "problem"),
    [
        (shutil.rmtree, "The browser platform has not been built."),
        (lambda folder: (folder / "verified.json").unlink(), "The build of the browser platform did not finish"),
    ],
)
async def test_a_page_that_is_not_built_is_explained(
    api: Api, copied: Path, break_it: Callable[[Path], object], problem: str
) -> None:
    break_it(copied)
    answer = await get(api, "/platform/")

    assert answer.status_code == 503
    assert problem in answer.text
    assert "<code>make platform-ui</code>" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert (await get(api, "/platform/assets/index.js")).status_code == 404
