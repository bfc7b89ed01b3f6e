"""rostrum manager tokens and rostrum manager api, as real processes on one database and against a running manager."""

import json
from pathlib import Path

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run, serving

__all__ = ["config", "empty_manager"]


def tokens(config: str, *words: str) -> tuple[int, str, str]:
    done = run("manager", "tokens", *words, "--config", config)
    return done.returncode, done.stdout.strip(), done.stderr


@pytest.mark.long
def test_a_token_is_created_listed_used_and_revoked(config: str, tmp_path: Path) -> None:
    add = ("manager", "user", "add", "robot", "--service", "--group", "PLATFORM_MANAGER:USERS:READ")
    assert run(*add, "--config", config).returncode == 0

    status, text, said = tokens(config, "create", "robot", "--name", "nightly", "-p", "USERS:READ", "--days", "30")
    assert status == 0, said
    assert text.startswith("rostrum_")
    (listed,) = json.loads(tokens(config, "list", "--json")[1])
    assert (listed["user"], listed["name"], listed["lastUsed"]) == ("robot", "nightly", None)
    assert listed["permissions"] == ["PLATFORM_MANAGER:USERS:READ"]
    shown = tokens(config, "list")[1]
    assert ("nightly" in shown, "never" in shown, text in shown) == (True, True, False)
    assert "service account" in run("manager", "user", "list", "--config", config).stdout

    file = tmp_path / "token"
    file.write_text(text + "\n")
    Path(config).write_text(json.dumps({**json.loads(Path(config).read_text()), "port": 0}))
    with serving("manager", "serve", "--config", config) as server:
        url = server.address
        for variables in ({"ROSTRUM_API_TOKEN": text}, {"ROSTRUM_API_TOKEN_FILE": str(file)}):
            call = ("manager", "api", "GET", "/admin/users?service=true", "--url", url)
            answered = run(*call, **variables)
            assert answered.returncode == 0, answered.stderr
            assert [user["id"] for user in json.loads(answered.stdout)["items"]] == ["robot"]
        refused = run("manager", "api", "GET", "/admin/apps", "--url", url, ROSTRUM_API_TOKEN=text)
        assert (refused.returncode, "PLATFORM_MANAGER:APPS:READ" in refused.stderr) == (1, True)
        assert json.loads(tokens(config, "list", "--json")[1])[0]["lastUsed"] is not None
        assert tokens(config, "revoke", listed["id"])[0] == 0
        refused = run("manager", "api", "GET", "/me", "--url", url, ROSTRUM_API_TOKEN=text)
        assert (refused.returncode, text in refused.stderr) == (1, False)
    assert json.loads(tokens(config, "list", "--json")[1]) == []


@pytest.mark.long
def test_a_token_that_cannot_be_created_is_refused_with_the_reason(config: str) -> None:
    assert run("manager", "user", "add", "robot", "--service", "--config", config).returncode == 0
    for words, reason in (
        (("nobody", "--name", "x"), "there is no user 'nobody'"),
        (("robot", "--name", "x", "--days", "4000"), "apiTokens.maxDays"),
        (("robot", "--name", "x", "-p", "APPS:READ"), "the user 'robot' does not have this permission"),
        (("robot", "--name", "x", "-p", "APPS:FLY"), "there is no such permission"),
    ):
        status, text, said = tokens(config, "create", *words)
        assert (status, text) == (1, ""), words
        assert reason in said
    missing = run("manager", "api", "GET", "/me", "--url", "http://127.0.0.1:9/api")
    assert (missing.returncode, "ROSTRUM_API_TOKEN" in missing.stderr) == (2, True)
