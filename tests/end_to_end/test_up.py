"""The first demo, from a new user's point of view."""

import asyncio
import json
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.agents import Page
from tests.end_to_end.demo_folder import copy_demo
from tests.end_to_end.processes import PATIENCE, Running, clean_environment, run, serving
from tests.gateway.sockets import talking
from tests.plain_http import NO_TLS

OTHER = "127.0.0.2"
"""An address of this machine, which a server on 127.0.0.1 does not accept."""


def log_in(server: Running) -> tuple[str, str]:
    address = server.address
    password = server.line_with("password").split()[1]
    return address, password


async def channels_at(gateway: str, token: str) -> list[Any]:
    """Sign in at a gateway that is starting, and return the user channels of the agent there."""
    for _ in range(300):
        with suppress(OSError):
            async with talking(gateway) as talker:
                authentication = {"method": "access-token", "token": token}
                answer = await talker.ask(type="hello", authentication=authentication)
                talker.peer_id = answer["peer_id"]
                page = Page(talker)
                await page.open()
                return page.channels
        await asyncio.sleep(0.1)
    raise AssertionError(f"there is no gateway at {gateway}")


def page_of(apps: list[dict[str, Any]], name: str) -> str:
    return str(next(app for app in apps if app["name"] == name)["details"]["url"])


@pytest.mark.long
def test_up_makes_a_firm_to_look_at_and_keeps_it(tmp_path: Path) -> None:
    folder = str(tmp_path / "taste")
    with serving("up", "--dir", folder, "--port", "0") as server:
        address, password = log_in(server)
        root = address.removesuffix("/api")
        assert "Sign in" in httpx.get(f"{root}/admin/", verify=NO_TLS).text
        platform = server.line_with("in a browser").split()[3]
        assert platform == f"{root}/platform/"
        assert "<title>Rostrum" in httpx.get(platform, verify=NO_TLS).text
        assert "Sign in" in httpx.get(f"{root}/admin/gd", verify=NO_TLS).text
        assert httpx.get(root, follow_redirects=True, verify=NO_TLS).url.path == "/admin/"
        with httpx.Client(base_url=address, auth=("admin", password), verify=NO_TLS) as admin:
            totals = {
                name: admin.get(f"/admin/{name}").json()["total"]
                for name in (
                    "users", "groups", "apps", "layouts", "prefs", "configs",
                    "sessions", "machines", "commands", "crashes", "feedback",
                )
            }  # fmt: skip
            assert totals["users"] >= 13
            assert totals["apps"] >= 24
            assert min(totals.values()) > 0
            entries = admin.get("/admin/audit?limit=1000").json()["items"]
            # Simulated desktops may have opened their sessions already.
            assert {entry["operation"] for entry in entries} - {"openSession"} == {"start", "demo"}
            settings = admin.get("/admin/server").json()["settings"]
            origins = {setting["property"]: (setting["origin"], setting["originName"]) for setting in settings}
            assert origins["port"] == ("argument", "--port")
            assert origins["gateway.url"] == ("configuration object", "")
            # The page writes with its cookie from the server's own origin.
            admin.get("/me")
            assert admin.post("/logout", auth=lambda request: request, headers={"Origin": root}).status_code == 204
        # Pages of the demo's users have an FDC3 agent, on a gateway beside the manager.
        token = httpx.post(f"{address}/token/refresh", auth=("ada.birch", password), verify=NO_TLS).json()["token"]
        info = httpx.get(f"{address}/v2/server/info", auth=("ada.birch", password), verify=NO_TLS).json()
        assert asyncio.run(channels_at(info["gatewayUrl"], token)) != []
        person = httpx.get(f"{address}/apps", auth=("ada.birch", password), verify=NO_TLS).json()["applications"]
        assert 0 < len(person) < totals["apps"]
        watch = page_of(person, "market-watch")
        # Pages of apps never have the origin of the manager, whose cookie they could use.
        assert not watch.startswith(root)
        assert "Market Watch" in httpx.get(watch, verify=NO_TLS).text
        server.line_with("a desktop")
        assert server.stop() == 0

    desk = tmp_path / "taste" / "desk" / "config" / "system.json"
    assert json.loads(desk.read_text())["server"] == {"enabled": True, "url": address}
    with serving("up", "--dir", folder, "--port", "0", "--no-simulation") as server:
        address, again = log_in(server)
        assert again == password
        person = httpx.get(f"{address}/apps", auth=("ada.birch", password), verify=NO_TLS).json()["applications"]
        assert page_of(person, "market-watch") != watch
        assert "Market Watch" in httpx.get(page_of(person, "market-watch"), verify=NO_TLS).text
        server.line_with("a desktop")
        assert json.loads(desk.read_text())["server"]["url"] == address
        assert (
            httpx.get(f"{address}/admin/users", auth=("admin", again), verify=NO_TLS).json()["total"] == totals["users"]
        )
        assert server.stop() == 0


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no second address that every machine has")
def test_in_a_container_the_pages_of_the_demo_its_apps_and_its_gateway_are_reached_by_forwarded_ports(
    tmp_path: Path,
) -> None:
    """A container listens on all addresses, and the browser sees the addresses of the machine that forwards."""
    environment = clean_environment(API_HOST="0.0.0.0")
    with serving("up", "--no-simulation", "--port", "0", cwd=tmp_path, environment=environment) as server:
        line = server.line_with("listening on").strip()
        address = line.split()[2].rstrip(",")
        assert line == f"listening on {address}, and on the other addresses of this machine"
        password = server.line_with("password").split()[1]
        platform, apps = server.line_with("in a browser").split()[3], server.line_with("demo apps").split()[2]
        server.line_with("a desktop")
        info = httpx.get(f"{address}/v2/server/info", auth=("ada.birch", password), verify=NO_TLS).json()
        person = httpx.get(f"{address}/apps", auth=("ada.birch", password), verify=NO_TLS).json()["applications"]
        assert page_of(person, "market-watch") == apps
        assert {httpx.URL(each).host for each in (address, platform, apps, info["gatewayUrl"])} == {"127.0.0.1"}
        for url in (f"{address}/health/live", platform, apps):
            forwarded = httpx.URL(url)
            headers = {"Host": forwarded.netloc.decode()}
            reached = httpx.get(forwarded.copy_with(host=OTHER), headers=headers, verify=NO_TLS)
            assert reached.status_code == 200
        token = httpx.post(f"{address}/token/refresh", auth=("ada.birch", password), verify=NO_TLS).json()["token"]
        assert asyncio.run(channels_at(info["gatewayUrl"].replace("127.0.0.1", OTHER), token)) != []
        assert server.stop() == 0
    desk = json.loads((tmp_path / "rostrum-demo" / "desk" / "config" / "system.json").read_text())
    assert desk["server"]["url"] == address


def test_up_leaves_alone_what_it_did_not_make(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    (tmp_path / "rostrum.db").write_text("no database")

    refused = run("up", "--dir", str(tmp_path), "--port", "0")

    assert refused.returncode == 1
    assert "rostrum.db is there without rostrum.json" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["precious.txt", "rostrum.db"]


def test_up_takes_back_only_its_own_files_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run("up", "--dir", str(tmp_path), "--port", str(taken.getsockname()[1]))

    assert refused.returncode != 0
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]
    assert (tmp_path / "precious.txt").read_text() == "mine"


@pytest.mark.long
def test_a_first_start_that_was_killed_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "taste"
    with serving("up", "--dir", str(folder), "--port", "0") as server:
        for _ in range(PATIENCE * 100):
            if any("apps" in line for line in server.messages):
                break
            time.sleep(0.01)
        else:
            pytest.fail("".join(server.messages))
        server.process.kill()
        server.process.wait(PATIENCE)
    assert not (folder / "rostrum.json").exists()

    with serving("up", "--dir", str(folder), "--port", "0", "--no-simulation") as server:
        address, password = log_in(server)
        feedback = httpx.get(f"{address}/admin/feedback", auth=("admin", password), verify=NO_TLS).json()["total"]
        assert server.stop() == 0
    # Feedback is the last part of the demo.
    assert feedback > 0
    assert not (folder / ".unfinished").exists()

    # Killed between the last two steps, it lacks only its settings.
    (folder / ".unfinished").mkdir()
    (folder / "rostrum.json").replace(folder / ".unfinished" / "rostrum.json")
    with serving("up", "--dir", str(folder), "--port", "0", "--no-simulation") as server:
        assert log_in(server)[1] == password


@pytest.mark.long
def test_up_takes_a_free_port_when_the_usual_one_is_taken(tmp_path: Path) -> None:
    folder = copy_demo(tmp_path / "taste")
    with serving("up", "--dir", str(folder), "--port", "0", "--no-simulation") as first:
        taken = first.address.rsplit(":", 1)[1].removesuffix("/api")
        config = folder / "rostrum.json"
        config.write_text(config.read_text().replace("4356", taken))
        with serving("up", "--dir", str(folder), "--no-simulation") as second:
            assert f":{taken}/" not in second.address
            assert second.stop() == 0
        assert first.stop() == 0


@pytest.mark.long
def test_one_more_command_starts_a_desktop_for_the_demo_user(tmp_path: Path) -> None:
    folder = copy_demo(tmp_path / "taste")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    manager = ("up", "--dir", str(folder), "--port", port, "--no-simulation")
    with serving(*manager) as server:
        _, password = log_in(server)
        server.line_with("a desktop")
        config = folder / "desk" / "config" / "system.json"
        # Other tests run gateways, too.
        config.write_text(json.dumps({**json.loads(config.read_text()), "gw": {"configuration": {"port": 0}}}))
        with serving("up", "--dir", str(folder), "--desk", "--headless") as desktop:
            desktop.line_with("ready:")
            assert any("using the manager that is running" in line for line in desktop.messages)
            assert password not in "".join(desktop.messages)
            assert desktop.stop() == 0
        assert server.stop() == 0

    with serving(*manager, "--desk", "--headless") as server:
        server.line_with("listening on")
        server.line_with("ready:")
        assert len(list((folder / "desk").glob("credentials-*"))) == 1
        assert server.stop() == 0
        # Nothing holds the output open: the desktop has ended, too.
        assert server.output.read() == ""
    assert list((folder / "desk").glob("credentials-*")) == []
    assert not list((folder / "desk").rglob("key.json"))


def test_a_desktop_with_windows_reports_missing_requirements(tmp_path: Path) -> None:
    folder = tmp_path / "taste"
    environment = {"ROSTRUM_WINDOWS_TEST": "1", "DISPLAY": "", "QT_QPA_PLATFORM": "xcb"}
    refused = run("up", "--dir", str(folder), "--port", "0", "--desk", **environment)
    assert refused.returncode == 2
    assert "There is no display" in refused.stderr or "Windows need the browser engine" in refused.stderr
    assert not folder.exists()
