"""Reads a summary of a minidump: the reason of the crash and the module with the offset, but no function names.

Dumps are untrusted input and may be damaged: every size is checked, and only few bytes are read.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from struct import Struct, error
from typing import Any

from rostrum.base.offload import offload

ReadAt = Callable[[int, int], Awaitable[bytes]]
"""Reads a number of bytes from an offset; fewer at the end of the file."""

_HEADER = Struct("<4sIIIIIQ")
_ENTRY = Struct("<III")
_SYSTEM = Struct("<HHHBBIIIII")
_EXCEPTION = Struct("<IIIIQQII15QII")
_MODULE = Struct("<QIIII52sIIIIQQ")
_COUNT = Struct("<I")

_THREADS, _MODULES, _EXCEPTIONS, _SYSTEMS = 3, 4, 6, 7
_MOST_STREAMS = 128
_MOST_MODULES = 4096
_MOST_THREADS = 1_000_000
_LONGEST_NAME = 1024

_WINDOWS, _MAC, _LINUX, _ANDROID = 2, 0x8101, 0x8201, 0x8203
_SYSTEM_NAMES = {_WINDOWS: "Windows", _MAC: "macOS", 0x8102: "iOS", _LINUX: "Linux", _ANDROID: "Android"}
_PROCESSORS = {0: "x86", 5: "ARM", 9: "x86-64", 12: "ARM64", 0x8003: "ARM64"}
# Where the saved registers of a thread contain the address of the next instruction.
_INSTRUCTION = {0: (0xB8, "<I"), 5: (64, "<I"), 9: (0xF8, "<Q"), 12: (0x108, "<Q"), 0x8003: (0x108, "<Q")}

_SIGNALS = {
    4: "SIGILL",
    5: "SIGTRAP",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    11: "SIGSEGV",
    15: "SIGTERM",
    31: "SIGSYS",
}
_MAC_EXCEPTIONS = {
    1: "EXC_BAD_ACCESS",
    2: "EXC_BAD_INSTRUCTION",
    3: "EXC_ARITHMETIC",
    5: "EXC_SOFTWARE",
    6: "EXC_BREAKPOINT",
    10: "EXC_CRASH",
    11: "EXC_RESOURCE",
    12: "EXC_GUARD",
}
_WINDOWS_EXCEPTIONS = {
    0x80000003: "EXCEPTION_BREAKPOINT",
    0xC0000005: "EXCEPTION_ACCESS_VIOLATION",
    0xC0000006: "EXCEPTION_IN_PAGE_ERROR",
    0xC000001D: "EXCEPTION_ILLEGAL_INSTRUCTION",
    0xC0000094: "EXCEPTION_INT_DIVIDE_BY_ZERO",
    0xC00000FD: "EXCEPTION_STACK_OVERFLOW",
    0xC0000374: "STATUS_HEAP_CORRUPTION",
    0xC0000409: "STATUS_STACK_BUFFER_OVERRUN",
    0xE0000008: "out of memory",
}
_REASONS: Mapping[int, Mapping[int, str]] = {
    _WINDOWS: _WINDOWS_EXCEPTIONS,
    _MAC: _MAC_EXCEPTIONS,
    0x8102: _MAC_EXCEPTIONS,
    _LINUX: _SIGNALS,
    _ANDROID: _SIGNALS,
}
_ACCESSES = {0: "READ", 1: "WRITE", 8: "EXEC"}
_REPORTED_WITHOUT_CRASH = frozenset({0xFFFFFFFF, 0x0517A7ED})
_UNPRINTABLE = r"[^\x20-\x7e\xa0-\ud7ff\ue000-\uffff]"
"""A pattern that Python compiles when the first dump is read: compiling it takes 8 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpSummary:
    """The summary of a minidump.

    Attributes:
        problem: Why the dump cannot be read; empty if it was read.
        reason: The signal or exception, such as ``SIGSEGV``.
        address: The address that could not be accessed, or the address of the exception.
        module: The file name of the program or library whose code was running.
        offset: The offset of the instruction within the module.
        system: The operating system and the processor.

    """

    problem: str = ""
    reason: str = ""
    address: str = ""
    module: str = ""
    module_version: str = ""
    offset: str = ""
    system: str = ""
    threads: int = 0
    modules: int = 0

    @property
    def place(self) -> str:
        """Return the module and the offset, as far as they are known."""
        return f"{self.module}+{self.offset}" if self.module else ""

    def as_json(self) -> dict[str, Any]:
        members = asdict(self)
        members["moduleVersion"] = members.pop("module_version")
        return members

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> "DumpSummary":
        return cls(**{"module_version" if name == "moduleVersion" else name: members[name] for name in members})


class _Unreadable(Exception):
    """The file is not a valid minidump."""


async def summarise(read_at: ReadAt) -> DumpSummary:
    """Read a summary; for a dump that cannot be read, it contains only the problem."""
    try:
        return await _summary(read_at)
    except (_Unreadable, error) as problem:
        return DumpSummary(problem=str(problem) if isinstance(problem, _Unreadable) else "the file is truncated")


async def _summary(read_at: ReadAt) -> DumpSummary:
    head = await read_at(0, _HEADER.size)
    if head[:4] != b"MDMP":
        raise _Unreadable("the file is not a minidump")
    _, version, streams, directory, _, _, _ = _HEADER.unpack(head)
    if version & 0xFFFF != 0xA793:
        raise _Unreadable("the file has an unknown version")
    if streams > _MOST_STREAMS:
        raise _Unreadable(f"the file has more than {_MOST_STREAMS} streams")
    entries = await _exactly(read_at, directory, streams * _ENTRY.size)
    places = {kind: (offset, size) for kind, size, offset in reversed(list(_ENTRY.iter_unpack(entries)))}

    system, processor, platform = "", -1, -1
    if _SYSTEMS in places:
        processor, platform, system = _system(await _exactly(read_at, places[_SYSTEMS][0], _SYSTEM.size))
    threads = await _count(read_at, places.get(_THREADS), _MOST_THREADS)
    modules = await _count(read_at, places.get(_MODULES), _MOST_MODULES)
    if _EXCEPTIONS not in places:
        return DumpSummary(system=system, threads=threads, modules=modules)
    seen = _EXCEPTION.unpack(await _exactly(read_at, places[_EXCEPTIONS][0], _EXCEPTION.size))
    code, address, parameters, context_size, context = seen[2], seen[5], seen[8 : 8 + min(seen[6], 15)], *seen[-2:]
    at = await _instruction(read_at, context, context_size, processor)
    place = address if at is None else at
    found = None
    if modules:
        offset = places[_MODULES][0] + _COUNT.size
        listed = await _exactly(read_at, offset, modules * _MODULE.size)
        found = await offload(len(listed), _module_at, listed, place)
    summary = DumpSummary(
        reason=_reason(platform, code, parameters),
        address=f"{_concerned(platform, code, address, parameters):#x}",
        system=system,
        threads=threads,
        modules=modules,
    )
    if found is None:
        return summary
    base, name_at, version_text = found
    members = asdict(summary) | {"offset": f"{place - base:#x}", "module_version": version_text}
    return DumpSummary(**members | {"module": await _name(read_at, name_at)})


async def _exactly(read_at: ReadAt, offset: int, size: int) -> bytes:
    data = await read_at(offset, size)
    if len(data) != size:
        raise _Unreadable("the file is truncated")
    return data


async def _count(read_at: ReadAt, place: tuple[int, int] | None, most: int) -> int:
    if place is None:
        return 0
    (count,) = _COUNT.unpack(await _exactly(read_at, place[0], _COUNT.size))
    if count > most:
        raise _Unreadable(f"the file has more than {most:,} threads or modules")
    return int(count)


def _system(data: bytes) -> tuple[int, int, str]:
    processor, _, _, _, _, major, minor, build, platform, _ = _SYSTEM.unpack(data)
    name = _SYSTEM_NAMES.get(platform, f"system {platform:#x}")
    kind = _PROCESSORS.get(processor, f"processor {processor:#x}")
    version = f"{major}.{minor}.{build}" if (major, minor, build) != (0, 0, 0) else ""
    return processor, platform, " ".join(part for part in (name, version, f"({kind})") if part)


async def _instruction(read_at: ReadAt, context: int, size: int, processor: int) -> int | None:
    """Read the address of the instruction. On some systems, the exception contains only the address of the data."""
    if processor not in _INSTRUCTION:
        return None
    offset, form = _INSTRUCTION[processor]
    number = Struct(form)
    if offset + number.size > size:
        return None
    (address,) = number.unpack(await _exactly(read_at, context + offset, number.size))
    return int(address)


def _module_at(listed: bytes, address: int) -> tuple[int, int, str] | None:
    """Find the module that contains an address: its start, the place of its name, and its version."""
    for base, size, _, _, name_at, version, *_ in _MODULE.iter_unpack(listed):
        if base <= address < base + size:
            mark, _, high, low = Struct("<IIII").unpack(version[:16])
            numbers = (high >> 16, high & 0xFFFF, low >> 16, low & 0xFFFF)
            is_known = mark == 0xFEEF04BD and any(numbers)
            return base, name_at, ".".join(map(str, numbers)) if is_known else ""
    return None


async def _name(read_at: ReadAt, offset: int) -> str:
    (size,) = _COUNT.unpack(await _exactly(read_at, offset, _COUNT.size))
    if size > _LONGEST_NAME or size % 2:
        raise _Unreadable("the name of a module is invalid or too long")
    path = (await _exactly(read_at, offset + _COUNT.size, size)).decode("utf-16-le", "replace")
    # The folders are removed, because they can contain names of users.
    name = path.replace("\\", "/").rpartition("/")[2]
    return re.sub(_UNPRINTABLE, "", name)[:128] or "unnamed module"


def _reason(platform: int, code: int, parameters: tuple[int, ...]) -> str:
    if code in _REPORTED_WITHOUT_CRASH:
        return "reported without a crash"
    known = _REASONS.get(platform, {}).get(code)
    if known is None:
        return f"exception {code:#x}"
    if platform == _WINDOWS and code == 0xC0000005 and parameters:
        return f"{known}_{_ACCESSES.get(parameters[0], 'OTHER')}"
    return known


def _concerned(platform: int, code: int, address: int, parameters: tuple[int, ...]) -> int:
    """Return the address that could not be accessed, or the address of the exception."""
    if platform == _WINDOWS and code in (0xC0000005, 0xC0000006) and len(parameters) > 1:
        return parameters[1]
    return address
