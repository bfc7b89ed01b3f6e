"""Which accounts may start offline: what is noted of a sign-in, for how long, and what ends it."""

from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from rostrum.desktop.sign_in_records import SignInRecords

SERVER = "https://manager.example.com/api"
HOUR = 3600


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


def records(folder: Path, clock: SettableClock, server: str = SERVER, days: float = 7) -> SignInRecords:
    return SignInRecords(folder, server, max_age_days=days, clock=clock)


async def test_a_heartbeat_makes_a_sign_in_last_longer_and_more_than_one_an_hour_is_not_written(
    tmp_path: Path, clock: SettableClock
) -> None:
    kept = records(tmp_path, clock)
    await kept.accept("ann", "secret")
    (file,) = (tmp_path / "signIns").iterdir()
    clock.advance(HOUR / 2)
    before = file.stat().st_mtime_ns
    await kept.confirm("ann")
    assert file.stat().st_mtime_ns == before
    clock.advance(6 * 24 * HOUR)
    await kept.confirm("ann")
    clock.advance(6 * 24 * HOUR)
    (account,) = await kept.accounts()
    assert not kept.is_expired(account)
    clock.advance(2 * 24 * HOUR)
    assert kept.is_expired(account)


async def test_only_a_password_that_was_right_before_ends_a_sign_in_when_it_is_refused(
    tmp_path: Path, clock: SettableClock
) -> None:
    kept = records(tmp_path, clock)
    await kept.accept("ann", "secret")
    await kept.accept("bob", "another")
    await kept.refuse("ann", "mistyped")
    assert {account.user for account in await kept.accounts()} == {"ann", "bob"}
    assert await kept.match("Ann", "secret") is not None
    await kept.refuse("ann", "secret")
    assert {account.user for account in await kept.accounts()} == {"bob"}


async def test_an_account_without_a_password_starts_offline_only_as_the_last_user(
    tmp_path: Path, clock: SettableClock
) -> None:
    kept = records(tmp_path, clock)
    await kept.accept("ann", None)
    assert [account.user for account in await kept.accounts()] == ["ann"]
    for guess in ("", "None", "secret"):
        assert await kept.match("ann", guess) is None
    await kept.forget("bob")
    await kept.forget("ann")
    assert await kept.accounts() == []


async def test_each_manager_has_its_own_sign_ins_and_zero_days_keep_none(tmp_path: Path, clock: SettableClock) -> None:
    await records(tmp_path, clock).accept("ann", "secret")
    assert await records(tmp_path, clock, "https://other.example.com/api").accounts() == []
    assert await records(tmp_path, clock, days=0).accounts() == []
    await records(tmp_path, clock, days=0).accept("ann", "secret")
    assert [*(tmp_path / "signIns").iterdir()] == []


@pytest.mark.parametrize(
    "data",
    [
        "[]",
        "{}",
        '{"server": 1}',
        '{"accounts": {"ann": {}}}',
        '{"accounts": {"ann": 5}}',
        '{"accounts": {"ann": {"acceptedAt": "yesterday", "passwordHash": "x"}}}',
        '{"accounts": [1]}',
    ],
)
async def test_a_file_that_makes_no_sense_is_no_sign_in(tmp_path: Path, clock: SettableClock, data: str) -> None:
    kept = records(tmp_path, clock)
    await kept.accept("ann", "secret")
    (file,) = (tmp_path / "signIns").iterdir()
    data = data.replace('{"accounts"', f'{{"server": "{SERVER}", "accounts"')
    file.write_text(f'{{"version": 1, "data": {data}}}')
    assert await kept.accounts() == []
    assert await kept.match("ann", "secret") is None


async def test_an_invalid_hash_matches_no_password(tmp_path: Path, clock: SettableClock) -> None:
    kept = records(tmp_path, clock)
    await kept.accept("ann", "secret")
    (file,) = (tmp_path / "signIns").iterdir()
    text = file.read_text()
    start = text.index("$argon2id")
    file.write_text(text.replace(text[start : text.index('"', start)], "secret"))
    assert len(await kept.accounts()) == 1
    assert await kept.match("ann", "secret") is None
