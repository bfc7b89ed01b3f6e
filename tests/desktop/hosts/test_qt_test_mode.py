"""What the window process does for tests only."""

import pytest

from rostrum.desktop.hosts.qt.test_mode import debugging_address, heartbeat_interval, print_file

VARIABLES = {
    "ROSTRUM_WINDOWS_DEBUGGING": "127.0.0.1:9222",
    "ROSTRUM_WINDOWS_PRINT_FILE": "/printed.pdf",
    "ROSTRUM_WINDOWS_HEARTBEAT": "300",
}


@pytest.mark.parametrize(
    ("test", "expected"), [("1", ("127.0.0.1:9222", "/printed.pdf", 300)), ("0", (None, None, None))]
)
def test_variables_for_tests_have_an_effect_in_test_mode_only(
    test: str, expected: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**VARIABLES, "ROSTRUM_WINDOWS_TEST": test}.items():
        monkeypatch.setenv(name, value)

    assert (debugging_address(), print_file(), heartbeat_interval()) == expected


@pytest.mark.parametrize(
    ("name", "value"), [("ROSTRUM_WINDOWS_DEBUGGING", "0.0.0.0:9222"), ("ROSTRUM_WINDOWS_HEARTBEAT", "-1")]
)
def test_other_values_of_these_variables_have_no_effect(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_WINDOWS_TEST", "1")
    for one in VARIABLES:
        monkeypatch.delenv(one, raising=False)
    monkeypatch.setenv(name, value)

    assert (debugging_address(), print_file(), heartbeat_interval()) == (None, None, None)
