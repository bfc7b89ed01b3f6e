"""The diagnostics of real set-ups, sound ones and those with one fault each."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock, SystemClock
from rostrum.manager.admin_page import built
from rostrum.manager.built_page import load_from
from rostrum.manager.config import load_config_file, read_config
from rostrum.manager.doctor import CheckResult, examine
from rostrum.manager.doctor.surroundings import check_room
from tests.certificates import self_signed
from tests.conftest import ADMIN, ORIGIN, SECRET, manager_config, running_api
from tests.manager.transfer.test_repository import fill

DAY = 24 * 60 * 60
RANDOM = "k3J-9qZx_Vb7Lw2MfT8rYp5HsD4gNcA6uE1oRiXyWt0"


class Setup:
    """A folder with a configuration file, a database and a folder of files."""

    def __init__(self, folder: Path, store: str = "") -> None:
        self.folder = folder
        self.files = folder / "files"
        self.database = folder / "rostrum.db"
        self.file = folder / "rostrum.json"
        self.files.mkdir(exist_ok=True)
        self.clock: Any = SettableClock()
        self.members: dict[str, Any] = {
            "auth_method": "basic",
            "port": 0,
            "store": store or f"sqlite:///{self.database}",
            "files": {"folder": str(self.files)},
            "token": {"secret": RANDOM},
            "cors": {"credentials": True, "origin": ORIGIN},
        }
        self.write()

    def write(self, **members: Any) -> None:
        self.members |= members
        self.file.write_text(json.dumps(self.members))
        self.file.chmod(0o600)

    def remove_files(self) -> None:
        for path in self.files.glob("*/*"):
            path.unlink()

    async def start(self) -> None:
        """Run a server for a moment, and leave something of everything."""
        config = manager_config(self.members["store"], files=self.members["files"])
        async with running_api(config, self.clock) as api:
            await fill(api.admin)

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.database)) as database, database:
            for statement in statements:
                database.execute(statement)

    async def examine(self) -> list[CheckResult]:
        load = lambda: read_config(load_config_file(self.file), {})  # noqa: E731 - as the command gives it
        return [finding async for finding in examine(load, self.file, self.clock)]

    def state(self) -> dict[str, tuple[int, bytes]]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server without faults, to be copied."""
    setup = Setup(tmp_path_factory.mktemp("sound"))
    asyncio.run(setup.start())
    return setup.folder


def copy(sound: Path, folder: Path) -> Setup:
    shutil.copytree(sound, folder, dirs_exist_ok=True)
    return Setup(folder)


def wrong(findings: list[CheckResult]) -> list[tuple[str, str]]:
    return [(finding.check, str(finding.verdict)) for finding in findings if finding.verdict in ("warning", "error")]


def unbuilt(findings: list[CheckResult]) -> list[CheckResult]:
    """Leave out the pages, which a source tree may not have built."""
    return [finding for finding in findings if finding.check != "web pages"]


async def test_a_sound_server_is_called_so_and_nothing_is_touched(store: str, tmp_path: Path) -> None:
    setup = Setup(tmp_path, store)
    setup.clock = SettableClock(datetime.now(UTC))
    await setup.start()
    # A database on another machine has a clock of its own, which is compared.
    setup.clock = SystemClock()
    before = setup.state()
    findings = unbuilt(await setup.examine())

    assert wrong(findings) == []
    checks = {finding.check for finding in findings if finding.verdict == "ok"}
    assert checks >= {
        "configuration", "settings", "secrets", "file store", "disk space",
        "database", "integrity", "administrator", "clock", "retention", "audit",
    }  # fmt: skip
    assert setup.state() == before
    said = " ".join(f"{finding.message} {finding.advice}" for finding in findings)
    assert RANDOM not in said


async def test_a_missing_database_is_a_problem_and_is_not_created(tmp_path: Path) -> None:
    setup = Setup(tmp_path)

    findings = unbuilt(await setup.examine())

    assert wrong(findings) == [("database", "error")]
    (found,) = (finding for finding in findings if finding.verdict == "error")
    assert str(setup.database) in found.message
    assert "manager migrate" in found.advice
    assert not setup.database.exists()


@pytest.mark.long
async def test_the_admin_ui_is_loaded_and_not_only_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup(tmp_path)
    build = tmp_path / "build"
    shutil.copytree(str(built.FOLDER), build)
    monkeypatch.setattr(built, "FOLDER", build)
    count = len(load_from(build, "admin UI").assets) + 1
    for break_it, verdict, message in (
        (lambda: None, "ok", f"/admin/ (the admin UI): all {count} files are present and unmodified"),
        (lambda: next(build.glob("assets/index-*.js")).write_text(""), "error", "was changed after it was built"),
        ((build / "index.html").unlink, "error", "has not been built"),
    ):
        break_it()
        built.load.cache_clear()
        finding, platform = [each for each in await setup.examine() if each.check == "web pages"]
        assert "browser platform" in platform.message
        assert finding.verdict == verdict
        assert message in finding.message
        assert (verdict == "ok") == (finding.advice == "")


def overwrite_pages(setup: Setup) -> None:
    content = bytearray(setup.database.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 64] = b"\xff" * 64
    setup.database.write_bytes(content)


FAULTS: dict[str, tuple[Callable[[Setup], object], tuple[str, str], str]] = {
    "an altered entry": (
        lambda setup: setup.sql("UPDATE audit SET entry = replace(entry, 'Desk', 'Disk') WHERE number = 3"),
        ("audit", "error"),
        "entry 3",
    ),
    "a damaged file": (overwrite_pages, ("database", "error"), "damaged"),
    "no database": (lambda setup: setup.database.write_text("x" * 5000), ("database", "error"), "not a database"),
    "rows that lead nowhere": (
        lambda setup: setup.sql("DELETE FROM groups WHERE name = 'Desk'"),
        ("integrity", "warning"),
        "groups that do not exist",
    ),
    "nobody who may do everything": (
        lambda setup: setup.sql("UPDATE users SET disabled = 1 WHERE id = 'admin'"),
        ("administrator", "error"),
        "PLATFORM_SERVER_ADMIN",
    ),
    "a database without tables": (
        lambda setup: setup.sql("DROP TABLE alembic_version", "DROP TABLE schema_migrations"),
        ("database", "error"),
        "no tables",
    ),
    "an older database": (
        lambda setup: setup.sql("UPDATE alembic_version SET version_num = '0001'", "DROP TABLE schema_migrations"),
        ("database", "warning"),
        "migration 0001",
    ),
    "a damaged declaration": (
        lambda setup: setup.sql("UPDATE schema_migrations SET oldest_reader = ''"),
        ("database", "error"),
        "the table schema_migrations of the database is damaged",
    ),
    "a newer database": (
        lambda setup: setup.sql("UPDATE alembic_version SET version_num = '9999'"),
        ("database", "error"),
        "9999",
    ),
    "a newer database that supports this version": (
        lambda setup: setup.sql(
            "UPDATE alembic_version SET version_num = '9999'",
            "INSERT INTO schema_migrations VALUES ('9999', '0021', '9.0.0')",
        ),
        ("database", "warning"),
        "9999, which a newer version of Rostrum made for this one too",
    ),
    "a clock that was set back": (lambda setup: setup.clock.jump(-3600), ("clock", "error"), "2025"),
    "a retention that never ran": (lambda setup: setup.clock.jump(93 * DAY), ("retention", "warning"), "crashes"),
    "a lost file": (
        lambda setup: setup.remove_files(),
        ("integrity", "warning"),
        "cannot be read: 1",
    ),
    "a database that others read": (
        lambda setup: setup.database.chmod(0o644),
        ("database file", "warning"),
        "can be read by other users",
    ),
    "settings that others read": (lambda setup: setup.file.chmod(0o644), ("secrets", "warning"), "rostrum.json"),
    "a secret of the manual": (
        lambda setup: setup.write(token={"secret": SECRET}),
        ("secrets", "warning"),
        "does not look random",
    ),
    "a setting without effect": (
        lambda setup: setup.write(auth_basic={"useSessionCookie": False, "sessionLifetime": 60}),
        ("settings", "warning"),
        "no effect",
    ),
    "a database elsewhere that is away": (
        lambda setup: setup.write(store="postgresql://rostrum@127.0.0.1:1/x"),
        ("database", "error"),
        "does not respond",
    ),
}


@pytest.mark.usual(9)
@pytest.mark.parametrize("name", FAULTS)
async def test_one_fault_is_found_with_what_to_do(sound: Path, tmp_path: Path, name: str) -> None:
    make, expected, words = FAULTS[name]
    setup = copy(sound, tmp_path / "faulty")
    make(setup)
    found = [finding for finding in unbuilt(await setup.examine()) if finding.verdict in ("warning", "error")]

    assert expected in wrong(found), found
    told = next(finding for finding in found if (finding.check, str(finding.verdict)) == expected)
    assert words in told.message
    assert all(finding.advice for finding in found)


async def test_settings_that_cannot_be_used_are_all_named_and_the_rest_waits(tmp_path: Path) -> None:
    setup = Setup(tmp_path)
    setup.write(port=-1, token={"secret": "short"})
    findings = await setup.examine()

    assert wrong(findings) == [("configuration", "error")] * 2
    assert findings[-1].verdict == "skipped"


@pytest.mark.long
async def test_the_certificate_is_looked_at(sound: Path, tmp_path: Path) -> None:
    setup = copy(sound, tmp_path / "tls")
    setup.clock = SettableClock(datetime.now(UTC))
    folder = tmp_path / "certificate"
    folder.mkdir()
    other = tmp_path / "other"
    other.mkdir()
    self_signed(folder, days=100)
    self_signed(other)

    async def verdicts(cert: Path = folder, key: Path = folder) -> list[str]:
        (key / "server.pem").chmod(0o600)
        setup.write(tls={"cert": str(cert / "server.pem"), "key": str(key / "server.pem")})
        return [str(finding.verdict) for finding in await setup.examine() if finding.check == "TLS"]

    assert await verdicts() == ["ok"]
    assert await verdicts(key=other) == ["error"]
    assert await verdicts(other, other) == ["warning"]
    setup.clock.jump(101 * DAY)
    assert await verdicts() == ["error"]
    setup.clock.jump(-200 * DAY)
    assert await verdicts() == ["error"]


async def test_a_port_that_another_program_has_is_found(sound: Path, tmp_path: Path) -> None:
    setup = copy(sound, tmp_path / "port")
    async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0) as other:
        setup.write(port=other.sockets[0].getsockname()[1])
        assert ("port", "error") in wrong(await setup.examine())


def test_little_room_is_reported(tmp_path: Path) -> None:
    config = manager_config(f"sqlite:///{tmp_path}/rostrum.db", auth_basic={"predefinedUsers": [":".join(ADMIN)]})

    assert {str(finding.verdict) for finding in check_room(config, least=0, small=0)} == {"ok"}
    assert {str(finding.verdict) for finding in check_room(config, least=0, small=1 << 60)} == {"warning"}
    assert {str(finding.verdict) for finding in check_room(config, least=1 << 60)} == {"error"}
