import random
from struct import pack

import pytest

from rostrum.manager.crash_formats.minidump import DumpSummary, summarise
from tests.manager.crash_formats.minidumps import ARM64, MAC, WINDOWS, minidump


async def summary_of(data: bytes) -> DumpSummary:
    async def read_at(offset: int, size: int) -> bytes:
        return data[offset : offset + size]

    return await summarise(read_at)


async def test_a_dump_says_why_and_where_the_process_crashed() -> None:
    assert await summary_of(minidump()) == DumpSummary(
        reason="SIGSEGV",
        address="0x10",
        module="libchart.so",
        offset="0x2345",
        system="Linux 6.1.0 (x86-64)",
        threads=3,
        modules=1,
    )


@pytest.mark.parametrize(
    ("dump", "reason", "place", "address"),
    [
        (
            minidump(platform=WINDOWS, code=0xC0000005, address=0x1000_2345, parameters=(1, 0x18)),
            "EXCEPTION_ACCESS_VIOLATION_WRITE",
            "libchart.so+0x2345",
            "0x18",
        ),
        (minidump(platform=WINDOWS, code=0xE0000008), "out of memory", "libchart.so+0x2345", "0x10"),
        (minidump(platform=MAC, processor=ARM64, code=1), "EXC_BAD_ACCESS", "libchart.so+0x2345", "0x10"),
        (minidump(code=77), "exception 0x4d", "libchart.so+0x2345", "0x10"),
        (minidump(instruction=0x5), "SIGSEGV", "", "0x10"),
        (minidump(with_exception=False), "", "", ""),
    ],
)
async def test_systems_have_their_own_names_for_crashes(dump: bytes, reason: str, place: str, address: str) -> None:
    summary = await summary_of(dump)

    assert (summary.problem, summary.reason, summary.place, summary.address) == ("", reason, place, address)


async def test_only_the_file_name_of_a_module_is_kept() -> None:
    modules = ((0x1000_0000, 0x10_0000, "C:\\Users\\ann\\desk\x07.exe"),)

    assert (await summary_of(minidump(modules=modules))).module == "desk.exe"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "the file is not a minidump"),
        (b"MDMP", "the file is truncated"),
        (b"PK\3\4" + bytes(100), "the file is not a minidump"),
        (pack("<4sIIIIIQ", b"MDMP", 1, 0, 0, 0, 0, 0), "the file has an unknown version"),
        (pack("<4sIIIIIQ", b"MDMP", 0xA793, 2**31, 32, 0, 0, 0), "the file has more than 128 streams"),
        (pack("<4sIIIIIQ", b"MDMP", 0xA793, 1, 2**31, 0, 0, 0), "the file is truncated"),
        (
            pack("<4sIIIIIQ", b"MDMP", 0xA793, 1, 32, 0, 0, 0) + pack("<III", 4, 4, 44) + pack("<I", 2**31),
            "the file has more than 4,096 threads or modules",
        ),
        (minidump(modules=((0x1000_0000, 0x10_0000, "x" * 600),)), "the name of a module is invalid or too long"),
    ],
)
async def test_a_damaged_dump_has_a_problem_and_no_summary(data: bytes, problem: str) -> None:
    assert await summary_of(data) == DumpSummary(problem=problem)


async def test_no_damage_makes_the_reader_fail() -> None:
    chance, whole = random.Random(7), minidump()
    for _ in range(3000):
        damaged = bytearray(whole[: chance.randrange(len(whole) + 1)])
        for _ in range(chance.randrange(6)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.choice((0, 1, 0x7F, 0xFF))
        assert isinstance(await summary_of(bytes(damaged)), DumpSummary)
