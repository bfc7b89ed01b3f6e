"""Checks of the machine: folders, disk space, certificate, port, built pages."""

import os
import re
import shutil
import ssl
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from rostrum.base.command_line import command, path_argument, quote
from rostrum.manager import admin_page, platform_page
from rostrum.manager.built_page import PageUnavailable
from rostrum.manager.config import LoadedConfig, ManagerConfig
from rostrum.manager.config.store_address import sqlite_file
from rostrum.manager.doctor.finding import CheckResult, error, fine, skipped, warning
from rostrum.manager.errors import Unavailable
from rostrum.manager.files.bucket import Bucket
from rostrum.manager.server import CannotListen, base_url, with_free_port

_LEAST_ROOM = 100 * 1024 * 1024
_SMALL_ROOM = 1024 * 1024 * 1024
_RENEW = timedelta(days=30)
_ANSWER_SECONDS = 15
"""A manager on a busy machine may need seconds to respond. If no program listens, the refusal is immediate."""
_EXAMPLE = re.compile(r"(?i)change.?me|secret|example|password|default|0123456789|abcdefgh")
_FEWEST_LETTERS = 10


def database_file(config: ManagerConfig) -> Path | None:
    """Return the file of an SQLite database, or None for other databases."""
    file = sqlite_file(config.store)
    return None if file is None else file.absolute()


def check_folders(config: ManagerConfig) -> Iterator[CheckResult]:
    """Check that the folders are writable and that other accounts cannot read their files."""
    file = database_file(config)
    if file is not None:
        yield _writable("database folder", _first_existing(file.parent))
        if file.exists():
            yield _writable("database file", file)
            if file.stat().st_mode & 0o077:
                yield warning("database file", f"{file} can be read by other users", _make_private(file))
    if config.files_folder is not None:
        yield _writable("file store", config.files_folder)
    elif config.files_bucket is None:
        yield skipped("file store", "not configured; files of crash reports and feedback are stored in the database")


async def check_bucket(address: str) -> CheckResult:
    """Check that the bucket responds; nothing is written to it."""
    try:
        await Bucket(address).look()
    except Unavailable as fault:
        advice = "check files.bucket, AWS_ENDPOINT_URL, AWS_REGION and the keys; the log contains the server's response"
        return error("file store", str(fault), advice)
    return fine("file store", f"{address} responds")


def check_room(config: ManagerConfig, *, least: int = _LEAST_ROOM, small: int = _SMALL_ROOM) -> Iterator[CheckResult]:
    """Check the free disk space where the server writes."""
    file = database_file(config)
    uses: dict[Path, list[str]] = {}
    if file is not None:
        uses.setdefault(_first_existing(file.parent), []).append("database")
    if config.files_folder is not None:
        uses.setdefault(config.files_folder, []).append("files of crash reports and feedback")
    uses.setdefault(Path(tempfile.gettempdir()), []).append("temporary files")
    for place, contents in uses.items():
        free = shutil.disk_usage(place).free
        words = f"{free // (1024 * 1024):,} MiB free in {place} ({', '.join(contents)})"
        if free < least:
            yield error("disk space", words, "free disk space: writes fail when the disk is full")
        elif free < small:
            yield warning("disk space", words, "free disk space soon")
        else:
            yield fine("disk space", words)


def check_certificate(config: ManagerConfig, now: datetime) -> Iterator[CheckResult]:
    """Check the dates of the certificate, and that the key belongs to it."""
    if config.tls_cert is None or config.tls_key is None:
        advice = "in production, set tls.cert and tls.key, or use a reverse proxy that terminates TLS"
        yield skipped("TLS", f"not configured; {advice}")
        return
    from cryptography.x509 import load_pem_x509_certificates

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(config.tls_cert, config.tls_key)
        certificate = load_pem_x509_certificates(config.tls_cert.read_bytes())[0]
    except (OSError, ValueError) as fault:
        message = f"the files in tls.cert and tls.key are not a certificate and its private key: {fault}"
        yield error("TLS", message, "set tls.cert to a PEM certificate, and tls.key to its private key")
        return
    ends = certificate.not_valid_after_utc
    if now < certificate.not_valid_before_utc:
        begins = certificate.not_valid_before_utc
        yield error(
            "TLS",
            f"the certificate is not valid before {begins:%Y-%m-%d}",
            "check the clock, or use another certificate",
        )
    elif ends <= now:
        yield error("TLS", f"the certificate expired on {ends:%Y-%m-%d}", "renew the certificate")
    elif ends - now < _RENEW:
        yield warning(
            "TLS", f"the certificate expires on {ends:%Y-%m-%d}", "renew the certificate and restart the server"
        )
    else:
        yield fine("TLS", f"the certificate is valid until {ends:%Y-%m-%d}")
    if config.tls_key.stat().st_mode & 0o077:
        yield warning("TLS", f"{config.tls_key} can be read by other users", _make_private(config.tls_key))


def check_port(config: ManagerConfig, *, is_running: bool) -> Iterator[CheckResult]:
    """Check that the port is free, or that a manager uses it."""
    if config.port == 0:
        yield skipped("port", "port 0 selects a free port")
        return
    try:
        with_free_port(config)
    except CannotListen as taken:
        if is_running:
            yield fine("port", f"the manager is running on {config.host}:{config.port} ({base_url(config)})")
        else:
            message = f"{taken}; the manager with these settings is not running there"
            yield error("port", message, "stop the program that uses the port, or set another port")
    else:
        yield fine("port", f"{config.host}:{config.port} is free; the manager is not running")


def check_pages(config: ManagerConfig) -> Iterator[CheckResult]:
    """Load the web pages as the server does, and compare their files with the build."""
    for page, name, base in (
        (admin_page, "the admin UI", config.admin_base),
        (platform_page, "the browser platform, where users open apps", config.platform_base),
    ):
        try:
            build = page.load()
        except PageUnavailable as problem:
            advice = f"{page.how_to_fix()}; until then, the address /{base}/ shows this message instead of the page"
            yield error("web pages", str(problem), advice)
        else:
            yield fine("web pages", f"/{base}/ ({name}): all {len(build.assets) + 1} files are present and unmodified")


def _make_private(file: Path) -> str:
    return f"run `{quote('chmod', '600', path_argument(file))}`"


def _writable(check: str, place: Path) -> CheckResult:
    if not place.exists():
        return error(check, f"{place} does not exist", "create the folder, or set another one")
    needed = os.R_OK | os.W_OK | (os.X_OK if place.is_dir() else 0)
    if not os.access(place, needed):
        return error(
            check, f"this account cannot read and write {place}", "grant read and write access to the server's account"
        )
    return fine(check, f"{place} is writable")


def _first_existing(folder: Path) -> Path:
    # The server creates the folder of its database when it starts.
    return next(place for place in (folder, *folder.parents) if place.exists())


def is_answered_by_manager(config: ManagerConfig) -> bool:
    """Return whether a manager responds at the address in the settings."""
    import httpx

    if config.port == 0:
        return False

    try:
        # Another check verifies the certificate, and no secret is sent.
        answer = httpx.get(f"{base_url(config)}/health/live", timeout=_ANSWER_SECONDS, verify=False)  # noqa: S501
        return bool(answer.json() == {"status": "ok", "checks": {}})
    except (httpx.HTTPError, ValueError):
        return False


def check_settings(loaded: LoadedConfig, file: Path | None) -> Iterator[CheckResult]:
    """Report the origin of the settings, and insecure settings or settings without effect."""
    where = str(file) if file is not None else "the environment variables"
    verb = "is" if file is not None else "are"
    yield fine("configuration", f"{where} {verb} valid")
    schema = command("config", "schema", "manager")
    for note in loaded.notes:
        yield warning("settings", note, f"change these settings; `{schema}` describes all settings")
    if not loaded.notes:
        yield fine("settings", "all settings are secure, and none is ignored")


def check_secrets(loaded: LoadedConfig, file: Path | None) -> Iterator[CheckResult]:
    """Check the key that signs tokens and the permissions of its file. The key is never shown."""
    secret = loaded.config.token_secret
    if len(set(secret)) < _FEWEST_LETTERS or _EXAMPLE.search(secret):
        fresh = command("manager", "init", "--dir", "new-folder")
        advice = f"set token.secret to a random value; `{fresh}` creates a configuration file with a new secret"
        yield warning("secrets", "token.secret does not look random", advice)
    else:
        yield fine("secrets", "the setting token.secret looks random")
    if file is not None and file.stat().st_mode & 0o077:
        yield warning(
            "secrets",
            f"{file} contains secrets and can be read by other users",
            f"run `{quote('chmod', '600', path_argument(file))}`",
        )
