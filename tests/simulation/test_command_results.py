"""What simulated desktops answer to commands: marked as simulated, bounded, and nothing is run."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.manager.commands.service import KNOWN_COMMANDS
from rostrum.manager.demo.read import read_demo
from rostrum.simulation.command_results import CommandResults


class Desktop:
    """Notes what the results ask of their desktop."""

    def __init__(self, commands: tuple[str, ...] = KNOWN_COMMANDS) -> None:
        self.asked: list[str] = []
        self.results = CommandResults(
            commands=commands,
            machine={"name": "SIMULATED-1", "os": "Windows 11", "cpu": "arm64", "memory": 1},
            refresh=lambda: self.asked.append("refresh"),
            restart=lambda: self.asked.append("restart"),
            send_feedback=self.send_feedback,
        )

    async def send_feedback(self, description: str) -> str:
        self.asked.append(description)
        return "feedback-1"

    def answer(self, command: str, parameters: Mapping[str, Any] | None = None) -> Any:
        return asyncio.run(self.results.handlers()[command](parameters or {}))  # type: ignore[arg-type]


@pytest.mark.parametrize("command", sorted(set(KNOWN_COMMANDS) - {"ExecuteCode", "ChangeFetchInterval"}))
def test_every_result_states_that_it_is_simulated(command: str) -> None:
    assert Desktop().answer(command)["simulated"] is True


def test_a_simulated_desktop_answers_every_supported_command() -> None:
    for desktop in read_demo().desktops:
        assert set(Desktop(tuple(desktop["commands"])).results.handlers()) == set(desktop["commands"])


def test_code_is_never_run_and_the_result_states_this() -> None:
    with pytest.raises(DesktopError, match="not run: this desktop is simulated"):
        Desktop().answer("ExecuteCode", {"code": "raise SystemExit"})


def test_the_fetch_interval_is_remembered() -> None:
    desktop = Desktop()

    assert desktop.answer("ChangeFetchInterval", {"intervalMS": 5000})["previousMS"] == 60_000
    assert desktop.answer("ChangeFetchInterval", {"intervalMS": 7000})["previousMS"] == 5000


def test_restart_refresh_and_feedback_reach_the_desktop() -> None:
    desktop = Desktop()

    assert desktop.answer("Restart")["restarted"] is True
    assert desktop.answer("RefreshApps", {"apps": ["order-ticket"]})["refreshed"] == ["order-ticket"]
    assert desktop.answer("SendFeedback", {"description": "x" * 100_000})["feedback"] == "feedback-1"

    assert desktop.asked[:2] == ["restart", "refresh"]
    assert desktop.asked[2].endswith("(sent by a simulated desktop)")
    assert len(desktop.asked[2]) < 1000


@pytest.mark.parametrize(
    ("command", "parameters", "message"),
    [
        ("ChangeFetchInterval", {}, "intervalMS must be a whole number"),
        ("ChangeFetchInterval", {"intervalMS": True}, "intervalMS must be a whole number"),
        ("ChangeFetchInterval", {"intervalMS": -1}, "intervalMS must be a whole number"),
        ("GetLogs", {"days": "all"}, "days must be a whole number"),
        ("GetLogs", {"days": 10**9}, "days must be a whole number"),
        ("StopApps", {"apps": "order-ticket"}, "apps must be an array"),
        ("StopApps", {"apps": [1]}, "apps must be an array"),
        ("RestartApps", {"apps": ["a"] * 101}, "apps must be an array"),
    ],
)
def test_wrong_parameters_are_refused(command: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(DesktopError, match=message):
        Desktop().answer(command, parameters)
