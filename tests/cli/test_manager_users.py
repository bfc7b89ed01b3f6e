"""rostrum manager user, as real processes on one database."""

import json
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.processes import run


@pytest.fixture(scope="module")
def empty_manager(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a manager without users; tests work on copies."""
    folder = tmp_path_factory.mktemp("manager")
    made = run("manager", "init", "--dir", str(folder))
    assert made.returncode == 0, made.stderr
    assert run("manager", "migrate", "--config", str(folder / "rostrum.json")).returncode == 0
    return folder


@pytest.fixture
def config(tmp_path: Path, empty_manager: Path) -> str:
    shutil.copytree(empty_manager, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "rostrum.json")


def users(config: str) -> dict[str, dict[str, object]]:
    listed = run("manager", "user", "list", "--json", "--config", config)
    assert listed.returncode == 0, listed.stderr
    return {user["id"]: user for user in json.loads(listed.stdout)}


@pytest.mark.long
def test_a_user_is_made_listed_changed_and_disabled(config: str) -> None:
    made = run(
        "manager", "user", "add", "zoë", "--group", "Desk", "--admin", "--email", "zoe@example.com",
        "--password-stdin", "--config", config, text="a good password\n",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "a good password" not in made.stdout + made.stderr
    assert users(config)["zoë"] == {
        "id": "zoë",
        "displayName": None,
        "email": "zoe@example.com",
        "groups": ["Desk", "PLATFORM_SERVER_ADMIN"],
        "disabled": False,
        "disabledSince": None,
        "service": False,
        "lastSeen": None,
    }

    grouped = run("manager", "user", "groups", "zoë", "--add", "Night", "--remove", "Desk", "--config", config)
    assert grouped.stdout.split() == ["Night", "PLATFORM_SERVER_ADMIN"]

    assert run("manager", "user", "disable", "zoë", "--config", config).returncode == 0
    assert users(config)["zoë"]["disabled"] is True
    assert run("manager", "user", "enable", "zoë", "--config", config).returncode == 0
    assert users(config)["zoë"]["disabled"] is False


@pytest.mark.long
def test_a_password_is_made_up_and_printed_alone(config: str) -> None:
    made = run("manager", "user", "add", "ann", "--generate", "--config", config)

    assert made.returncode == 0, made.stderr
    assert len(made.stdout.strip()) >= 16
    changed = run("manager", "user", "passwd", "ann", "--generate", "--config", config)
    assert changed.stdout.strip() != made.stdout.strip()


@pytest.mark.long
def test_a_user_is_signed_out(config: str) -> None:
    assert run("manager", "user", "add", "ann", "--generate", "--config", config).returncode == 0
    created = run("manager", "tokens", "create", "ann", "--name", "job", "--config", config)
    assert created.returncode == 0, created.stderr

    kept = ("--keep-tokens", "--keep-planned-work", "--json", "--comment", "Lost laptop")
    ended = run("manager", "user", "sign-out", "ann", *kept, "--config", config)
    assert json.loads(ended.stdout) == {"user": "ann", "desktops": 0, "apiTokens": 0, "plannedWork": 0}, ended.stderr
    said = run("manager", "user", "sign-out", "ann", "--config", config)
    assert "user ann signed out; desktops: 0, revoked API tokens: 1, stopped planned work: 0" in said.stderr

    entries = run("manager", "audit", "list", "--json", "--config", config).stdout
    assert "Lost laptop" in entries


@pytest.mark.long
def test_the_list_for_people_names_everyone(config: str) -> None:
    run("manager", "user", "add", "ann", "--generate", "--config", config)

    listed = run("manager", "user", "list", "--query", "AN", "--config", config)

    assert "ann" in listed.stdout


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (("add", "a:b", "--generate"), "must not hold a colon", 1),
        (("add", "ann", "--email", "nothing", "--generate"), "must be an address", 1),
        (("add", "ann"), "--password-stdin or --generate", 2),
        (("passwd", "nobody", "--generate"), "there is no user 'nobody'", 1),
        (("sign-out", "nobody"), "there is no user 'nobody'", 1),
        (("groups", "nobody"), "there is no user 'nobody'", 1),
        (("frobnicate",), "No such command", 2),
    ],
)
def test_mistakes_are_reported_in_words(config: str, arguments: tuple[str, ...], words: str, code: int) -> None:
    refused = run("manager", "user", *arguments, *(("--config", config) if code == 1 or len(arguments) > 1 else ()))

    assert refused.returncode == code
    assert words in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_same_user_twice_is_refused(config: str) -> None:
    run("manager", "user", "add", "ann", "--generate", "--config", config)

    refused = run("manager", "user", "add", "ann", "--generate", "--config", config)

    assert refused.returncode == 1
    assert "already" in refused.stderr


@pytest.mark.long
def test_the_comment_and_the_ticket_of_commands_are_in_the_audit(config: str) -> None:
    reason = ("--comment", "Größer", "--ticket", "OPS-7", "--config", config)
    assert run("manager", "user", "add", "ann", "--generate", *reason).returncode == 0
    assert run("manager", "user", "disable", "ann", *reason).returncode == 0

    listed = run("manager", "audit", "list", "--ticket", "OPS-*", "--json", "--config", config)
    entries = [(entry["operation"], entry["comment"], entry["ticket"]) for entry in json.loads(listed.stdout)]
    assert entries == [(f"rostrum manager user {word}", "Größer", "OPS-7") for word in ("disable", "add")]
    refused = run("manager", "user", "enable", "ann", "--comment", "two\nlines", "--config", config)
    assert (refused.returncode, "one line" in refused.stderr) == (1, True)


@pytest.mark.long
def test_commands_need_a_required_comment_too(config: str) -> None:
    file = Path(config)
    file.write_text(json.dumps({**json.loads(file.read_text()), "changes": {"commentRequired": ["user"]}}))

    refused = run("manager", "user", "add", "ann", "--generate", "--config", config)
    made = run("manager", "user", "add", "ann", "--generate", "--comment", "new", "--config", config)

    assert (refused.returncode, "comment" in refused.stderr) == (1, True)
    assert made.returncode == 0, made.stderr
