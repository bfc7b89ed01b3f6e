"""Verifies an exported audit log without a database."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.manager.audit.chain import Chain, Ends, Fault, Link
from rostrum.manager.audit.model import AuditEntry
from rostrum.manager.audit.service import Verification, parse_link

_LINE = re.compile(r'(?P<text>\{.*),"hash":"(?P<hash>[0-9a-f]{64})"\}\n?', re.DOTALL)


def verify_lines(lines: Iterable[str], known: str | None = None) -> Verification:
    """Verify the chain in the lines of an export. If entries were deleted before, the first line is trusted."""
    chain: Chain | None = None
    for number, line in enumerate(lines, start=1):
        entry = _entry(line)
        if entry is None:
            chain = chain or Chain(Link())
            fault = Fault(chain.last.number + 1, f"line {number} is no entry")
            return Verification(start=chain.start, last=chain.last, fault=fault)
        if _is_withheld(entry):
            chain = chain or Chain(Link())
            message = (
                f"line {number} lacks contents that the user who exported the audit may not read; "
                "verify an export of an administrator"
            )
            return Verification(start=chain.start, last=chain.last, fault=Fault(entry.number, message))
        if chain is None:
            begins_late = entry.number > 1
            start = Link(entry.number, entry.hash) if begins_late else Link()
            chain = Chain(start, None if known is None else parse_link(known))
            if begins_late:
                continue
        chain.follow([(entry, None)])
        if chain.fault is not None:
            break
    if chain is None:
        chain = Chain(Link(), None if known is None else parse_link(known))
    chain.shortened = chain.start
    chain.finish(Ends(start=chain.start, head=chain.last, last=chain.last.number, revision=None))
    return Verification(start=chain.start, last=chain.last, fault=chain.fault)


def _is_withheld(entry: AuditEntry) -> bool:
    return any(change.get("withheld") for change in json_text.parse(entry.text)["changes"])


def _entry(line: str) -> AuditEntry | None:
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    text = match["text"] + "}"
    try:
        said = json_text.parse(text)
        first: dict[str, Any] = said["changes"][0] if said["changes"] else {"kind": "", "id": ""}
        return AuditEntry(
            number=said["number"],
            revision=said["revision"],
            at=datetime.fromisoformat(said["at"]),
            actor=said["actor"],
            operation=said["operation"],
            kind=first["kind"],
            key=first["id"],
            text=text,
            hash=match["hash"],
            batch=said["batch"]["id"] if "batch" in said else None,
            comment=said.get("comment"),
            ticket=said.get("ticket"),
        )
    except (Invalid, KeyError, TypeError, ValueError):
        return None
