"""rostrum manager report, as a real process on a database."""

import json

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


@pytest.mark.long
def test_the_figures_are_printed_as_a_text_and_as_json(config: str) -> None:
    assert run("manager", "user", "add", "robot", "--service", "--config", config).returncode == 0
    text = run("manager", "report", "--config", config)
    assert text.returncode == 0, text.stderr
    assert "stopped command runs" in text.stdout
    assert "user robot created" in text.stdout
    found = json.loads(run("manager", "report", "--json", "--config", config).stdout)
    assert found["changes"][0]["document"]["name"] == "robot"
    assert found["attention"]["failedCommands"]["count"] == 0
    assert len(found["days"]) == len(found["versions"]["counts"]) == 30
