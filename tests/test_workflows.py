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


def test_long_tests_and_planted_faults_run_each_night() -> None:
    file = ROOT / ".github/workflows/nightly.yaml"

    assert list(workflow(file)[True]["schedule"][0]) == ["cron"]  # type: ignore[index]  # YAML's name for "on"
    assert {"make test-long", "make mutants"} <= {step.get("run") for step in steps(file)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_workflows_may_only_read_and_use_pinned_actions_and_images(file: Path) -> None:
    document = workflow(file)

    assert document["permissions"] == {"contents": "read"}
    uses = [step["uses"] for step in steps(file) if "uses" in step]
    assert [name for name in uses if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []
    images = [job["container"] for job in document["jobs"].values() if "container" in job]
    assert [image for image in images if not re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", image)] == []
    assert all(job["timeout-minutes"] <= 60 for job in document["jobs"].values())
    # The provenance of a release is signed with an identity that the host issues to the job.
    provenance = {"contents": "read", "id-token": "write", "attestations": "write"}
    allowed = provenance if file.name == "release.yaml" else None
    assert [job.get("permissions") for job in document["jobs"].values() if job.get("permissions") != allowed] == []


def test_jobs_that_run_all_tests_have_the_complete_history_for_the_wheel_of_the_newest_release() -> None:
    complete = [
        (file.name, name)
        for file in FILES
        for name, job in workflow(file)["jobs"].items()
        if any(re.match(r"make (test|test-long|release)\b(?!.*ARGS)", step.get("run", "")) for step in job["steps"])
    ]

    assert complete == [
        ("ci.yaml", "linux"),
        ("ci.yaml", "macos"),
        ("nightly.yaml", "long"),
        ("release.yaml", "build"),
    ]
    for file, name in complete:
        steps_of_job = workflow(ROOT / ".github/workflows" / file)["jobs"][name]["steps"]
        (checkout,) = [step for step in steps_of_job if step.get("uses", "").startswith("actions/checkout@")]
        assert checkout["with"] == {"fetch-depth": 0}


def test_each_change_and_each_week_is_checked_for_known_vulnerabilities() -> None:
    document = workflow(ROOT / ".github/workflows/audit.yaml")

    # YAML reads the word "on" as a truth value.
    triggers: dict[str, Any] = document.get("on") or document[True]  # type: ignore[index]
    assert set(triggers) == {"push", "pull_request", "schedule"}
    assert "make audit" in {step.get("run") for step in document["jobs"]["audit"]["steps"]}
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\naudit:")[2].partition("\n\n")[0]
    assert "pip-audit" in rule
    assert "npm audit" in rule


def test_the_files_of_a_release_are_built_with_their_provenance() -> None:
    job = workflow(ROOT / ".github/workflows/release.yaml")["jobs"]["build"]
    uses = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]

    assert job["strategy"]["matrix"]["runner"] == ["ubuntu-24.04", "ubuntu-24.04-arm"]
    assert uses == ["actions/checkout", "actions/attest-build-provenance", "actions/upload-artifact"]
    (attested,) = [step["with"] for step in job["steps"] if "attest" in step.get("uses", "")]
    assert attested == {"subject-checksums": "dist/SHA256SUMS"}
