import pytest

from rostrum.manager.crash_formats.minidump import DumpSummary
from rostrum.manager.crash_formats.signature import app_of, group_id, is_newer, machine_of, signature_of

DUMP = DumpSummary(reason="SIGSEGV", module="libchart.so", offset="0x2345")
TRACEBACK = """Traceback (most recent call last):
  File "/opt/rostrum/start.py", line 7, in main
    run()
  File "/opt/rostrum/windows.py", line 93, in place
    raise KeyError(name)
KeyError: 'a'
"""
PAGE = "TypeError: x is undefined\n    at draw (https://apps.example/chart/main.js?v=3:10:7)\n    at run (a.js:1:1)"


@pytest.mark.parametrize(
    ("fields", "dump", "signature"),
    [
        ({}, None, "renderer: unknown reason"),
        ({}, DUMP, "renderer: SIGSEGV at libchart.so+0x2345"),
        ({}, DumpSummary(problem="the file is truncated"), "renderer: unknown reason"),
        ({"exitCode": "-1073741819"}, None, "renderer: exit code -1073741819"),
        ({"reason": "chart ended with 3221225477"}, None, "renderer: chart ended with 3221225477"),
        ({"reason": "out of memory"}, DUMP, "renderer: out of memory at libchart.so+0x2345"),
        ({"reason": "no row 4711 at 0x7ffe12\n\tin  table"}, None, "renderer: no row # at 0x# in table"),
        ({"reason": "KeyError", "stack": TRACEBACK}, None, "renderer: KeyError at place (windows.py)"),
        ({"reason": "TypeError", "stack": PAGE}, None, "renderer: TypeError at draw (main.js)"),
        ({"reason": "x" * 500}, None, "renderer: " + "x" * 160),
    ],
)
def test_a_signature_names_the_process_the_reason_and_the_place(
    fields: dict[str, str], dump: DumpSummary | None, signature: str
) -> None:
    assert signature_of("renderer", fields, dump) == signature


def test_reports_that_differ_in_ids_and_numbers_have_the_same_signature() -> None:
    ids = ("5e1286fc-da97-479e-918b-6bfb0c3d1c72", "00000000-da97-479e-918b-6bfb0c3d1c72")

    assert len({signature_of("", {"reason": f"order {each} lost after 12345{n}"}) for n, each in enumerate(ids)}) == 1


def test_the_app_and_the_machine_are_taken_from_the_fields() -> None:
    assert (app_of({"application": "price-chart"}), app_of({"app": "blotter"}), app_of({})) == (
        "price-chart",
        "blotter",
        "",
    )
    assert (machine_of({"guid": "a\0b"}), machine_of({})) == ("ab", None)


def test_groups_with_different_parts_have_different_ids() -> None:
    assert len({group_id("a", "b", "c", "d"), group_id("ab", "", "c", "d"), group_id("a", "b", "cd", "")}) == 3


@pytest.mark.parametrize(
    ("version", "other", "newer"),
    [
        ("10.1", "9.9", True),
        ("10.1.0", "10.1", False),
        ("10.0.3", "10.0.12", False),
        ("10.1", "10.1", False),
        ("", "1", False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, other: str, newer: bool) -> None:
    assert is_newer(version, other) is newer
