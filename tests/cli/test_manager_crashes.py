"""rostrum manager crashes, as real processes on one database."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]

GROUP = "0123456789abcdef0123456789abcdef"


def crash(config: str) -> None:
    """Store two reports of one group, as a desktop sends them."""
    with closing(sqlite3.connect(Path(config).parent / "rostrum.db")) as database, database:
        database.execute(
            "INSERT INTO crash_groups (id, product, app, version, signature, status, first_seen, last_seen, revision)"
            f" VALUES ('{GROUP}', 'Desk', 'chart', '10.1', 'renderer: killed', 'new', 1000, 2000, 1)"
        )
        for number, user in enumerate(("ann", "bob"), 1):
            database.execute(
                "INSERT INTO crashes (id, user_id, product, version, platform, process_type, fields, received,"
                " reviewed, comment, revision, app, group_id)"
                f" VALUES ('c{number}', '{user}', 'Desk', '10.1', '', 'renderer', '{{}}', {1000 * number}, false, '',"
                f" 1, 'chart', '{GROUP}')"
            )


@pytest.mark.long
def test_groups_are_listed_shown_assigned_noted_and_resolved(config: str) -> None:
    def manager(*words: str) -> tuple[int, str, str]:
        done = run("manager", *words, "--config", config)
        return done.returncode, done.stdout, done.stderr

    right = "PLATFORM_MANAGER:CRASHES:READ"
    assert manager("user", "add", "kai", "--generate", "--group", right)[0] == 0
    crash(config)

    (found,) = json.loads(manager("crashes", "groups", "--json")[1])["items"]
    assert (found["id"], found["count"], found["users"], found["status"]) == (GROUP, 2, 2, "new")
    assert "renderer: killed" in manager("crashes", "groups", "--status", "open", "--app", "chart")[1]
    assert json.loads(manager("crashes", "groups", "--since", "monday", "--json")[1])["items"] == []
    status, _, said = manager("crashes", "groups", "--since", "someday")
    assert (status, "is not a day" in said) == (2, True)

    assert manager("crashes", "assign", GROUP[:12], "kai")[0] == 0
    status, _, said = manager("crashes", "assign", GROUP, "nobody")
    assert (status, "there is no user 'nobody'" in said) == (1, True)
    assert manager("crashes", "note", GROUP, "known since Monday")[0] == 0
    assert json.loads(manager("crashes", "status", GROUP, "resolved", "--json")[1])["status"] == "resolved"
    assert manager("crashes", "status", GROUP, "returned")[0] == 2

    shown = json.loads(manager("crashes", "show", GROUP, "--json")[1])
    assert (shown["assignee"], [note["text"] for note in shown["notes"]]) == ("kai", ["known since Monday"])
    assert [each["user"] for each in shown["affected"]] == ["bob", "ann"]
    text = manager("crashes", "show", GROUP)[1]
    assert ("2 of 2 users" in text, "known since Monday" in text) == (True, True)
    assert shown["unreviewed"] > 0
    assert manager("bulk", "apply", "crash-groups", "resolve", GROUP, "--review-reports")[0] == 0
    assert json.loads(manager("crashes", "show", GROUP, "--json")[1])["unreviewed"] == 0
    status, _, said = manager("bulk", "apply", "crash-groups", "ignore", GROUP, "--review-reports")
    assert (status, "reviewReports" in said) == (1, True)
    report = manager("bulk", "apply", "crash-groups", "reopen", "--filter", "app=chart")
    assert report[0] == 0, report
    assert json.loads(manager("crashes", "groups", "--json")[1])["items"][0]["status"] == "new"
