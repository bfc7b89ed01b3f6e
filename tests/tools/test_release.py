"""Releases are prepared, built and recorded in three steps, and incomplete ones are refused."""

import hashlib
import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from rostrum.desktop.updates.publish import create_key, read_private_key
from tools import pictures, sbom
from tools.release import SUMS, build, current_version, main, note_problems, prepare, problems, record
from tools.releases import ROOT, Release, ReleaseError, read_releases

MAKEFILE = """
generate:
\t@echo generated > generated.txt
check test test-long:
\t@echo $@ $(ARGS) $$LONG >> ../steps.txt
dist:
\t@mkdir dist; echo "$$SOURCE_DATE_EPOCH" > dist/rostrum_platform.whl; echo dist >> ../steps.txt
"""
NOTES = """# Changes

<!-- towncrier release notes start -->

## 0.1.0 (2026-11-19)

### Highlights

- Manager: it exists.
"""


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada Birch", "-c", "user.email=ada@example.com"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Change")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with everything that a release reads, after the release 0.1.0 and one change."""
    folder = tmp_path_factory.mktemp("original") / "product"
    shutil.copytree(ROOT / "changelog.d", folder / "changelog.d", ignore=shutil.ignore_patterns("*.*.md"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "changelog.d/frozen-gateways.fixed.md").write_text("Gateway: a frozen gateway is noticed.\n")
    (folder / "changelog.d/windows.highlight.md").write_text("Desktop: it runs on Windows.\n")
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "CHANGELOG.md").write_text(NOTES)
    (folder / ".gitignore").write_text("dist/\n")
    (folder / "releases.toml").write_text(Release("0.1.0", "0" * 40, "0021").entry())
    for name, text in (
        ("__init__.py", '__version__ = "0.2.0.dev0"\n'),
        ("manager/database/schema.py", 'HEAD = "0022"\n'),
    ):
        path = folder / "src/rostrum" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "init", "-q")
    commit(folder)
    record_of_pictures = folder / pictures.RECORD.relative_to(ROOT)
    record_of_pictures.parent.mkdir(parents=True)
    record_of_pictures.write_text(pictures.recorded(folder))
    commit(folder)
    return folder


@pytest.fixture(scope="module")
def original_prepared(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(original, tmp_path_factory.mktemp("prepared") / "product")
    prepare("0.2.0", folder)
    commit(folder)
    return folder


@pytest.fixture
def product(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "product")


@pytest.fixture
def prepared(original_prepared: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original_prepared, tmp_path / "product")


@pytest.mark.long
def test_prepare_sets_the_version_and_moves_the_notes_to_the_changelog(product: Path) -> None:
    prepare("0.2.0", product)

    changelog = (product / "CHANGELOG.md").read_text()
    section = changelog.partition("## 0.2.0 (")[2].partition("## 0.1.0")[0]
    assert re.findall(r"### (\w+)\n\n(.*)\n", section) == [
        ("Highlights", "- Desktop: it runs on Windows."),
        ("Upgrade", "Replace the packages; nothing else is required."),
        ("Breaking", "Nothing."),
        ("Fixed", "- Gateway: a frozen gateway is noticed."),
    ]
    assert changelog.endswith(NOTES.partition("start -->\n")[2])
    assert note_problems("0.2.0", changelog) == []
    assert sorted(file.name for file in (product / "changelog.d").iterdir()) == ["README.md", "template.md.jinja"]
    assert current_version(product) == "0.2.0"
    assert (product / "generated.txt").exists()


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "0.2", "v0.2.0", "0.2.0.dev1", "0.02.0", "٠.٢.٠", ""])
def test_a_version_that_is_not_newer_or_has_another_form_is_refused(product: Path, version: str) -> None:
    with pytest.raises(ReleaseError, match=r"is not newer than the newest release, 0\.1\.0|use a form such as 0\.2\.0"):
        prepare(version, product)
    assert current_version(product) == "0.2.0.dev0"


def test_a_release_without_changes_is_refused(product: Path) -> None:
    for file in (product / "changelog.d").glob("*.*.md"):
        file.unlink()
    commit(product)

    with pytest.raises(ReleaseError, match="contains no changes"):
        prepare("0.2.0", product)


def test_everything_that_prevents_a_release_is_reported_at_once(product: Path) -> None:
    (product / "admin-ui/src").mkdir(parents=True)
    (product / "admin-ui/src/page.tsx").touch()
    git(product, "add", "admin-ui")

    with pytest.raises(ReleaseError) as refusal:
        build("0.2.0", None, product)

    found = str(refusal.value)
    for problem in (
        "there are changes that are not committed: admin-ui/src/page.tsx",
        "src/rostrum/__init__.py has the version 0.2.0.dev0: run `make release-prepare VERSION=0.2.0` and commit",
        "changes are not in CHANGELOG.md yet: frozen-gateways.fixed.md, windows.highlight.md",
        "CHANGELOG.md must have one section `## 0.2.0 (YYYY-MM-DD)`",
        "the pages have changed since the pictures were made: run `make screenshots`",
    ):
        assert problem in found
    assert not (product.parent / "steps.txt").exists()


@pytest.mark.parametrize("name", ["Highlights", "Upgrade", "Breaking"])
def test_notes_must_have_text_in_each_required_section(name: str) -> None:
    parts = dict.fromkeys(("Highlights", "Upgrade", "Breaking"), "#### Desktop\n\n#12 is repaired.\n\n")
    for text in ("", None, "- TODO\n", "-\n", "<!-- Text. -->\n", "#### \n"):
        given = {**parts, name: text}
        notes = "## 0.2.0 (2026-12-01)\n\n" + "".join(
            f"### {part}\n\n{text}" for part, text in given.items() if text is not None
        )
        problem = f"the section 0.2.0 of CHANGELOG.md has no text under `### {name}`"
        assert note_problems("0.2.0", f"{notes}## 0.1.0 (2026-11-19)\n") == [problem]


@pytest.mark.parametrize(
    "headings", ["", "## 0.2.0 (2026-13-01)\n", "## 0.2.0 (soon)\n", "## 0.2.0 (2026-12-01)\n" * 2]
)
def test_notes_must_be_in_one_section_with_a_date(headings: str) -> None:
    assert note_problems("0.2.0", headings) == ["CHANGELOG.md must have one section `## 0.2.0 (YYYY-MM-DD)`"]


@pytest.mark.parametrize("change", ["CHANGELOG.md", "changelog.d/other.fixed.md"])
def test_prepare_requires_that_everything_is_committed(product: Path, change: str) -> None:
    (product / change).write_text("Changed.\n")
    git(product, "config", "status.showUntrackedFiles", "no")

    with pytest.raises(ReleaseError, match=f"there are changes that are not committed: {change}"):
        prepare("0.2.0", product)


def test_a_version_with_notes_is_not_prepared_again(product: Path) -> None:
    with (product / "CHANGELOG.md").open("a") as changelog:
        changelog.write("\n## 0.2.0 (2026-12-01)\n\nText.\n")
    commit(product)

    with pytest.raises(ReleaseError, match=r"already has a section 0\.2\.0"):
        prepare("0.2.0", product)


@pytest.mark.long
def test_prepare_states_which_notes_are_missing(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(product, "rm", "-q", "changelog.d/windows.highlight.md")
    commit(product)

    prepare("0.2.0", product)

    assert "Required: the section 0.2.0 of CHANGELOG.md has no text under `### Highlights`" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("step", ["prepare", pytest.param("record", marks=pytest.mark.long)])
def test_a_step_that_fails_changes_nothing(product: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if step == "record":
        prepare("0.2.0", product)
        commit(product)
        build("0.2.0", None, product)
    makefile = (product / "Makefile").read_text()
    # An earlier make, so that the committed state does not change.
    make = product.parent / "bin/make"
    make.parent.mkdir()
    make.write_text("#!/bin/sh\nexit 1\n")
    make.chmod(0o700)
    before = git(product, "ls-files", "-s")
    with monkeypatch.context() as failing:
        failing.setenv("PATH", str(make.parent), prepend=":")
        with pytest.raises(ReleaseError, match="`make generate` failed"):
            (prepare if step == "prepare" else record)("0.2.0", product)

    assert git(product, "status", "--porcelain") == ""
    assert git(product, "ls-files", "-s") == before
    assert (product / "Makefile").read_text() == makefile
    (prepare if step == "prepare" else record)("0.2.0", product)


def test_changes_that_git_hides_are_reported(product: Path) -> None:
    git(product, "update-index", "--assume-unchanged", "CHANGELOG.md")
    git(product, "update-index", "--skip-worktree", "Makefile")

    assert problems("0.2.0", product)[0].endswith("(assume-unchanged or skip-worktree): CHANGELOG.md, Makefile")


@pytest.mark.long
def test_a_release_runs_all_tests_whatever_the_environment_selects(
    prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARGS", "tests/test_version.py")
    build("0.2.0", None, prepared)

    assert (prepared.parent / "steps.txt").read_text().splitlines()[1].strip() == "test"


def test_keys_that_are_unsafe_or_unusable_are_refused_before_the_checks(prepared: Path) -> None:
    inside, open_to_others = prepared / "dist/release.key", prepared.parent / "open.key"
    inside.parent.mkdir()
    for key in (inside, open_to_others):
        create_key(key)
    open_to_others.chmod(0o644)
    encrypted = prepared.parent / "encrypted.key"
    password = BestAvailableEncryption(b"password")
    private = read_private_key(inside)
    encrypted.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, password))
    encrypted.chmod(0o600)
    for key, message in (
        (inside, "is in dist, which is deleted before the build: move it"),
        (open_to_others, f"other users have access to the key {open_to_others}: run `chmod 600 {open_to_others}`"),
        (prepared.parent / "missing.key", "the key cannot be read: "),
        (prepared.parent, "the key cannot be read: |other users have access"),
        (encrypted, "is encrypted"),
    ):
        with pytest.raises(ReleaseError, match=message):
            build("0.2.0", key, prepared)
    assert inside.exists()
    assert not (prepared.parent / "steps.txt").exists()


@pytest.mark.long
def test_a_commit_that_was_not_built_is_not_recorded(prepared: Path) -> None:
    with pytest.raises(ReleaseError, match="dist has no build of the newest commit: run `make release VERSION"):
        record("0.2.0", prepared)
    build("0.2.0", None, prepared)
    commit(prepared)
    with pytest.raises(ReleaseError, match="dist has no build of the newest commit"):
        record("0.2.0", prepared)


@pytest.mark.long
def test_a_release_is_checked_tested_built_and_signed(prepared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = prepared.parent / "release.key"
    create_key(key)
    build("0.2.0", key, prepared)

    steps = (prepared.parent / "steps.txt").read_text().splitlines()
    assert [step.strip() for step in steps] == [
        "check",
        "test",
        "test-long",
        "test tests/end_to_end/test_old_release.py 1",
        "dist",
    ]
    dist = prepared / "dist"
    assert (dist / "rostrum_platform.whl").read_text().strip() == git(prepared, "log", "-1", "--format=%ct").strip()
    names = ("rostrum-platform-0.2.0.cdx.json", "rostrum_platform.whl")
    sums = [f"{hashlib.sha256((dist / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert (dist / SUMS).read_text().splitlines() == sums
    public = read_private_key(key).public_key()
    public.verify((dist / f"{SUMS}.sig").read_bytes(), (dist / SUMS).read_bytes())
    printed = capsys.readouterr().out
    assert "Nothing was published." in printed
    assert f"signed {SUMS}" in printed


def test_a_release_without_a_key_states_that_it_is_not_signed(
    prepared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("0.2.0", None, prepared)

    assert f"{SUMS} is not signed, because no KEY was given" in capsys.readouterr().out
    assert not (prepared / "dist" / f"{SUMS}.sig").exists()


@pytest.mark.parametrize("failing", ["check", "test", "dist"])
def test_a_release_ends_if_a_step_fails(prepared: Path, failing: str) -> None:
    text = MAKEFILE.replace(failing, f"other-{failing}", 1)
    (prepared / "Makefile").write_text(f"{text}\n{failing}:\n\t@false\n")
    commit(prepared)

    with pytest.raises(ReleaseError, match=rf"`.*make {failing}` failed"):
        build("0.2.0", None, prepared)
    assert not (prepared / "dist").exists()


def test_a_release_whose_build_changes_the_sources_is_refused(prepared: Path) -> None:
    (prepared / "Makefile").write_text(f"{MAKEFILE}\t@echo >> CHANGELOG.md\n")
    commit(prepared)

    with pytest.raises(
        ReleaseError, match=r"(?s)changed the sources, so nothing was released:.*committed: CHANGELOG.md"
    ):
        build("0.2.0", None, prepared)
    assert not (prepared / "dist").exists()


@pytest.mark.long
def test_the_released_commit_is_recorded_and_the_next_version_begins(prepared: Path) -> None:
    build("0.2.0", None, prepared)
    released = git(prepared, "rev-parse", "HEAD").strip()
    record("0.2.0", prepared)

    assert read_releases(prepared / "releases.toml")[-1] == Release("0.2.0", released, "0022")
    assert current_version(prepared) == "0.3.0.dev0"
    with pytest.raises(ReleaseError, match=r"0\.2\.0 is not newer than the newest release, 0\.2\.0"):
        record("0.2.0", prepared)
    assert "there are changes that are not committed: " in " ".join(problems("0.3.0", prepared))


@pytest.mark.long
def test_a_wrong_command_line_is_refused_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["publish", "0.2.0"])
    assert "prepare" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["record", "0.2.0", "--key", "release.key"])
    assert "only the step build uses a key" in capsys.readouterr().err
    assert main(["build", "1"]) == 1
    assert "'1' is not a version: use a form such as 0.2.0" in capsys.readouterr().err


@pytest.mark.long
def test_the_bill_of_materials_is_valid_complete_and_reproducible(tmp_path: Path) -> None:
    created = datetime(2026, 11, 19, 12, tzinfo=UTC)
    for name in ("one.json", "two.json"):
        count = sbom.write_sbom(tmp_path / name, "0.2.0", "0" * 40, created)
    document = json.loads((tmp_path / "one.json").read_text())

    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    schemas = files("cyclonedx.schema") / "_res"
    names = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.6", "spdx", "jsf-0.82")]
    documents = {name: json.loads((schemas / name).read_text()) for name in names}
    # The documents refer to each other by their file names.
    base = documents[names[0]]["$id"].rpartition("/")[0]
    registry = jsonschema_rs.Registry([(f"{base}/{name}", documents[name]) for name in names])
    jsonschema_rs.validator_for(documents[names[0]], registry=registry).validate(document)
    assert document["metadata"]["properties"] == [{"name": "rostrum:commit", "value": "0" * 40}]
    packages = {component["purl"]: component for component in document["components"]}
    assert len(packages) == count > 100
    locked = (ROOT / "requirements/run.txt").read_text()
    for name in ("litestar", "sqlalchemy", "granian", "asyncpg", "httpx"):
        (version,) = re.findall(rf"^{name}==(\S+)", locked, re.MULTILINE)
        component = packages[f"pkg:pypi/{name}@{version}"]
        assert all(digest["content"] in locked for digest in component["hashes"])
        assert component["licenses"]
    # Packages for other platforms are listed too.
    for name in ("cryptography", "colorama", "tzdata", "uvloop"):
        for version in re.findall(rf"^{name}==(\S+)", locked, re.MULTILINE):
            assert packages[f"pkg:pypi/{name}@{version}"]["hashes"]
    for folder, name in (("admin-ui", "react"), ("admin-ui", "dockview"), ("tests/fdc3/node", "@finos/fdc3-get-agent")):
        lock = json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
        assert f"pkg:npm/{name.replace('@', '%40')}@{lock[f'node_modules/{name}']['version']}" in packages
    # Tools of the build are not part of the packages.
    assert not any(name in purl for purl in packages for name in ("/vite@", "/typescript@", "/hatchling@", "/pytest@"))
    assert document["metadata"]["component"]["purl"] == "pkg:pypi/rostrum-platform@0.2.0"


def test_changes_of_pages_make_the_pictures_outdated(product: Path) -> None:
    assert pictures.problem(product) is None
    page = product / "platform-ui/src/page.test.ts"
    page.parent.mkdir(parents=True)
    page.touch()
    git(product, "add", "-A")
    assert pictures.problem(product) is None
    page.with_name("page.ts").touch()
    git(product, "add", "-A")
    assert "run `make screenshots`" in str(pictures.problem(product))


def test_pictures_that_were_added_deleted_or_not_recorded_are_reported(product: Path) -> None:
    record_file = product / pictures.RECORD.relative_to(ROOT)
    picture = record_file.with_name("desktop.png")
    picture.touch()
    assert "deleted: desktop.png: run" in str(pictures.problem(product))
    record_file.write_text(pictures.recorded(product))
    assert pictures.problem(product) is None
    picture.unlink()
    assert "deleted: desktop.png: run" in str(pictures.problem(product))
    record_file.unlink()
    assert "it is not recorded" in str(pictures.problem(product))
