"""All diagnostics in order, one finding after the other."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from rostrum.base.clock import Clock
from rostrum.base.command_line import CommandLine
from rostrum.base.command_line import command as format_command
from rostrum.manager.config import ConfigInvalid, LoadedConfig
from rostrum.manager.doctor.cors import check_cors
from rostrum.manager.doctor.database import Progress, check_database
from rostrum.manager.doctor.finding import CheckResult, error, skipped
from rostrum.manager.doctor.surroundings import (
    check_bucket,
    check_certificate,
    check_folders,
    check_pages,
    check_port,
    check_room,
    check_secrets,
    check_settings,
    is_answered_by_manager,
)


async def examine(
    load: Callable[[], LoadedConfig],
    file: Path | None,
    clock: Clock,
    progress: Progress = lambda _count: None,
    command: CommandLine | None = None,
) -> AsyncGenerator[CheckResult]:
    """Read the settings and check everything that they name; nothing is changed. Advice names commands to paste."""
    command = command or CommandLine()
    try:
        loaded = load()
    except ConfigInvalid as fault:
        schema = format_command("config", "schema", "manager")
        for problem in fault.problems:
            yield error("configuration", str(problem), f"correct the configuration; `{schema}` describes all settings")
        yield skipped("other checks", "the configuration is invalid")
        return
    config, now = loaded.config, clock.now()
    # Asked once: a program that uses the port but does not respond takes as long as the time limit.
    is_running = await asyncio.to_thread(is_answered_by_manager, config)
    for finding in (
        *check_settings(loaded, file),
        *check_secrets(loaded, file),
        *check_folders(config),
        *check_room(config),
        *check_certificate(config, now),
        *check_port(config, is_running=is_running),
        *check_cors(config, is_running=is_running),
        *check_pages(config),
    ):
        yield finding
    if config.files_bucket is not None:
        yield await check_bucket(config.files_bucket)
    async with aclosing(check_database(loaded, clock, progress, command)) as findings:
        async for finding in findings:
            yield finding
