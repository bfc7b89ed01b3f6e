"""A file of users."""

import json
import os
from pathlib import Path

import pytest

from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.users_file import BadUsersFile, UsersFile, add_user


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "users.json"
    add_user(path, "Ada", "right")
    return path


async def test_the_right_secret_gives_the_name_as_it_is_in_the_file(path: Path) -> None:
    users = UsersFile(path)

    assert await users.check("ADA", "right", "127.0.0.1") == Account(user="Ada")
    assert await users.check("ada", "wrong", "127.0.0.1") is None
    assert await users.check("nobody", "right", "127.0.0.1") is None


async def test_names_can_be_told_apart_by_case(path: Path) -> None:
    users = UsersFile(path, case_sensitive=True)

    assert await users.check("Ada", "right", "127.0.0.1") is not None
    assert await users.check("ada", "right", "127.0.0.1") is None


async def test_the_file_is_read_again_when_it_has_changed(path: Path) -> None:
    users = UsersFile(path)

    add_user(path, "svc", "another secret", service=True)

    assert await users.check("svc", "another secret", "127.0.0.1") == Account(user="svc", is_service=True)


async def test_a_file_that_has_gone_lets_nobody_in(path: Path) -> None:
    users = UsersFile(path)
    os.unlink(path)  # noqa: PTH108 - nothing else runs here

    with pytest.raises(CannotCheck):
        await users.check("svc", "another secret", "127.0.0.1")


def test_secrets_are_not_in_the_file_and_only_the_owner_reads_it(path: Path) -> None:
    text = path.read_text()

    assert "right" not in text
    assert "scrypt$" in text
    assert os.name == "nt" or path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "{", "[]", '{"users": 7}', '{"users": {"a": "plain"}}', '{"other": {}}'])
def test_a_file_that_is_none_is_refused(path: Path, content: str) -> None:
    path.write_text(content)

    with pytest.raises(BadUsersFile):
        UsersFile(path)


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "plain",
        "scrypt$1$1$1$x",
        "scrypt$3$8$1$AAAA$AAAA",
        "md5$1$1$1$AAAA$AAAA",
        "scrypt$99999999999$8$1$AAAA$AAAA",
    ],
)
def test_a_hash_that_is_none_fits_nothing(path: Path, stored: str) -> None:
    path.write_text(json.dumps({"users": {"Ada": {"secret": stored}}}))

    assert UsersFile(path)._check("Ada", stored) is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadUsersFile, match=r"nowhere\.json"):
        UsersFile(tmp_path / "nowhere.json")
