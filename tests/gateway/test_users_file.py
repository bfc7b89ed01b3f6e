"""A file of users: secrets, guesses, old hashes, and what happens when a user is removed."""

import asyncio
import base64
import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.users_file import BadUser, BadUsersFile, UsersFile, add_user
from tests.end_to_end.processes import run, serving
from tests.gateway.sockets import running, talking

HERE = "192.0.2.1"
RIGHT, WRONG = "the right secret", "a wrong secret"


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    cheap = Passwords(memory_kib=8, rounds=1)
    yield cheap
    cheap.close()


@pytest.fixture
def path(tmp_path: Path, passwords: Passwords) -> Path:
    path = tmp_path / "users.json"
    add_user(path, "Ada", RIGHT, passwords=passwords)
    return path


@pytest.fixture
def users(path: Path, passwords: Passwords, clock: SettableClock) -> UsersFile:
    return UsersFile(path, passwords=passwords, clock=clock)


def weak_hash(secret: str) -> str:
    """What earlier versions kept of a secret."""
    salt = os.urandom(16)
    hashed = hashlib.scrypt(secret.encode(), salt=salt, n=1 << 14, r=8, p=1, maxmem=64 * 1024 * 1024, dklen=32)
    return "$".join(("scrypt", "16384", "8", "1", *(base64.b64encode(part).decode() for part in (salt, hashed))))


def write(path: Path, **users: str) -> None:
    path.write_text(json.dumps({"users": {name: {"secret": secret} for name, secret in users.items()}}))


def stored(path: Path) -> dict[str, str]:
    return {name: user["secret"] for name, user in json.loads(path.read_text())["users"].items()}


async def test_the_right_secret_gives_the_name_as_it_is_in_the_file(users: UsersFile) -> None:
    assert await users.check("ADA", RIGHT, HERE) == Account(user="Ada")
    assert await users.check("ada", WRONG, HERE) is None
    assert await users.check("nobody", RIGHT, HERE) is None


async def test_names_can_be_distinguished_by_case(path: Path, passwords: Passwords) -> None:
    users = UsersFile(path, case_sensitive=True, passwords=passwords)

    assert await users.check("Ada", RIGHT, HERE) is not None
    assert await users.check("ada", RIGHT, HERE) is None


async def test_the_file_is_read_again_when_it_has_changed(path: Path, users: UsersFile, passwords: Passwords) -> None:
    add_user(path, "svc", "another secret", service=True, passwords=passwords)

    assert await users.check("svc", "another secret", HERE) == Account(user="svc", is_service=True)


async def test_without_the_users_file_no_user_can_sign_in(path: Path, users: UsersFile) -> None:
    os.unlink(path)  # noqa: PTH108 - nothing else runs here

    with pytest.raises(CannotCheck):
        await users.check("svc", "another secret", HERE)


def test_secrets_are_hashed_as_the_manager_does_and_only_the_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    add_user(path, "Ada", RIGHT)
    text = path.read_text()

    assert RIGHT not in text
    assert f"$argon2id$v=19$m={Passwords.memory_kib},t={Passwords.rounds},p=1$" in text
    assert os.name == "nt" or path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("secret", ["", "x", "seven77"])
async def test_short_secrets_are_neither_kept_nor_accepted(path: Path, users: UsersFile, secret: str) -> None:
    before = stored(path)
    with pytest.raises(BadUser, match="at least 8 characters"):
        add_user(path, "Ada", secret)
    assert stored(path) == before

    write(path, Ada=weak_hash(secret))
    with pytest.raises(CannotCheck, match="add-user"):
        await users.check("Ada", secret, HERE)


@pytest.mark.parametrize("secret", ["password", "PASSWORD", "12345678"])
def test_the_most_common_secrets_are_refused(path: Path, secret: str) -> None:
    with pytest.raises(BadUser, match="most common"):
        add_user(path, "Ada", secret)


@pytest.mark.parametrize("name", ["ADA", "ada ", "аda", "", " ", "a\u200bda", "Ada\n"])
def test_a_name_that_could_be_taken_for_another_is_refused(path: Path, name: str) -> None:
    with pytest.raises(BadUser):
        add_user(path, name, RIGHT)


def test_names_in_the_file_that_differ_in_case_only_are_refused_unless_case_counts(path: Path) -> None:
    write(path, Ada="x", ADA="x")

    with pytest.raises(BadUsersFile, match="usernameCaseSensitive"):
        UsersFile(path)
    UsersFile(path, case_sensitive=True)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"users": 7}', '{"users": {"a": "plain"}}', '{"other": {}}'])
def test_an_invalid_file_is_refused(path: Path, content: str) -> None:
    path.write_text(content)

    with pytest.raises(BadUsersFile):
        UsersFile(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain text",
        "$argon2id$nonsense",
        "scrypt$1$1$1$x",
        "scrypt$3$8$1$AAAA$AAAA",
        "md5$1$1$1$AAAA$AAAA",
        "scrypt$99999999999$8$1$AAAA$AAAA",
    ],
)
async def test_an_invalid_hash_fits_nothing(path: Path, users: UsersFile, text: str) -> None:
    write(path, Ada=text)

    assert await users.check("Ada", text.ljust(8), HERE) is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadUsersFile, match=r"nowhere\.json"):
        UsersFile(tmp_path / "nowhere.json")


@pytest.mark.long
async def test_old_hashes_are_accepted_and_replaced_at_the_next_sign_in(path: Path, users: UsersFile) -> None:
    write(path, Ada=weak_hash(RIGHT), Ben=weak_hash("the secret of ben"))
    assert await users.check("Ada", WRONG, HERE) is None
    assert await users.check("nobody", RIGHT, HERE) is None

    assert await users.check("Ada", RIGHT, HERE) == Account(user="Ada")

    assert stored(path)["Ada"].startswith("$argon2id$")
    assert stored(path)["Ben"].startswith("scrypt$")
    assert await users.check("Ada", RIGHT, HERE) == Account(user="Ada")
    assert await users.check("Ada", WRONG, HERE) is None


@pytest.mark.long
async def test_replacing_a_hash_ends_no_session(path: Path, users: UsersFile, passwords: Passwords) -> None:
    write(path, Ada=weak_hash(RIGHT))
    accounts = await asyncio.gather(*(users.check("Ada", RIGHT, HERE) for _ in range(5)))
    accounts.append(await users.check("Ada", RIGHT, HERE))

    sessions = {account.session for account in accounts if account is not None}
    assert None not in accounts
    assert [session is not None and not session.is_ended for session in sessions] == [True]


@pytest.mark.long
async def test_a_file_that_cannot_be_written_keeps_its_old_hashes_and_is_named(
    path: Path, users: UsersFile, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    write(path, Ada=weak_hash(RIGHT))
    monkeypatch.setattr("rostrum.gateway.users_file.write_whole", full)

    assert await users.check("Ada", RIGHT, HERE) == Account(user="Ada")
    assert await users.check("Ada", RIGHT, HERE) == Account(user="Ada")
    assert [record.levelno for record in caplog.records if "weak hashes" in record.message] == [logging.WARNING]


async def test_guesses_are_limited_as_at_the_manager(users: UsersFile, clock: SettableClock) -> None:
    for number in range(10):
        assert await users.check("Ada", f"{WRONG} {number}", HERE) is None
    for name in ("Ada", "ADA"):
        with pytest.raises(CannotCheck, match="Try again in 10 s"):
            await users.check(name, RIGHT, HERE)

    clock.advance(11)
    assert await users.check("Ada", RIGHT, HERE) is not None


async def test_a_user_who_is_removed_or_gets_another_secret_is_disconnected(path: Path, passwords: Passwords) -> None:
    add_user(path, "Ben", RIGHT, passwords=passwords)
    add_user(path, "Cid", RIGHT, passwords=passwords)
    users = UsersFile(path, passwords=passwords)
    async with (
        running(secrets=users) as gateway,
        talking(gateway) as ada,
        talking(gateway) as ben,
        talking(gateway) as cid,
        talking(gateway) as stranger,
    ):
        tokens = {}
        for name, talker in (("Ada", ada), ("Ben", ben), ("Cid", cid)):
            assert (await talker.hello(name, RIGHT))["type"] == "welcome"
            tokens[name] = (await talker.ask(type="create-token"))["token"]

        add_user(path, "Ada", "another right secret", passwords=passwords)
        kept = stored(path)
        del kept["Ben"]
        write(path, **kept)

        assert (await ada.closed())[0] == 1008
        assert (await ben.closed())[0] == 1008
        assert (await cid.ask(type="create-token"))["type"] == "token"
        for name, expected in (("Ada", "error"), ("Ben", "error"), ("Cid", "welcome")):
            authentication = {"method": "gateway-token", "token": tokens[name]}
            assert (await stranger.ask(type="hello", authentication=authentication))["type"] == expected


@pytest.mark.long
def test_guesses_over_separate_connections_are_limited(tmp_path: Path) -> None:
    """200 guesses, each on a connection of its own, at a real process."""
    path = tmp_path / "users.json"
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    secret = run("gateway", "add-user", str(path), "Ada", "--generate").stdout.strip()

    async def attack(address: str) -> list[str]:
        async def guess(number: int) -> str:
            async with talking(address) as talker:
                answer = await talker.hello("Ada", f"guess number {number}")
                assert answer["type"] == "error"
                return str(answer["reason"])

        found = []
        for first in range(0, 200, 20):
            found += await asyncio.gather(*(guess(number) for number in range(first, first + 20)))
        async with talking(address) as owner:
            assert "Too many" in (await owner.hello("Ada", secret))["reason"]
        return found

    with serving("gateway", "--port", "0", "--users", str(path), environment=environment) as gateway:
        began = time.monotonic()
        reasons = asyncio.run(attack(gateway.address))
        checked = sum("wrong" in reason and "Too many" not in reason for reason in reasons)
        # Ten are free, then one every ten seconds.
        assert checked <= 10 + 1 + (time.monotonic() - began) / 10
        assert gateway.stop() == 0


async def test_sign_ins_and_refusals_are_logged_without_secrets_and_without_a_flood(
    path: Path, passwords: Passwords, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    logins = [("ada", RIGHT), ("ada", WRONG), ("my secret word", WRONG), *[("ada", f"{WRONG} {n}") for n in range(12)]]
    async with running(secrets=UsersFile(path, passwords=passwords, clock=clock)) as gateway:
        for login, secret in [*logins, *logins]:
            async with talking(gateway) as talker:
                await talker.hello(login, secret)
    told = [one.__dict__["fields"] for one in caplog.records if one.name == "rostrum.security"]
    here = {"address": "127.0.0.1"}
    assert told == [
        {"event": "logIn", "user": "Ada", **here},
        {"event": "logInRefused", "user": "Ada", **here},
        {"event": "logInRefused", "user": "(unknown)", **here},
        {"event": "logInThrottled", "user": "Ada", **here},
    ]
    assert "my secret word" not in caplog.text
    assert RIGHT not in caplog.text
    assert WRONG not in caplog.text
