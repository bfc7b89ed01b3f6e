"""A new user's first day: the demo of `rostrum up`, the desktop without windows, a client library, and the manager."""

import json
import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.end_to_end.demo_folder import copy_demo
from tests.end_to_end.processes import Running, run, serving
from tests.end_to_end.test_up import log_in
from tests.plain_http import NO_TLS
from tools.node import find_node

PERSON, LAYOUT, WANTED = "ada.birch", "First Day", "news-wire"
OTHER, AT_TERMINAL = "staff-directory", "At The Terminal"
TESTS = Path(__file__).parents[1]


def until(answer: Callable[[], Any], wanted: Callable[[Any], bool], desktop: Running) -> Any:
    """Ask until the answer is right."""
    end = time.monotonic() + 120
    while not wanted(found := answer()):
        assert time.monotonic() < end, f"{found}\n{''.join(desktop.messages)}"
        time.sleep(0.05)
    return found


def helper() -> dict[str, Any]:
    """A Node app with the unmodified client library, as an administrator adds it."""
    script, modules = TESTS / "desktop" / "node" / "day.mjs", TESTS / "gateway" / "node" / "node_modules"
    details = {
        "path": str(script),
        "parameters": f"'{modules}' {WANTED} '{LAYOUT}'",
        "passGlueToken": True,
        "logging": True,
    }
    return {"definition": {"name": "helper", "type": "node", "details": details}, "public": True}


def at_the_terminal(desk: Path, admin: httpx.Client, person: httpx.Client, desktop: Running) -> None:
    """The same day with nothing but commands; the manager sees the layout and the app in it."""

    def ask(*arguments: str) -> Any:
        done = run("desktop", *arguments, "--json", cwd=desk)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    apps = {one["name"]: one for one in ask("apps", "--all")["applications"]}
    assert apps.keys() == {one["name"] for one in person.get("/apps").json()["applications"]}
    assert {one["store"] for one in apps.values()} == {f"server {str(person.base_url).rstrip('/')}"}
    started = ask("start", OTHER, "--context", '{"symbol": "VOD"}')
    ask("layout", "save", AT_TERMINAL)
    layouts = until(
        lambda: {one["name"]: one for one in person.get("/layouts").json()["layouts"]},
        lambda named: AT_TERMINAL in named,
        desktop,
    )
    kept = layouts[AT_TERMINAL]["components"]
    assert started["id"] in {one["state"]["instanceId"] for one in kept if one["application"] == OTHER}
    (listed,) = admin.get("/admin/layouts", params={"q": AT_TERMINAL}).json()["items"]
    assert (listed["owner"], listed["definition"]["name"]) == (PERSON, AT_TERMINAL)


@pytest.mark.long
@pytest.mark.rule("R-0-4", "R-1-1")
def test_the_desktop_connects_to_the_demo_starts_an_app_saves_a_layout_and_the_manager_sees_all_of_it(
    tmp_path: Path,
) -> None:
    desk = tmp_path / "demo" / "desk"
    path = f"{Path(find_node().node).parent}{os.pathsep}{os.environ['PATH']}"
    demo = copy_demo(tmp_path / "demo")
    with serving("up", "--dir", str(demo), "--port", "0", "--no-simulation") as manager:
        address, password = log_in(manager)
        printed = shlex.split(manager.line_with("a desktop"))
        assert Path(printed[printed.index("--config") + 1]).resolve() == desk / "config"
        (desk / "credentials").write_text(f"{PERSON}:{password}")
        system = json.loads((desk / "config" / "system.json").read_text())
        # Other tests use the usual port at the same time.
        (desk / "config" / "system.json").write_text(json.dumps({**system, "gw": {"configuration": {"port": 0}}}))
        options = ("--headless", "--credentials", "credentials")
        with (
            httpx.Client(base_url=address, auth=("admin", password), timeout=60, verify=NO_TLS) as admin,
            httpx.Client(base_url=address, auth=(PERSON, password), timeout=60, verify=NO_TLS) as person,
        ):
            assert admin.post("/admin/apps", json=helper()).status_code == 201
            with serving("desktop", *options, cwd=desk, environment={"PATH": path}) as desktop:
                assert int(desktop.line_with("ready:").split()[1]) == len(person.get("/apps").json()["applications"])

                def status() -> dict[str, Any]:
                    told: dict[str, Any] = json.loads((desk / "UserData/DEMO-EMEA/status.json").read_text())
                    return told

                began = until(status, lambda told: told.get("connected"), desktop)
                assert json.loads(run("desktop", "status", "--json", cwd=desk).stdout).items() >= began.items()
                assert (began["user"], began["manager"]) == (PERSON, address)
                assert {step["state"] for step in began["steps"]} <= {"done", "skipped"}, began["steps"]
                session = admin.get(f"/admin/sessions/{began['session']}").json()
                assert (session["user"], session["active"]) == (PERSON, True)
                order = {"session": began["session"], "command": "StartApps", "params": {"names": ["helper"]}}
                command = admin.post("/admin/commands", json=order).json()["items"][0]["id"]
                until(
                    lambda: admin.get(f"/admin/commands/{command}").json(),
                    lambda told: told["status"] == "done",
                    desktop,
                )
                layouts = until(
                    lambda: {one["name"]: one for one in person.get("/layouts").json()["layouts"]},
                    lambda named: LAYOUT in named,
                    desktop,
                )
                assert any(one["application"] == WANTED for one in layouts[LAYOUT]["components"])
                kept = person.get("/prefs", params={"app": WANTED}).json()["data"]
                assert kept == {"seen": began["apps"]}
                until(status, lambda told: WANTED in {one["app"] for one in told["instances"]}, desktop)
                at_the_terminal(desk, admin, person, desktop)
                assert desktop.stop() == 0
            assert admin.get(f"/admin/sessions/{began['session']}").json()["ended"] is not None
        assert manager.stop() == 0
    assert run("desktop", "status", cwd=desk).returncode == 1


@pytest.mark.rule("R-2.12-1")
def test_a_failed_start_states_the_reason_and_has_an_error_code(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    store = {"type": "path", "details": {"path": "nowhere"}}
    system = {"gw": {"configuration": {"port": 0}}, "appStores": [store]}
    (tmp_path / "config" / "system.json").write_text(json.dumps(system))

    done = run("desktop", "--headless", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: stores: a required app store cannot be retrieved")
