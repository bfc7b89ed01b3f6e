"""The page and its files as browsers get them; the build is made by ``make test``."""

import gzip
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.distribution import PackageInstallation
from rostrum.manager.admin_page import built
from rostrum.manager.built_page import PageUnavailable, explanation
from tests.conftest import Api, manager_config, running_api


async def get(api: Api, path: str, **headers: str) -> httpx.Response:
    async with api.client() as client:
        return await client.get(f"http://manager.example.com{path}", headers=headers)


def settings_in(page: httpx.Response) -> dict[str, object]:
    found = re.search(r'name="rostrum-page" content="([^"]*)"', page.text)
    assert found is not None
    settings: dict[str, object] = json.loads(unescape(found[1]))
    return settings


@pytest.mark.rule("R-1-1", "R-1-9", "E-4-12")
async def test_every_address_of_the_ui_answers_the_page(api: Api) -> None:
    for path in ("/admin", "/admin/", "/admin/gd", "/admin/?gd", "/admin/apps/a%2Fb", "/admin/users/ä?tab=apps"):
        answer = await get(api, path)

        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert '<div id="root">' in answer.text
    assert (await get(api, "/")).headers["location"] == "/admin/"


async def test_the_policy_allows_own_scripts_and_marked_styles_only(api: Api) -> None:
    first, second = await get(api, "/admin/"), await get(api, "/admin/")
    policy = first.headers["content-security-policy"]
    nonce = re.search(r"style-src 'self' 'nonce-([^']+)'", policy)

    assert nonce is not None
    assert nonce[1] in first.text
    assert nonce[1] not in second.text
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "%nonce%" not in first.text
    assert re.findall(r"<script(?![^>]* src=)", first.text) == []


async def test_every_file_the_page_names_is_served_for_ever_and_compressed(api: Api) -> None:
    page = (await get(api, "/admin/")).text
    names = re.findall(r'(?:src|href)="(/admin/assets/[^"]+)"', page)

    assert any(name.endswith(".js") for name in names)
    assert any(name.endswith(".css") for name in names)
    for name in names:
        plain = await get(api, name, **{"accept-encoding": "identity"})
        assert plain.status_code == 200
        assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert plain.headers["vary"] == "Accept-Encoding"
        assert "content-encoding" not in plain.headers
        assert (await get(api, name, **{"accept-encoding": "gzip, br"})).headers["content-encoding"] == "br"
        packed = await get(api, name, **{"accept-encoding": "gzip, deflate"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == plain.content


def test_the_compressed_forms_hold_the_same_bytes() -> None:
    for name, asset in built.load().assets.items():
        assert gzip.decompress(asset.encoded["gzip"]) == asset.content, name
        assert len(asset.encoded["br"]) <= len(asset.content) + 20


async def test_nothing_else_of_the_package_is_served(api: Api) -> None:
    for name in ("serve.py", "../serve.py", "..%2Fserve.py", "index.html", "nothing-1.js", "a.js.br"):
        answer = await get(api, f"/admin/assets/{name}")
        assert answer.status_code == 404 or "def handlers" not in answer.text, name


async def test_the_first_load_is_below_350_kib_of_compressed_scripts(api: Api) -> None:
    page = (await get(api, "/admin/")).text
    entry = re.findall(r'(?:src|href)="/admin/assets/([^"]+\.js)"', page)
    manifest = json.loads((Path(built.__file__).parent / "build" / "manifest.json").read_text())
    # The page of a list is part of a first load too; the editor is not.
    files = {*entry, *_with_imports(manifest, "src/features/apps/list-page.tsx")}

    size = sum(len(built.load().assets[name].encoded["gzip"]) for name in files)
    assert 100_000 < size < 350 * 1024
    assert not any("code-editor" in name for name in files)


def _with_imports(manifest: dict[str, dict[str, object]], key: str) -> set[str]:
    entry = manifest[key]
    names = {str(entry["file"]).removeprefix("assets/")}
    for other in entry.get("imports", []):  # type: ignore[attr-defined]
        names |= _with_imports(manifest, other)
    return names


@pytest.mark.long
@pytest.mark.rule("R-0-3")
async def test_the_page_is_informed_how_the_server_is_set_up(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(
        sqlite, base="v1/api", auth_basic={"useSessionCookie": False}, admin={"baseName": "console", "auth": "none"}
    )
    async with running_api(config, clock) as api:
        page = await get(api, "/console/apps")
        assert settings_in(page) == {
            "apiURL": "/v1/api",
            "auth": "none",
            "auth_basic": {"useSessionCookie": False},
            "baseName": "/console",
        }
        assert 'src="/console/assets/' in page.text
        assert (await get(api, "/")).headers["location"] == "/console/"
        assert (await get(api, "/admin/")).status_code == 404


async def test_an_interface_elsewhere_may_be_called_by_the_page(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, admin={"apiURL": "https://manager.example.com/api"})
    async with running_api(config, clock) as api:
        page = await get(api, "/admin/")
        assert settings_in(page)["apiURL"] == "https://manager.example.com/api"
        assert "connect-src 'self' https://manager.example.com;" in page.headers["content-security-policy"]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the build, which the manager of the test serves."""
    folder = tmp_path / "build"
    shutil.copytree(str(built.FOLDER), folder)
    monkeypatch.setattr(built, "FOLDER", folder)
    built.load.cache_clear()
    yield folder
    built.load.cache_clear()


def damage(folder: Path, name: str) -> None:
    path = next(folder.glob(name))
    path.write_bytes(path.read_bytes()[:-10] + b"0123456789")


@pytest.mark.long
@pytest.mark.parametrize(
    ("break_it", "problem"),
    [
        (shutil.rmtree, "The admin UI has not been built."),
        (lambda folder: (folder / "verified.json").unlink(), "did not finish: verified.json is missing or damaged"),
        (lambda folder: (folder / "verified.json").write_text("{}"), "verified.json is missing or damaged"),
        (lambda folder: (folder / "verified.json").write_text('{"files": {}}'), "does not list index.html"),
        (lambda folder: next(folder.glob("assets/index-*.js")).unlink(), "incomplete: assets/index-"),
        (lambda folder: damage(folder, "assets/index-*.js"), "was changed after it was built"),
        (lambda folder: damage(folder, "assets/index-*.js.br"), "was changed after it was built"),
    ],
)
async def test_a_missing_or_broken_ui_is_explained_and_served_once_it_is_back(
    sqlite: str, clock: SettableClock, copied: Path, break_it: Callable[[Path], object], problem: str
) -> None:
    break_it(copied)
    async with running_api(manager_config(sqlite), clock) as api:
        answer = await get(api, "/admin/users")

        assert answer.status_code == 503
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert problem in answer.text
        assert "<code>make admin-ui</code>" in answer.text
        assert (await get(api, "/admin/assets/index.js")).status_code == 404
        assert (await api.admin.get("/me")).status_code == 200

        shutil.copytree(Path(built.__file__).parent / "build", copied, dirs_exist_ok=True)
        assert (await get(api, "/admin/users")).status_code == 200


def test_an_installed_package_is_fixed_by_installing_its_wheel_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "this_installation", lambda: PackageInstallation(version="1.0"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))

    page = explanation(built.NAME, PageUnavailable("broken"), repair=built.how_to_fix(), api="/api")

    command = "pip install --force-reinstall --no-deps ./rostrum_platform-1.0-py3-none-any.whl"
    assert f"<code>{command}</code> on the server in the folder with this wheel" in page
