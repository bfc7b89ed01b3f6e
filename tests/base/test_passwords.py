"""Passwords: the policy and the hashes."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from rostrum.base.errors import Overloaded
from rostrum.base.passwords import PasswordPolicy, Passwords


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    cheap = Passwords(memory_kib=8, rounds=1)
    yield cheap
    cheap.close()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the hasher really checked."""
    seen: list[tuple[str, str]] = []
    verify: Callable[..., Any] = PasswordHasher.verify

    def watched(self: PasswordHasher, stored: str, password: str) -> Any:
        seen.append((stored, password))
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    return seen


@pytest.mark.long
async def test_hashes_have_the_cost_that_owasp_names(passwords: Passwords) -> None:
    # Hashes in the processes of tests are cheap.
    code = "from rostrum.base.passwords import Passwords; print(Passwords().hash_now('secret'))"
    started = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    output, _ = await started.communicate()

    stored = output.decode().strip()
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.verify(stored, "secret")
    assert not await passwords.verify(stored, "Secret")
    assert passwords.is_outdated(stored)


async def test_the_same_password_is_never_stored_the_same_way_twice(passwords: Passwords) -> None:
    assert await passwords.hash("secret") != await passwords.hash("secret")


async def test_a_user_who_does_not_exist_costs_a_real_check(
    passwords: Passwords, checked: list[tuple[str, str]]
) -> None:
    known = await passwords.hash("secret")

    assert not await passwords.verify(None, "guess")
    assert not await passwords.verify(known, "guess")

    (unknown_hash, unknown_guess), (known_hash, _) = checked
    assert unknown_guess == "guess"
    assert unknown_hash.rpartition("$")[0].rpartition("$")[0] == known_hash.rpartition("$")[0].rpartition("$")[0]
    assert [len(part) for part in unknown_hash.split("$")] == [len(part) for part in known_hash.split("$")]
    with pytest.raises(VerifyMismatchError):  # a hash that cannot be read would be refused without the work
        PasswordHasher().verify(unknown_hash, "guess")


@pytest.mark.parametrize("password", ["a", "x" * 73, "x" * 1024, "пароль 🔑 ünïcödé", " a:b\tc ", "'; --"])
async def test_passwords_of_every_kind_are_distinguished(passwords: Passwords, password: str) -> None:
    stored = await passwords.hash(password)

    assert await passwords.verify(stored, password)
    assert not await passwords.verify(stored, password + "x")
    assert not await passwords.verify(stored, password[:-1])


async def test_every_letter_counts_past_the_72nd(passwords: Passwords) -> None:
    stored = await passwords.hash("x" * 100 + "a")

    assert not await passwords.verify(stored, "x" * 100 + "b")


@pytest.mark.parametrize("stored", ["", "secret", "$argon2id$", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$", "$2b$12$abc"])
async def test_what_is_no_hash_matches_nothing(passwords: Passwords, stored: str) -> None:
    assert not await passwords.verify(stored, "secret")


async def test_a_hash_of_another_cost_is_good_but_outdated(passwords: Passwords) -> None:
    dearer = Passwords(memory_kib=16, rounds=2)
    try:
        old, new = await passwords.hash("secret"), await dearer.hash("secret")

        assert await dearer.verify(old, "secret")
        assert dearer.is_outdated(old)
        assert not dearer.is_outdated(new)
    finally:
        dearer.close()


async def test_the_event_loop_is_not_blocked_while_a_password_is_checked(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(PasswordHasher, "verify", lambda *_: may_end.wait(10))

    check = asyncio.create_task(passwords.verify("stored", "secret"))
    await asyncio.sleep(0)
    assert not check.done()
    may_end.set()

    assert await check


async def test_past_the_bound_a_check_is_refused_and_later_ones_are_taken_again(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(PasswordHasher, "verify", lambda *_: may_end.wait(10))

    checks = [asyncio.create_task(passwords.verify("stored", "secret")) for _ in range(256)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await passwords.verify("stored", "secret")
    may_end.set()

    assert all(await asyncio.gather(*checks))
    assert await passwords.verify("stored", "secret")


async def test_abandoned_checks_do_not_count(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(PasswordHasher, "verify", lambda *_: may_end.wait(10))
    checks = [asyncio.create_task(passwords.verify("stored", "secret")) for _ in range(256)]
    await asyncio.sleep(0)

    for check in checks:
        check.cancel()
    await asyncio.gather(*checks, return_exceptions=True)
    may_end.set()

    assert await passwords.verify("stored", "secret")


async def test_those_who_wait_are_served_in_the_order_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[str] = []

    def verify(_hasher: PasswordHasher, _stored: str, password: str) -> bool:
        began.append(password)
        return True

    monkeypatch.setattr(PasswordHasher, "verify", verify)
    # With one thread the order in which they begin is the order in which they are taken from the queue.
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    passwords = Passwords(memory_kib=8, rounds=1)
    try:
        came = [f"password {number}" for number in range(100)]
        await asyncio.gather(*(passwords.verify("stored", password) for password in came))
    finally:
        passwords.close()

    assert began == came


@pytest.mark.skipif(sys.platform != "linux", reason="only there has a thread a priority of its own")
async def test_hashing_gives_way_to_everything_else(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def verify(*_: object) -> bool:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return True

    monkeypatch.setattr(PasswordHasher, "verify", verify)
    await passwords.verify("stored", "secret")

    assert found == [min(os.getpriority(os.PRIO_PROCESS, threading.main_thread().native_id or 0) + 5, 19)]


COMMON = files("rostrum.base").joinpath("common_passwords.txt").read_text("utf-8").split()


@pytest.mark.parametrize("password", ["", "a", "1234567", "x" * 7])
def test_a_short_password_is_refused(password: str) -> None:
    assert PasswordPolicy().problem(password) == "must have at least 8 characters"


def test_each_of_the_thousand_most_common_passwords_is_refused_in_any_case() -> None:
    policy = PasswordPolicy(min_length=1)

    assert len(set(COMMON)) == 1000
    for password in COMMON:
        assert policy.problem(password) == "must not be one of the most common passwords"
        assert policy.problem(password.upper()) == "must not be one of the most common passwords"


@pytest.mark.parametrize("password", ["a long password", "kX3vQ0aN8fLc", "ann-password", "пароль-ann"])
def test_other_passwords_are_accepted(password: str) -> None:
    assert PasswordPolicy().problem(password) is None


def test_both_rules_can_be_changed() -> None:
    assert PasswordPolicy(min_length=1, refuse_common=False).problem("password") is None
    assert PasswordPolicy(min_length=1, refuse_common=False).problem("1") is None
    assert PasswordPolicy(min_length=20).problem("a long password") == "must have at least 20 characters"
