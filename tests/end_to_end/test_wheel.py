"""The packages: what they contain, and that the wheel works in an empty environment without Node and a checkout."""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import httpx
import pytest

from rostrum import __version__
from rostrum.installation.build import BuildInfo, this_target
from tests.end_to_end.packages import ROOT, build, built, unpack, without_node
from tests.end_to_end.processes import serving
from tests.long_form import LONG
from tests.plain_http import NO_TLS
from tools.build_hook import LIBRARIES
from tools.installer import fill, glibc, installer, precompile

pytestmark = pytest.mark.long

UI = "manager/admin_page/build"
PLATFORM = "manager/platform_page/build"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


class Packages(NamedTuple):
    """Where the two packages are."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def packages() -> Packages:
    return Packages(built("wheel"), built("sdist"))


def pip(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "-q", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=without_node(), capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr


def contents(wheel: Path) -> dict[str, str]:
    """Each file of a wheel with the hash of what it holds."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def unpacked(sdist: Path, folder: Path) -> Path:
    unpack(sdist, folder)
    (tree,) = folder.iterdir()
    return tree


def hashed(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_make_dist_builds_the_packages_that_are_tested_here() -> None:
    rule = (ROOT / "Makefile").read_text().split("\ndist:", 1)[1].split("\n\n", 1)[0]

    assert "$(PAGES)" in rule.splitlines()[0]
    assert "-m hatchling build -d dist" in rule
    assert "tools/installer.py dist" in rule


def test_the_wheel_contains_the_admin_ui_all_pages_and_the_schemas(packages: Packages) -> None:
    found = contents(packages.wheel)
    source = ROOT / "src/rostrum"

    modules = {f"rostrum/{file.relative_to(source).as_posix()}" for file in source.rglob("*.py")}
    assert modules <= set(found)
    assert "rostrum/py.typed" in found
    # The admin UI, the browser platform, the pages of the desktop, and those of the demo's apps.
    for file in (
        each for folder in (UI, PLATFORM, "desktop/pages", "demo_apps/pages") for each in (source / folder).rglob("*")
    ):
        if file.is_file():
            assert found[f"rostrum/{file.relative_to(source).as_posix()}"] == hashed(file)
    for file in (ROOT / "schemas").iterdir():
        assert found[f"rostrum/schemas/{file.name}"] == hashed(file)
    known = ("rostrum/", f"rostrum_platform-{__version__}.dist-info/")
    assert [name for name in found if not name.startswith(known)] == []


def test_the_sdist_contains_the_sources_and_the_built_admin_ui_only(packages: Packages) -> None:
    with tarfile.open(packages.sdist) as archive:
        files = {PurePosixPath(*PurePosixPath(member.name).parts[1:]) for member in archive if member.isfile()}

    expected = [f"src/rostrum/{page}/index.html" for page in (UI, PLATFORM)]
    expected += ["admin-ui/package-lock.json", "platform-ui/index.html"]
    assert {PurePosixPath(file) for file in expected} <= files
    schemas = {file.name for file in files if file.parent == PurePosixPath("schemas")}
    assert schemas == {file.name for file in (ROOT / "schemas").iterdir()}
    unwanted = {"node_modules", "__pycache__", ".venv", ".git", "rostrum-demo", "dist", "secrets"}
    assert [file for file in files if not unwanted.isdisjoint(file.parts)] == []


def test_the_sdist_builds_the_same_wheel_without_node(packages: Packages, tmp_path: Path) -> None:
    pip(tmp_path, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", str(tmp_path), str(packages.sdist))

    (wheel,) = tmp_path.glob("*.whl")
    assert contents(wheel) == contents(packages.wheel)


def test_packages_without_a_page_or_a_library_are_refused(packages: Packages, tmp_path: Path) -> None:
    tree = unpacked(packages.sdist, tmp_path / "tree")
    page = tree / "src/rostrum" / UI

    def assert_refused(*reasons: str, command: str = "make admin-ui") -> None:
        for kind in ("wheel", "sdist"):
            done = build(tree, tmp_path / "dist", kind)
            assert done.returncode != 0
            assert not list((tmp_path / "dist").glob("rostrum*"))
            assert "Traceback" not in done.stderr
            assert command in done.stderr
            assert [reason for reason in reasons if reason not in done.stderr] == []

    libraries = {library: (tree / library).read_bytes() for library in LIBRARIES}
    for library in libraries:
        (tree / library).unlink()
    assert_refused(*(f"{library} is not built" for library in libraries), command="make dist")
    for library, content in libraries.items():
        (tree / library).write_bytes(content)
    script = min((page / "assets").glob("*.js"))
    script.write_text("")
    assert_refused(f"{UI}/assets/{script.name} is missing or differs")
    script.unlink()
    assert_refused(f"{UI}/assets/{script.name} is missing or differs")
    (page / "verified.json").write_text("[")
    assert_refused("did not finish")
    (page / "verified.json").unlink()
    assert_refused("did not finish")
    (page / "index.html").unlink()
    assert_refused("the admin UI is not built")


def test_the_metadata_names_every_extra_that_pyproject_declares(packages: Packages) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    with zipfile.ZipFile(packages.wheel) as archive:
        metadata = archive.read(f"rostrum_platform-{__version__}.dist-info/METADATA").decode().splitlines()

    assert f"Version: {__version__}" in metadata
    assert {line.removeprefix("Provides-Extra: ") for line in metadata if line.startswith("Provides-Extra: ")} == set(
        declared
    )


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel with its extra into an empty environment: only locked wheels, with their hashes."""
    venv.create(folder, with_pip=False)
    programs = folder / SCRIPTS
    requirement = folder / "rostrum.txt"
    requirement.write_text(f"rostrum-platform[manager] @ {wheel.as_uri()} --hash=sha256:{hashed(wheel)}\n")
    lock = str(ROOT / "requirements/run.txt")
    options = ["--no-compile", "--only-binary", ":all:", "--require-hashes", "-c", lock, "-r", str(requirement)]
    pip(folder, "--python", str(programs / "python"), "install", *options)
    return programs


@pytest.mark.timeout(600)
def test_the_wheel_in_an_empty_environment_starts_a_manager_with_its_admin_ui(
    packages: Packages, tmp_path: Path
) -> None:
    programs = install(packages.wheel, tmp_path / "environment")
    rostrum, environment, empty = str(programs / "rostrum"), without_node(programs), tmp_path / "empty"
    empty.mkdir()

    def output(*command: str) -> str:
        done = subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    where = output(str(programs / "python"), "-c", "import rostrum, sys; print(rostrum.__file__, *sys.path, sep='\\n')")
    assert str(ROOT) not in where
    assert where.startswith(str(tmp_path))
    assert output(rostrum, "--version") == f"rostrum {__version__}"

    with serving("up", "--port", "0", command=[rostrum], environment=environment, cwd=empty) as server:
        address = server.address
        password = server.line_with("password").split()[1]
        root = address.removesuffix("/api")
        page = httpx.get(f"{root}/admin/", verify=NO_TLS)
        assert page.status_code == 200
        files = re.findall(r'(?:src|href)="(/admin/assets/[^"]+)"', page.text)
        assert any(file.endswith(".js") for file in files)
        assert {httpx.get(f"{root}{file}", verify=NO_TLS).status_code for file in files} == {200}
        state = httpx.get(f"{address}/admin/server", auth=("admin", password), verify=NO_TLS).json()
        assert state["version"] == __version__
        server.stop()


def test_the_installer_needs_nothing_but_python_and_contains_the_desktop(packages: Packages, tmp_path: Path) -> None:
    if sys.platform == "win32":
        refused = subprocess.run([sys.executable, "tools/installer.py", "dist"], cwd=ROOT, check=False)
        assert refused.returncode == 1
        return
    library, package, root = tmp_path / "lib", tmp_path / "installer.pyz", tmp_path / "installed"
    assert fill(library, packages.wheel) == __version__
    if LONG:
        # As `make dist` does; it takes longer than all the rest.
        precompile(library)
    info = BuildInfo(__version__, this_target(), glibc=glibc(library))
    installer(library, info, package, compression=zipfile.ZIP_DEFLATED if LONG else zipfile.ZIP_STORED)

    def output(*command: str) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=without_node(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    python, rostrum = os.path.realpath(sys.executable), str(root / "bin" / "rostrum")
    assert f"Installed Rostrum {__version__}" in output(python, "-I", "-S", str(package), "--to", str(root))
    assert output(rostrum, "--version") == f"rostrum {__version__} (installer build)"
    if not LONG:
        return
    (root / "config").mkdir()
    (root / "config" / "system.json").write_text('{"gw": {"configuration": {"port": 0}}}')
    with serving("desktop", "--headless", command=[rostrum], environment=without_node(), cwd=tmp_path) as desktop:
        desktop.line_with("ready")
        assert desktop.stop() == 0
