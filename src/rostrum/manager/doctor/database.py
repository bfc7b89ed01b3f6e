"""Checks of the database: connection, version, integrity, audit log, and an administrator who can sign in."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta

from rostrum.base.clock import Clock
from rostrum.base.command_line import CommandLine
from rostrum.base.errors import RostrumError
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.audit.service import AuditService
from rostrum.manager.config import LoadedConfig, ManagerConfig
from rostrum.manager.database.diagnostics import Diagnostics
from rostrum.manager.database.schema import Schema, SchemaDamaged
from rostrum.manager.doctor.finding import CheckResult, error, fine, skipped, warning
from rostrum.manager.files.file_place import file_place
from rostrum.manager.sign_in.bootstrap import add_administrator
from rostrum.manager.storage import Storage, Work
from rostrum.manager.topics import manager_storage

_OLDEST_DATE = datetime.fromisoformat("2026-01-01T00:00:00Z")
_FUTURE = timedelta(minutes=5)
_APART = timedelta(seconds=10)
_OVERDUE = timedelta(days=2)

_PRODUCTS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}

_CHECKS = ("integrity", "administrator", "clock", "retention", "audit")

Progress = Callable[[int], None]


async def check_database(
    loaded: LoadedConfig, clock: Clock, progress: Progress, command: CommandLine
) -> AsyncGenerator[CheckResult]:
    """Run the checks of the database. Checks that cannot run are reported as skipped, with the reason."""
    config, missing = loaded.config, loaded.missing_database()
    if missing is not None:
        yield error("database", missing, _create(command))
        return
    storage = manager_storage(config.store, place=file_place(config.files_folder, config.files_bucket), read_only=True)
    try:
        finding, is_usable = await _version(storage, command)
        yield finding
        if not is_usable:
            for check in _CHECKS:
                yield skipped(check, "the database cannot be queried")
            return
        async with storage.read() as work, aclosing(_questions(work, config, clock, command)) as found:
            async for finding in found:
                yield finding
        yield await _audit(storage, progress, command)
    except RostrumError as fault:
        yield error("database", str(fault), "see the log of the database; you may have to restore a backup")
    finally:
        await storage.close()


def _create(command: CommandLine) -> str:
    return f"check the setting `store`, or create the database with `{command('manager', 'migrate')}`"


async def _version(storage: Storage, command: CommandLine) -> tuple[CheckResult, bool]:
    """Check the connection and the tables; return also whether this version can work with them."""
    advice = "start the database; check the address, user and password in the setting `store`, and the network"
    try:
        schema = await storage.schema()
    except SchemaDamaged as damage:
        return error("database", damage.problem, damage.advice), False
    except RostrumError as fault:
        return error("database", str(fault), advice), False
    return _schema(schema, storage, command), schema.is_usable


def _schema(schema: Schema, storage: Storage, command: CommandLine) -> CheckResult:
    migration, product = schema.migration, _PRODUCTS.get(storage.kind, storage.kind)
    if migration is None:
        return error("database", f"connected to {product}, but the database has no tables", _create(command))
    if schema.is_newer and not schema.is_usable:
        message = f"the schema is at migration {migration}, which this version of Rostrum does not support"
        return error("database", message, schema.advice)
    if schema.is_newer:
        message = f"the schema is at migration {migration}, which a newer version of Rostrum made for this one too"
        return warning("database", message, f"{schema.advice} on this node too")
    if schema.is_usable:
        return fine("database", f"connected to {product}; the schema is up to date (migration {migration})")
    return warning(
        "database",
        f"the schema is at migration {migration}; this version of Rostrum requires migration {storage.newest_version}",
        f"run `{command('manager', 'migrate')}`, or start the server, which migrates the database",
    )


async def _questions(
    work: Work, config: ManagerConfig, clock: Clock, command: CommandLine
) -> AsyncGenerator[CheckResult]:
    damage = await work.of(Diagnostics).damage()
    for line in damage:
        yield error("integrity", line, "stop the server and restore a backup, or an export, into a new database")
    if damage:
        return
    dangling = await work.of(Diagnostics).dangling()
    for line in dangling:
        yield warning(
            "integrity", line, "find out which other program writes to the database; you may have to restore a backup"
        )
    lost = await work.of(Diagnostics).lost_files()
    if lost:
        message = f"files of crash reports or feedback that cannot be read: {lost}"
        yield warning("integrity", message, "check the setting files.folder on every machine that runs the manager")
    if not dangling and not lost:
        yield fine("integrity", "no damage was found in the stored data")
    yield await _administrator(work, config, command)
    yield await _clock(work, clock)
    async for finding in _retention(work, config, clock.now()):
        yield finding


async def _administrator(work: Work, config: ManagerConfig, command: CommandLine) -> CheckResult:
    found = await work.of(Diagnostics).administrators(ADMIN_GROUP)
    if not found and config.predefined_users:
        return fine(
            "administrator",
            "no administrator exists yet; the next start creates the users in auth_basic.predefinedUsers",
        )
    if not found:
        return error(
            "administrator",
            f"no administrator can sign in: the group {ADMIN_GROUP} has no enabled user with a password",
            f"run `{await add_administrator(work, command)}`",
        )
    return fine("administrator", _who_can_sign_in(found))


def _who_can_sign_in(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"1 administrator can sign in ({names[0]})"
    others = "1 other" if len(names) == 2 else f"{len(names) - 1} others"
    return f"{len(names)} administrators can sign in ({names[0]} and {others})"


async def _clock(work: Work, clock: Clock) -> CheckResult:
    newest, there = await work.of(Diagnostics).newest_entry(), await work.of(Diagnostics).now()
    # Read afterwards, because the query may have taken long.
    now = clock.now()
    advice = "synchronize the machine's clock with a time server"
    if now < _OLDEST_DATE:
        return error("clock", f"the date of this machine, {now:%Y-%m-%d}, is implausible", advice)
    if newest is not None and newest - now > _FUTURE:
        ahead = f"the newest entry of the audit log is from {newest:%Y-%m-%d %H:%M} UTC, which is in the future"
        return error("clock", ahead, advice)
    if there is not None and abs(there - now) > _APART:
        seconds = abs(there - now).total_seconds()
        return warning("clock", f"the clocks of the database and of this machine differ by {seconds:.0f} s", advice)
    return fine("clock", "the system date is plausible (time synchronization was not checked)")


async def _retention(work: Work, config: ManagerConfig, now: datetime) -> AsyncIterator[CheckResult]:
    days = {
        "sessions": config.purge_sessions_after_days,
        "commands": config.purge_commands_after_days,
        "crashes": config.purge_crashes_after_days,
        "feedback": config.purge_feedback_after_days,
    }
    oldest = await work.of(Diagnostics).oldest()
    late = [
        f"the oldest {name} are from {oldest[name]:%Y-%m-%d}, but the retention period is {kept} days"
        for name, kept in days.items()
        if kept > 0 and name in oldest and now - oldest[name] > timedelta(days=kept) + _OVERDUE
    ]
    for line in late:
        yield warning(
            "retention", line, "start the manager; it deletes old data at start-up or one day later, then once a day"
        )
    if not late:
        yield fine("retention", "no data is older than its retention period")


async def _audit(storage: Storage, progress: Progress, command: CommandLine) -> CheckResult:
    found = await AuditService(storage).verify(SYSTEM, progress=progress)
    if found.fault is not None:
        advice = (
            "another program has changed the database: make a copy of the database, then run "
            f"`{command('manager', 'audit', 'verify')}`"
        )
        return error("audit", f"entry {found.fault.number}: {found.fault.message}", advice)
    return fine("audit", f"the audit log is intact ({found.entries:,} entries)")
