"""Crash reports: received from clients, reviewed by administrators."""

from collections.abc import Mapping

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.crashes.model import Crash
from rostrum.manager.files.model import Upload
from rostrum.manager.reports.service import ReportService


class CrashService(ReportService[Crash]):
    """The crash reports."""

    kind = "crash"
    part = "crashes"
    file = "minidump"
    reading = Permission.CRASHES_READ
    writing = Permission.CRASHES_WRITE

    async def receive(self, identity: Identity | None, fields: Mapping[str, str], minidump: Upload | None) -> Crash:
        """Store a report; its sender can be unknown if the settings allow this."""
        user = identity.user if identity else None
        names = ("crashes", "crashBytes") if identity else ("anonymousCrashes", "anonymousCrashBytes")
        async with self._storage.read() as work:
            used = await work.usage.crashes(user)
        async with (
            self._stored(minidump, "minidump.dmp", used, names) as file,
            self._storage.write(user or "(anonymous)") as work,
        ):
            await self._register(work, file, await work.usage.crashes(user), names)
            crash = Crash(
                id=new_id(),
                user=user,
                product=_field(fields, "_productName", "prod"),
                version=_field(fields, "_version", "ver"),
                platform=_field(fields, "platform"),
                process_type=_field(fields, "process_type"),
                fields=json_text.dump(dict(fields)).decode(),
                received=work.now,
                minidump=file,
                revision=work.revision,
            )
            await work.crashes.add(crash)
        return crash


def _field(fields: Mapping[str, str], *names: str) -> str:
    for name in names:
        value = fields.get(name)
        if value:
            return "".join(letter for letter in value if letter.isprintable())[:256]
    return ""
