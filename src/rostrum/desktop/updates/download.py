"""Downloads of packages: limited in size and time, resumable, and verified."""

import asyncio
import hashlib
import shutil
from pathlib import Path

import httpx

from rostrum.base.tls import tls_context_for
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.updates.release import Package

SECONDS = 3600.0
"""Slower downloads are interrupted, and continued at the next check."""

_STALLED = 60.0
_ROOM = 4
"""Required free space, as a multiple of the package size: the download, and the unpacked version."""


class DownloadFailed(DesktopError):
    """A package could not be downloaded, or differs from the release."""


async def download_package(address: str, package: Package, folder: Path) -> Path:
    """Return the verified file of a package; download it unless it exists."""
    await asyncio.to_thread(_prepare, folder, package.sha256)
    file = folder / f"{package.sha256}.package"
    if await asyncio.to_thread(_is_intact, file, package):
        return file
    part = file.with_suffix(".part")
    try:
        await asyncio.to_thread(_check_room, folder, package)
        async with asyncio.timeout(SECONDS):
            await _fetch(address, package, part)
    except TimeoutError:
        raise DownloadFailed(f"The download of {package.file} took longer than {SECONDS:g} s.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise DownloadFailed(f"The download of {package.file} failed: {str(error) or type(error).__name__}") from None
    except OSError as error:
        # The disk may be full: release the space.
        part.unlink(missing_ok=True)
        raise DownloadFailed(f"{package.file} cannot be stored in {folder}: {error.strerror or error}") from error
    if not await asyncio.to_thread(_is_intact, part, package):
        part.unlink(missing_ok=True)
        raise DownloadFailed(f"{package.file} was discarded: its size or digest differs from the signed release.")
    await asyncio.to_thread(part.replace, file)
    return file


async def _fetch(address: str, package: Package, part: Path) -> None:
    have = await asyncio.to_thread(lambda: part.stat().st_size if part.exists() else 0)
    if have >= package.size:
        return
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={have}-"} if have else {})}
    async with (
        # Redirects could lead to another origin.
        httpx.AsyncClient(verify=tls_context_for(address), timeout=_STALLED, follow_redirects=False) as client,
        client.stream("GET", address, headers=headers) as response,
    ):
        if response.is_redirect:
            raise DownloadFailed(f"The download of {package.file} was redirected; redirects are not followed.")
        if have and response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            return
        if not response.is_success:
            raise DownloadFailed(f"The download of {package.file} failed with status {response.status_code}.")
        is_rest = response.status_code == httpx.codes.PARTIAL_CONTENT
        size = have if is_rest else 0
        with part.open("ab" if is_rest else "wb") as file:
            # Raw: a compressed body could become much larger than the download.
            async for chunk in response.aiter_raw():
                size += len(chunk)
                if size > package.size:
                    raise DownloadFailed(f"{package.file} is larger than the signed release says.")
                await asyncio.to_thread(file.write, chunk)


def _prepare(folder: Path, digest: str) -> None:
    """Create the folder, and remove the downloads of other releases."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        if file.is_file() and file.suffix in (".part", ".package") and file.stem != digest:
            file.unlink(missing_ok=True)


def _check_room(folder: Path, package: Package) -> None:
    free = shutil.disk_usage(folder).free
    if free < package.size * _ROOM:
        raise DownloadFailed(
            f"There is not enough free space in {folder} for {package.file}: "
            f"{package.size * _ROOM:,} bytes are required, {free:,} are free."
        )


def _is_intact(file: Path, package: Package) -> bool:
    try:
        with file.open("rb") as content:
            if file.stat().st_size != package.size:
                return False
            return hashlib.file_digest(content, "sha256").hexdigest() == package.sha256
    except FileNotFoundError:
        return False
