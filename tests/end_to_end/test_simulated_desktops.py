"""The demo looks active whenever it is opened: simulated desktops answer, and end with the manager."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from rostrum.manager.demo.read import read_demo
from tests.end_to_end.demo_folder import copy_demo
from tests.end_to_end.processes import PATIENCE, Running, serving
from tests.plain_http import NO_TLS

ONLINE = [desktop for desktop in read_demo().desktops if desktop["online"]]
DAY_MS = 24 * 60 * 60 * 1000
TIMES = {
    "sessions": ("started", "last_seen", "ended"),
    "machines": ("first_seen", "last_seen"),
    "commands": ("created", "delivered", "finished"),
    "crashes": ("received",),
    "feedback": ("received",),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_demo(tmp_path / "demo")


@contextmanager
def opened(folder: Path, *options: str) -> Iterator[tuple[Running, httpx.Client]]:
    """Open the demo, and look at it as its administrator."""
    with serving("up", "--dir", str(folder), "--port", "0", *options) as server:
        address = server.address
        password = server.line_with("password").split()[1]
        with httpx.Client(base_url=address, auth=("admin", password), timeout=PATIENCE, verify=NO_TLS) as admin:
            yield server, admin


def until(answer: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """Ask until the answer is right."""
    got = None
    for _ in range(1200):
        got = answer()
        if wanted(got):
            return got
        time.sleep(0.05)
    raise AssertionError(f"still {got!r}")


def items(admin: httpx.Client, path: str, **query: str | int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = admin.get(f"/admin/{path}", params={"limit": 1000, **query}).json()["items"]
    return found


def live(admin: httpx.Client, count: int = len(ONLINE)) -> list[dict[str, Any]]:
    """Wait until so many desktops are connected."""
    found: list[dict[str, Any]] = until(
        lambda: items(admin, "sessions", active="true"), lambda sessions: len(sessions) == count
    )
    return found


def ended_by(server: Running, number: signal.Signals) -> int:
    """End the demo with a signal; nothing that it has started may be left."""
    server.process.send_signal(number)
    code = server.process.wait(PATIENCE)
    until(lambda: has_no_process_left(server), bool)
    return code


def has_no_process_left(server: Running) -> bool:
    """Return whether the process and everything it has started is gone; they are one process group."""
    try:
        os.killpg(server.process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.long
def test_every_live_desktop_answers_commands_reports_receipts_restarts_and_signs_out_at_the_end(folder: Path) -> None:
    with opened(folder) as (server, admin):
        sessions = live(admin)
        assert sorted(session["user"] for session in sessions) == sorted(desktop["user"] for desktop in ONLINE)
        machines = {machine["id"]: machine for machine in items(admin, "machines")}
        for session in sessions:
            assert session["machine"].startswith("SIMULATED-")
            assert machines[session["machine"]]["info"]["simulated"] is True
        assert all(at(machine["firstSeen"]) <= at(machine["lastSeen"]) for machine in machines.values())
        assert all(at(one["started"]) <= at(one["lastSeen"]) for one in items(admin, "sessions"))
        # Some desktops stay offline.
        assert {machine["id"] for machine in machines.values()} > {session["machine"] for session in sessions}

        order = {"sessions": [session["id"] for session in sessions], "command": "GetSystemInfo"}
        sent = admin.post("/admin/commands", json=order)
        assert sent.status_code == 201, sent.text
        wanted = {command["id"] for command in sent.json()["items"]}
        answered = until(
            lambda: [one for one in items(admin, "commands") if one["id"] in wanted],
            lambda commands: all(command["status"] == "done" for command in commands),
        )
        assert len(answered) == len(sessions)
        assert all(command["data"]["simulated"] is True for command in answered)
        assert all(at(one["created"]) <= at(one["delivered"]) <= at(one["finished"]) for one in answered)

        [base] = items(admin, "configs", file="system.json", scope="base")
        contents = {**base["contents"], "spellchecker": {"enabled": False}}
        changed = admin.patch(f"/admin/configs/{base['id']}", json={"contents": contents})
        assert changed.status_code == 200, changed.text
        receipts = until(
            lambda: admin.get(
                "/admin/sessions/receipts", params={"kind": "systemConfig", "revision": changed.json()["revision"]}
            ).json(),
            lambda receipts: receipts["pending"] == 0,
        )
        assert receipts["applied"] == len(sessions)

        # A desktop that is asked to restart opens another session.
        before = next(session for session in sessions if session["user"] == "ada.birch")
        [command] = admin.post("/admin/commands", json={"session": before["id"], "command": "Restart"}).json()["items"]
        until(lambda: admin.get(f"/admin/commands/{command['id']}").json()["status"], lambda status: status == "done")
        [after] = until(
            lambda: items(admin, "sessions", active="true", user="ada.birch"),
            lambda found: len(found) == 1 and found[0]["id"] != before["id"],
        )
        assert ended_by(server, signal.SIGTERM) == 0
        assert "Traceback" not in "".join(server.messages)

    # Desktops that ended properly have signed out.
    with opened(folder, "--no-simulation") as (server, admin):
        ended = {session["id"]: session["ended"] for session in items(admin, "sessions")}
        assert all(ended[session["id"]] is not None for session in [*sessions, after])
        assert items(admin, "sessions", active="true") == []
        assert server.stop() == 0


@pytest.mark.long
def test_a_demo_that_was_killed_long_ago_is_live_again_and_keeps_what_people_have_edited(folder: Path) -> None:
    """The desktop of a user who cannot sign in stays offline, and this is logged."""
    with opened(folder) as (server, admin):
        live(admin)
        # The newest crash follows a change, whose time is part of the audit. Both keep their times.
        *_, crash, _ = sorted(items(admin, "crashes"), key=lambda one: str(one["received"]))
        review = {"reviewed": True, "comment": "mine"}
        assert admin.patch(f"/admin/crashes/{crash['id']}", json=review).status_code == 200
        feedback = items(admin, "feedback")
        assert admin.delete(f"/admin/feedback/{feedback[0]['id']}").status_code == 204
        assert admin.patch("/admin/users/ben.calder", json={"disabled": True}).status_code == 200
        assert ended_by(server, signal.SIGKILL) == -signal.SIGKILL
    make_older(folder / "rostrum.db", days=200)

    with opened(folder) as (server, admin):
        sessions = live(admin, len(ONLINE) - 1)
        assert "ben.calder" not in {session["user"] for session in sessions}
        now = datetime.now(UTC)
        received = at(admin.get(f"/admin/crashes/{crash['id']}").json()["received"])
        assert now - timedelta(hours=1) < received <= now
        kept = admin.get(f"/admin/crashes/{crash['id']}").json()
        assert (kept["reviewed"], kept["comment"], kept["reviewedBy"]) == (True, "mine", "admin")
        assert {one["id"] for one in items(admin, "feedback")} == {one["id"] for one in feedback[1:]}
        newest = max(at(one["received"]) for one in items(admin, "feedback"))
        assert now - timedelta(hours=2) < newest <= now
        everything = items(admin, "sessions")
        # None is silent but the one that the demo shows as such.
        assert [one["id"] for one in everything if one["ended"] is None and not one["active"]] == ["simulated-01"]
        assert {one["machine"] for one in sessions} < {one["machine"] for one in everything}
        assert all(at(one["firstSeen"]) <= at(one["lastSeen"]) <= datetime.now(UTC) for one in items(admin, "machines"))
        assert ended_by(server, signal.SIGINT) == 0
    assert any("simulated desktop of ben.calder cannot sign in" in line for line in server.messages)


def make_older(database: Path, *, days: int) -> None:
    """Move all activity into the past, as if the folder was made then."""
    with sqlite3.connect(database) as connection:
        for table, columns in TIMES.items():
            moved = ", ".join(f"{column} = {column} - {days * DAY_MS}" for column in columns)
            connection.execute(f"UPDATE {table} SET {moved}")
    connection.close()


@pytest.mark.long
def test_a_database_that_is_no_demo_gets_no_simulated_desktops(folder: Path) -> None:
    (folder / "rostrum.db").unlink()
    with opened(folder) as (server, admin):
        assert [user["id"] for user in items(admin, "users")] == ["admin"]
        assert items(admin, "machines") == []
        assert server.stop() == 0
    assert not any("simulated" in line for line in server.messages)
