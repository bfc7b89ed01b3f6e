"""Crash reports: received from clients, reviewed by administrators."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.crash_formats.minidump import DumpSummary, ReadAt, summarise
from rostrum.manager.crash_formats.signature import app_of, group_id, machine_of, signature_of
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crashes.repository import Crash, Crashes
from rostrum.manager.errors import StorageError
from rostrum.manager.files.model import StoredFile, Upload
from rostrum.manager.files.repository import CHUNK
from rostrum.manager.quotas.repository import Usage
from rostrum.manager.reports.service import ReportService, read_piece
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage

_MOST_PIECES = 16
"""The maximum number of pieces of a file that are read for its summary."""


class CrashService(ReportService[Crash]):
    """The crash reports."""

    kind = "crash"
    repository = Crashes
    file = "minidump"
    reading = Permission.CRASHES_READ
    writing = Permission.CRASHES_WRITE

    async def get(self, identity: Identity, report_id: str) -> Crash:
        """Read a report; the dump of a report from before there were summaries is read now."""
        crash = await super().get(identity, report_id)
        return crash if crash.dump else replace(crash, dump=await _summary(self._storage, crash.minidump))

    async def receive(
        self,
        identity: Identity | None,
        fields: Mapping[str, str],
        minidump: Upload | None,
        session: str | None = None,
    ) -> Crash:
        """Store a report; its sender can be unknown if the settings allow this."""
        user = identity.user if identity else None
        names = ("crashes", "crashBytes") if identity else ("anonymousCrashes", "anonymousCrashBytes")
        async with self._storage.read() as work:
            used = await work.of(Usage).crashes(user)
        async with self._stored(minidump, "minidump.dmp", used, names) as file:
            dump = await _summary(self._storage, file)
            async with self._storage.write(user or "(anonymous)") as work:
                await self._register(work, file, await work.of(Usage).crashes(user), names)
                known = await work.of(Sessions).get(session) if session else None
                crash = crash_of(
                    fields,
                    dump,
                    id=new_id(),
                    user=user,
                    machine=known.machine if known else machine_of(fields),
                    received=work.now,
                    minidump=file,
                    revision=work.revision,
                )
                await work.of(Crashes).add(crash)
                await work.of(CrashGroups).saw(crash, work.revision)
        return crash


def crash_of(fields: Mapping[str, str], dump: DumpSummary | None, **members: Any) -> Crash:
    """Create a report from its fields, with its signature and its group."""
    product, version = _field(fields, "_productName", "prod"), _field(fields, "_version", "ver")
    process_type, app = _field(fields, "process_type"), app_of(fields)
    signature = signature_of(process_type, fields, dump)
    return Crash(
        product=product,
        version=version,
        platform=_field(fields, "platform"),
        process_type=process_type,
        fields=json_text.dump(dict(fields)).decode(),
        app=app,
        signature=signature,
        group=group_id(product, app, version, signature),
        dump=dump,
        **members,
    )


async def _summary(storage: Storage, file: StoredFile | None) -> DumpSummary | None:
    """Read the summary of a stored dump. A dump that cannot be read is not a reason to refuse its report."""
    if file is None:
        return None
    try:
        return await summarise(_reader(storage, file))
    except StorageError as error:
        return DumpSummary(problem=f"the file cannot be read: {error}")


def _reader(storage: Storage, file: StoredFile) -> ReadAt:
    """Read parts of a stored file; beyond a number of pieces, the file seems to end."""
    pieces: dict[int, bytes] = {}

    async def read_at(offset: int, size: int) -> bytes:
        data = b""
        end = min(offset + size, file.size)
        for number in range(offset // CHUNK, -(-end // CHUNK)):
            if number not in pieces:
                if len(pieces) >= _MOST_PIECES:
                    return b""
                pieces[number] = await read_piece(storage, file.id, number) or b""
            start = number * CHUNK
            data += pieces[number][max(offset - start, 0) : end - start]
        return data

    return read_at


def _field(fields: Mapping[str, str], *names: str) -> str:
    for name in names:
        value = fields.get(name)
        if value:
            return "".join(letter for letter in value if letter.isprintable())[:256]
    return ""
