"""Installs the build tools of the admin UI and the browser platform, builds a page and checks it. For the Makefile.

python tools/admin_ui.py install    exactly what admin-ui/package-lock.json names, for both pages
python tools/admin_ui.py build      build the admin UI, verify it, and start the page in Chromium where there is one
python tools/admin_ui.py platform   the same for the browser platform
python tools/admin_ui.py package [folder]   the npm package @rostrum/browser-platform, into dist/ if no folder is named

A failure is explained in one line on standard output; the complete output is in admin-ui/build.log.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.chromium import find_chromium
from tools.node import find_node

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "admin-ui"
PLATFORM_FOLDER = ROOT / "platform-ui"
LOG = FOLDER / "build.log"
PAGES = ROOT / "src" / "rostrum" / "manager"
# npm waits for minutes before it gives up by default; somebody who starts a demo without a network should not.
PATIENCE = ("--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=3000")
UNREACHABLE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET")
ADDRESS = re.compile(r"listening on (http://\S+)/api")
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Page:
    """A page that the manager serves: its name in messages, its npm script, its list of files and its address."""

    name: str
    script: str
    list: Path
    path: str


ADMIN_UI = Page("admin UI", "build", PAGES / "admin_page" / "build" / "verified.json", "admin")
PLATFORM = Page("browser platform", "build:platform", PAGES / "platform_page" / "build" / "verified.json", "platform")


class CannotBuild(Exception):
    """Why there is no page, in one line."""


def main(arguments: list[str]) -> int:
    steps: dict[str, tuple[str, Callable[[], None]]] = {
        "install": (ADMIN_UI.name, install),
        "build": (ADMIN_UI.name, lambda: build(ADMIN_UI)),
        "platform": (PLATFORM.name, lambda: build(PLATFORM)),
        "package": ("npm package", lambda: package(Path(arguments[1]) if arguments[1:] else ROOT / "dist")),
    }
    if not arguments or arguments[0] not in steps or len(arguments) > 1 + (arguments[0] == "package"):
        print(__doc__, file=sys.stderr)
        return 2
    name, step = steps[arguments[0]]
    try:
        step()
    except CannotBuild as reason:
        print(f"The {name} cannot be built: {reason}")
        return 1
    return 0


def install() -> None:
    """Install what the lock names, without running the packages' own scripts."""
    _npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *PATIENCE)
    link_packages()


def link_packages() -> None:
    """Let the browser platform find the packages of the admin UI: one lock for both, and nothing is installed twice."""
    link = PLATFORM_FOLDER / "node_modules"
    target = FOLDER / "node_modules"
    if link.exists():
        return
    if os.name == "nt":
        import _winapi

        _winapi.CreateJunction(str(target), str(link))  # type: ignore[attr-defined, unused-ignore]
    else:
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(target, link.parent), target_is_directory=True)


def build(page: Page) -> None:
    """Build and verify; without a usable result, nothing remains that the manager would serve."""
    page.list.unlink(missing_ok=True)
    if page is PLATFORM:
        link_packages()
    _npm("run", "--silent", page.script)
    browser = find_chromium()
    if browser is None:
        print("the scripts are verified; the page was not started: no Chromium here")
        return
    try:
        _start_page(browser, page)
    except CannotBuild:
        page.list.unlink(missing_ok=True)
        raise


def package(target: Path) -> None:
    """Build the npm package for main pages of firms, with the version of the product."""
    link_packages()
    _npm("run", "--silent", "build:browser-platform")
    description = json.loads((PLATFORM_FOLDER / "package.json").read_text(encoding="utf-8"))
    version = re.search(r'__version__ = "([^"]+)"', (ROOT / "src/rostrum/__init__.py").read_text(encoding="utf-8"))
    assert version is not None
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("library", "README.md"):
            copy = shutil.copytree if (PLATFORM_FOLDER / name).is_dir() else shutil.copy
            copy(PLATFORM_FOLDER / name, Path(folder) / name)
        (Path(folder) / "package.json").write_text(
            json.dumps({**description, "version": npm_version(version[1])}, indent=2)
        )
        _npm("pack", "--silent", "--pack-destination", str(target), folder)


def npm_version(version: str) -> str:
    """Write a version as npm requires it: 0.2.0.dev0 is 0.2.0-dev.0, and 0.2.0rc1 is 0.2.0-rc.1."""
    return re.sub(r"^(\d+\.\d+\.\d+)\.?(a|b|rc|dev)(\d+)", r"\1-\2.\3", version)


def _npm(*arguments: str) -> None:
    try:
        node = find_node()
    except (SystemExit, subprocess.CalledProcessError):
        raise CannotBuild("Node.js is not installed, and it cannot be fetched from the package registry.") from None
    command = node.command("npm", "--prefix", str(FOLDER), *arguments)
    done = subprocess.run(command, env=node.environment, capture_output=True, text=True, check=False)
    if done.returncode:
        LOG.write_text(f"$ npm {' '.join(arguments)}\n{done.stdout}{done.stderr}", encoding="utf-8")
        raise CannotBuild(_reason(done.stdout + done.stderr))


def _reason(output: str) -> str:
    details = f"Details: {LOG.relative_to(ROOT)}"
    if UNREACHABLE.search(output):
        return f"the npm package registry cannot be reached. {details}"
    lines = [re.sub(r"^npm error\s*", "", line.strip()) for line in output.splitlines()]
    first = next((line for line in lines if re.search(r"error|cannot|unusable|not found", line, re.IGNORECASE)), "")
    return f"{(first or 'npm failed without a message').rstrip('.')}. {details}"


def _start_page(browser: str, page: Page) -> None:
    """Let a manager of its own serve the page, and see whether the sign-in form appears."""
    program = [sys.executable, "-c", "from rostrum.cli.main import main; main()", "manager", "serve"]
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "output").open("w+") as output:
        environment = {**os.environ, **_settings(folder)}
        with subprocess.Popen(program, cwd=folder, env=environment, stdout=output, stderr=output, text=True) as manager:
            try:
                document = _document(browser, f"{_address(manager, Path(output.name))}/{page.path}/")
            finally:
                manager.terminate()
                manager.wait(SECONDS)
    if 'type="password"' not in document:
        LOG.write_text(document, encoding="utf-8")
        raise CannotBuild(f"the page shows no sign-in form in {Path(browser).name}. Details: {LOG.relative_to(ROOT)}")


def _settings(folder: str) -> dict[str, str]:
    return {
        "API_AUTH_METHOD": "basic",
        "API_AUTH_METHOD_BASIC_USERS": json.dumps([f"admin:{secrets.token_urlsafe()}"]),
        "API_TOKEN_SECRET": secrets.token_urlsafe(),
        "API_STORE": f"sqlite:///{folder}/check.db",
        "API_PORT": "0",
        # Required while session cookies are on; the page itself is served from the manager's own origin.
        "API_CORS_OPTIONS": json.dumps({"credentials": True, "origin": "http://127.0.0.1"}),
    }


def _address(manager: "subprocess.Popen[str]", output: Path) -> str:
    for _ in range(SECONDS * 10):
        found = ADDRESS.search(output.read_text(encoding="utf-8"))
        if found:
            return found[1]
        try:
            manager.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    LOG.write_text(output.read_text(encoding="utf-8"), encoding="utf-8")
    raise CannotBuild(f"the manager that should serve it does not start. Details: {LOG.relative_to(ROOT)}")


def _document(browser: str, address: str) -> str:
    """Load the page as a user's browser does, and return the document that its scripts made."""
    with tempfile.TemporaryDirectory() as profile:
        options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}")
        command = [browser, *options, "--virtual-time-budget=20000", "--dump-dom", address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS * 2, check=False)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
