"""Writes minidumps in the public format, for tests."""

from struct import pack

LINUX, WINDOWS, MAC = 0x8201, 2, 0x8101
X86_64, ARM64 = 9, 12


def minidump(
    *,
    code: int = 11,
    address: int = 0x10,
    parameters: tuple[int, ...] = (),
    instruction: int = 0x1000_2345,
    modules: tuple[tuple[int, int, str], ...] = ((0x1000_0000, 0x10_0000, "/opt/desk/libchart.so"),),
    platform: int = LINUX,
    processor: int = X86_64,
    threads: int = 3,
    with_exception: bool = True,
) -> bytes:
    """Return a dump of a process that crashed at an instruction."""
    kinds = [7, 3, 4, *([6] if with_exception else [])]
    body = bytearray(32 + 12 * len(kinds))

    def put(data: bytes) -> int:
        body.extend(b"\0" * (-len(body) % 8))
        place = len(body)
        body.extend(data)
        return place

    names = [put(pack("<I", len(name.encode("utf-16-le"))) + name.encode("utf-16-le")) for _, _, name in modules]
    listed = b"".join(
        pack("<QIIII", base, size, 0, 0, at) + bytes(52 + 16 + 16)
        for (base, size, _), at in zip(modules, names, strict=True)
    )
    register = {X86_64: 0xF8, ARM64: 0x108}[processor]
    context = bytearray(1232)
    context[register : register + 8] = pack("<Q", instruction)
    padded = (*parameters, *(0,) * (15 - len(parameters)))
    streams = {
        7: pack("<HHHBBIIIII", processor, 0, 0, 4, 0, 6, 1, 0, platform, 0) + bytes(32),
        3: pack("<I", threads) + bytes(48 * threads),
        4: pack("<I", len(modules)) + listed,
        6: pack(
            "<IIIIQQII15QII", 7, 0, code, 0, 0, address, len(parameters), 0, *padded, len(context), put(bytes(context))
        ),
    }
    entries = []
    for kind in kinds:
        data = streams[kind]
        entries.append(pack("<III", kind, len(data), put(data)))
    body[:32] = pack("<4sIIIIIQ", b"MDMP", 0xA793, len(kinds), 32, 0, 1, 0)
    body[32 : 32 + 12 * len(kinds)] = b"".join(entries)
    return bytes(body)
