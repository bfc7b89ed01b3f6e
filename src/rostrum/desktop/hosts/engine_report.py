"""Diagnostics of the browser engine: its version, the age of its security fixes, and missing libraries.

The engine is loaded in a child process only.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from rostrum.base.distribution import pip, this_installation
from rostrum.desktop.hosts.engine_libraries import (
    UnsafeFolder,
    child_environment,
    debian_packages,
    missing_libraries,
)
from rostrum.desktop.hosts.engines import ENGINES, EXTRA, PACKAGE, NoEngine, installed_version, lock_file, this_machine

_VERSIONS = (
    "from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineChromiumSecurityPatchVersion;"
    "print(qWebEngineChromiumVersion(), qWebEngineChromiumSecurityPatchVersion())"
)
_LOADED_WITHIN = 60
_OLD_AFTER = 120
"""Days. Browsers publish security fixes every few weeks."""
_DAYS_OF_A_MONTH = 30.44

Verdict = Literal["ok", "warning", "error", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFinding:
    """The result of one check.

    Attributes:
        check: What was checked.
        advice: What to do; empty if nothing is to be done.

    """

    check: str
    verdict: Verdict
    message: str
    advice: str = ""


def examine_engine(today: date) -> Iterator[EngineFinding]:
    """Check the installed engine; only the links that the window process needs are created."""
    version = installed_version()
    if version is None:
        yield EngineFinding(check="engine", verdict="skipped", message="not installed", advice=_how_to_install())
        return
    try:
        environment = child_environment(os.environ)
    except UnsafeFolder as error:
        yield EngineFinding(check="engine libraries", verdict="error", message=str(error))
        return
    if missing := missing_libraries(environment):
        packages = " ".join(debian_packages(missing))
        yield EngineFinding(
            check="engine libraries",
            verdict="error",
            message=f"the browser engine {version} needs libraries that are missing: {', '.join(missing)}",
            advice=f"on Debian and Ubuntu, run `apt-get install {packages}`",
        )
        return
    try:
        chromium, fixes = _chromium_versions(environment)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        message = f"the browser engine {version} cannot be loaded: {error}"
        advice = f"run `{pip('install', '--force-reinstall', f'{PACKAGE}=={version}')}`"
        yield EngineFinding(check="engine", verdict="error", message=message, advice=advice)
        return
    yield fixes_finding(version, chromium, fixes, today)


def fixes_finding(version: str, chromium: str, fixes: str, today: date) -> EngineFinding:
    """Report the Chromium version of an engine, and the age of its security fixes."""
    message = f"PySide6 {version}, based on Chromium {chromium}, with security fixes up to Chromium {fixes}"
    known = ENGINES.get(version)
    if known is None:
        return EngineFinding(check="engine", verdict="ok", message=f"{message} (release date unknown)")
    days = (today - known.fixed).days
    message = f"{message} (released {_age(days)} ago)"
    if days <= _OLD_AFTER:
        return EngineFinding(check="engine", verdict="ok", message=message)
    advice = f"use the desktop with windows only for tests and trusted pages, or install a newer {PACKAGE}"
    if version != max(ENGINES, key=lambda name: ENGINES[name].fixed):
        advice = (
            "Use the desktop with windows only for tests and trusted pages. "
            "A newer engine requires glibc 2.39 on arm64 (Debian 13, Ubuntu 24.04) or glibc 2.34 on x86-64."
        )
    return EngineFinding(check="engine", verdict="warning", message=message, advice=advice)


def _age(days: int) -> str:
    months = int(days / _DAYS_OF_A_MONTH)
    return f"{months} months" if months > 1 else f"{max(days, 0)} days"


def _chromium_versions(environment: dict[str, str]) -> tuple[str, str]:
    done = subprocess.run(  # noqa: S603 - this program itself
        [sys.executable, "-c", _VERSIONS],
        env=environment, capture_output=True, text=True, check=False, timeout=_LOADED_WITHIN,
    )  # fmt: skip
    if done.returncode:
        raise ValueError(next(reversed(done.stderr.strip().splitlines()), f"exit status {done.returncode}"))
    chromium, fixes = done.stdout.split()
    return chromium, fixes


def _how_to_install() -> str:
    try:
        lock_file(this_machine())
    except NoEngine as reason:
        return f"Desktops run without windows here (--headless). {reason}"
    advice = this_installation().with_extra(EXTRA)
    return f"desktops run without windows (--headless) until the browser engine is installed; to install it, {advice}"
