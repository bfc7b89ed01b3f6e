"""The workflows of hosted CI: every command in them exists, and nothing in them changes by itself."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / ".github/workflows").glob("*.yaml"))
ENVIRONMENT = str(Path(sys.executable).parent)
ON_EVERY_RUNNER = {"docker", "git", "python"}


def workflow(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return document


def steps(file: Path) -> Iterator[dict[str, Any]]:
    for job in workflow(file)["jobs"].values():
        yield from job["steps"]


def commands() -> list[str]:
    texts = [step["run"] for file in FILES for step in steps(file) if "run" in step]
    return [line for text in texts for line in text.splitlines() if line.strip()]


def test_each_command_runs_something_that_exists() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in commands():
        program, *arguments = shlex.split(command)
        if program == "make":
            assert arguments[0] in targets, command
        elif program.startswith(".venv/"):
            assert shutil.which(program.rpartition("/")[2], path=ENVIRONMENT), command
        else:
            assert program in ON_EVERY_RUNNER, command


def test_each_file_that_a_command_names_exists() -> None:
    folders = ("tools/", "tests/", "requirements/", "deploy/")
    named = [word for command in commands() for word in shlex.split(command) if word.startswith(folders)]

    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_each_script_of_the_admin_ui_that_is_run_exists() -> None:
    scripts = json.loads((ROOT / "admin-ui/package.json").read_text(encoding="utf-8"))["scripts"]
    run = {match[1] for command in commands() if (match := re.search(r"npm --prefix admin-ui run (\S+)", command))}

    assert run == {"check"}
    assert run <= set(scripts)


def test_every_supported_system_is_checked_tested_and_packaged() -> None:
    jobs = workflow(ROOT / ".github/workflows/ci.yaml")["jobs"]

    assert jobs["linux"]["strategy"]["matrix"]["runner"] == ["ubuntu-24.04", "ubuntu-24.04-arm"]
    assert (jobs["macos"]["runs-on"], jobs["windows"]["runs-on"]) == ("macos-15", "windows-2025")
    for name in ("linux", "macos"):
        assert {"make check", "make test", "make dist"} <= {step.get("run") for step in jobs[name]["steps"]}
    windows = "\n".join(step.get("run", "") for step in jobs["windows"]["steps"])
    for part in ("ruff check", "mypy", "pytest", "hatchling build", "tests/end_to_end/test_wheel.py"):
        assert part in windows


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_workflows_may_only_read_and_use_pinned_actions_and_images(file: Path) -> None:
    document = workflow(file)

    assert document["permissions"] == {"contents": "read"}
    uses = [step["uses"] for step in steps(file) if "uses" in step]
    assert [name for name in uses if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []
    images = [job["container"] for job in document["jobs"].values() if "container" in job]
    assert [image for image in images if not re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", image)] == []
    assert all(job["timeout-minutes"] <= 60 for job in document["jobs"].values())
