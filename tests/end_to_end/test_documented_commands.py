"""The commands in the README and the guides are executed as a reader would paste them."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.main import get_command

from rostrum.cli.main import app
from tests.end_to_end.packages import built, lend_packages
from tests.end_to_end.processes import PATIENCE, Running, clean_environment, serving
from tests.plain_http import NO_TLS
from tests.prepared_processes import CAN_FORK, START_CODE, program

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "docs/guide/configuration.md",
    "docs/guide/deployment.md",
    "docs/guide/desktop.md",
    "docs/guide/gateway.md",
    "docs/guide/manager.md",
    "docs/guide/upgrade-and-backup.md",
    "docs/guide/windows.md",
)
EXAMPLES = ("docs/guide/browser-platforms.md", "docs/guide/updates.md")
"""Pages whose commands need files or IDs that only the reader has: the names of commands and options are checked."""
ELSEWHERE = ("docker", "kubectl", "make")
"""Programs that tests do not start: containers are not available everywhere, and make runs these tests."""
SERVER = re.compile(r"rostrum (manager serve|gateway$|desktop --headless)|\S+/rostrum up|curl -N")
ASSIGNMENT = re.compile(r"(?:export )?([A-Z_]+)=")
SHOW_VARIABLES = "import json, os; print(json.dumps(dict(os.environ)))"
PORTS = ("4356", "4400", "4401", "4402", "4403", "8385")
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Documented:
    """A command of a page, and the lines that the page shows as its output."""

    text: str
    output: tuple[str, ...]

    @property
    def program(self) -> str:
        """The name of the program that the command starts."""
        return self.text.split()[0]


def commands(page: str) -> Iterator[Documented]:
    """Read the commands of all console blocks, in order; a line may continue after a backslash or in quotes."""
    for language, block in FENCE.findall((ROOT / page).read_text(encoding="utf-8")):
        if language != "console":
            continue
        text = re.sub(r"[ \t]+# .*", "", block).replace("\\\n", " ")
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            end = next(number for number in range(1, len(lines) + 1) if is_complete("\n".join(lines[:number])))
            output = tuple(line.strip() for line in lines[end:] if line.strip())
            yield Documented("\n".join(lines[:end]).strip(), output)


def is_complete(command: str) -> bool:
    """Return whether all quotes of a command are closed."""
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def missing(shown: tuple[str, ...], printed: str) -> list[str]:
    """Find the lines of a page that were not printed; `…` stands for any text, and numbers may differ."""
    wildcards = {"…": ".*"}

    def pattern(line: str) -> str:
        parts = re.split(r"(…|\d+|\s+)", line)
        return "".join(
            wildcards.get(part) or (r"\d+" if part.isdigit() else r"\s+" if part.isspace() else re.escape(part))
            for part in parts
            if part
        )

    return [line for line in shown if not re.search(f"^\\s*{pattern(line)}", printed, re.MULTILINE)]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@dataclass(frozen=True)
class Demo:
    """A folder that looks like a checkout after ``make run``, with the demo still running."""

    folder: Path
    running: Running
    environment: dict[str, str]
    ports: dict[str, str]
    address: str
    password: str

    @property
    def credentials(self) -> Path:
        """The file with the answers to the desktop's prompt."""
        return self.folder / "credentials"


@dataclass
class Terminal:
    """The terminals of one reader of a page: the environment of the commands, and the servers that still run."""

    demo: Demo
    environment: dict[str, str]
    servers: list[subprocess.Popen[str]] = field(default_factory=list)

    def execute(self, command: Documented) -> None:
        """Execute a command to its end, or start a server; both must print what the page shows."""
        text = re.sub("|".join(PORTS), lambda found: self.demo.ports[found[0]], command.text)
        text = re.sub(r"(?<!\S)/(?=(?:opt|srv)/)", f"{self.demo.folder}/", text)
        if text == "rostrum up":
            assert missing(command.output, "".join(self.demo.running.lines)) == []
        elif variable := ASSIGNMENT.match(text):
            self.environment = self._assigned(text)
            assert self.environment[variable[1]], f"$ {text}\nleaves {variable[1]} empty"
        elif SERVER.match(text):
            self._start(text, command.output)
        else:
            done = self._run(text)
            printed = done.stdout + done.stderr
            assert done.returncode == 0, f"$ {text}\n{printed}"
            assert missing(command.output, printed) == [], f"$ {text}\n{printed}"

    def _run(self, text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", text], cwd=self.demo.folder, env=self.environment, capture_output=True,
            text=True, timeout=PATIENCE * 2, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def _assigned(self, text: str) -> dict[str, str]:
        done = self._run(f"set -a; {text} && {shlex.quote(sys.executable)} -c {shlex.quote(SHOW_VARIABLES)}")
        assert done.returncode == 0, f"$ {text}\n{done.stdout}{done.stderr}"
        variables: dict[str, str] = json.loads(done.stdout)
        return variables

    def _start(self, text: str, output: tuple[str, ...]) -> None:
        # A reader answers the prompt for a user and a password; other tests may use the usual ports.
        text += f" --credentials {shlex.quote(str(self.demo.credentials))}" if "rostrum desktop" in text else ""
        text += f" --port {self.demo.ports['8385']}" if "rostrum gateway" in text else ""
        text += " --port 0" if "rostrum up" in text else ""
        log = self.demo.folder / f"server-{len(self.servers)}.log"
        with log.open("w") as file:
            server = subprocess.Popen(
                ["bash", "-c", f"exec {text}"], cwd=self.demo.folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            )  # fmt: skip
        self.servers.append(server)
        assert output, f"{text}: the page shows no output to wait for"
        for _ in range(PATIENCE * 20):
            if not missing(output, log.read_text()):
                return
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.05)
                break
        lacking = missing(output, log.read_text())
        assert not lacking, f"$ {text}\ndid not print {lacking}:\n{log.read_text()}"

    def close(self) -> None:
        """Stop the servers as Ctrl+C does."""
        for server in reversed(self.servers):
            if server.poll() is None:
                server.send_signal(signal.SIGINT)
        for server in self.servers:
            server.wait(PATIENCE)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Prepare what ``make run`` leaves: the command in ``.venv/bin``, and a running demo; all pages share it."""
    folder = tmp_path_factory.mktemp("checkout")
    programs, home = folder / ".venv" / "bin", folder / "home"
    programs.mkdir(parents=True)
    python = shlex.quote(sys.executable)
    # Python starts the command in the tests of the package and of the command line; here it need not load it each time.
    write_program(programs / "rostrum", program() if CAN_FORK else f"#!{sys.executable}\n{START_CODE}\n")
    write_program(programs / "python3", f'#!/bin/sh\nexec {python} "$@"\n')
    home.mkdir(mode=0o700)
    # Without it, curl would report success whatever the server answers.
    (home / ".curlrc").write_text("fail-with-body\n")
    homes = {name: str(home) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    path = os.pathsep.join([str(programs), "/usr/local/bin", "/usr/bin", "/bin"])
    # Python compiles what it loads by itself; pip would compile everything that it installs.
    environment = clean_environment(PATH=path, PIP_COMPILE="0", **homes)
    with serving("up", "--port", "0", cwd=folder, environment=environment, command=[str(programs / "rostrum")]) as up:
        try:
            yield used_by_readers(folder, up, environment)
        finally:
            # The program passes this signal on to the process of the command.
            up.stop()


def used_by_readers(folder: Path, up: Running, environment: dict[str, str]) -> Demo:
    """Wait until the demo is complete, and write what its readers have to enter."""
    address = up.address
    password = up.line_with("password").split()[1]
    up.line_with("a desktop")
    up.line_with("ada.birch")
    ports = {port: str(free_port()) for port in PORTS} | {"4356": str(httpx.URL(address).port)}
    found = Demo(folder, up, environment, ports, address, password)
    found.credentials.write_text(f"ada.birch:{password}")
    found.credentials.chmod(0o600)
    use_gateway_port(folder / "rostrum-demo" / "desk" / "config" / "system.json", ports["8385"])
    wait_for_desktop(found, "ada.birch")
    return found


def write_program(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def use_gateway_port(file: Path, port: str) -> None:
    system = json.loads(file.read_text())
    file.write_text(json.dumps({**system, "gw": {"configuration": {"port": int(port)}}}))


def wait_for_desktop(demo: Demo, user: str) -> None:
    """Wait until the simulated desktop of a user has signed in."""
    with httpx.Client(base_url=demo.address, auth=("admin", demo.password), timeout=PATIENCE, verify=NO_TLS) as admin:
        for _ in range(PATIENCE * 4):
            if admin.get("/admin/sessions", params={"active": "true", "user": user}).json()["total"]:
                return
            with suppress(subprocess.TimeoutExpired):
                demo.running.process.wait(0.25)
    raise AssertionError(f"the simulated desktop of {user} did not sign in")


@contextmanager
def terminal(demo: Demo, page: str) -> Iterator[Terminal]:
    """Open a terminal with the variables that the page introduces in its text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    given = {"B": demo.address, "P": demo.password}
    variables = {name: value for name, value in given.items() if f"`${name}`" in text}
    path = demo.environment["PATH"].split(os.pathsep)
    # The README explains how to add the command to the PATH; the guides expect it there.
    path = path[1:] if page == "README.md" else path
    reader = Terminal(demo, {**demo.environment, **variables, "PATH": os.pathsep.join(path)})
    try:
        yield reader
    finally:
        reader.close()


@pytest.fixture
def checkout(demo: Demo, page: str) -> Demo:
    """Add what ``make dist`` leaves if the page needs it."""
    if "make dist" in {command.text for command in commands(page)}:
        wheel = built("wheel")
        (demo.folder / "dist").mkdir()
        (demo.folder / "dist" / wheel.name).symlink_to(wheel)
        (demo.folder / "requirements").symlink_to(ROOT / "requirements")
        lend_packages(demo.folder / "opt" / "rostrum", demo.folder / "downloaded")
    return demo


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work_when_pasted(page: str, checkout: Demo) -> None:
    with terminal(checkout, page) as reader:
        for command in commands(page):
            if command.program not in ELSEWHERE:
                reader.execute(command)


def documents() -> list[Path]:
    """List the pages of the repository."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob(".github/**/*.md"), *ROOT.glob("docs/**/*.md")])


def test_every_page_with_commands_is_executed() -> None:
    found = {page for page in documents() if any(commands(str(page.relative_to(ROOT))))}

    assert {str(page.relative_to(ROOT)) for page in found} == set(PAGES)


def test_blocks_with_a_prompt_are_console_blocks() -> None:
    others = [
        (page.name, block)
        for page in documents()
        for language, block in FENCE.findall(page.read_text(encoding="utf-8"))
        if language != "console" and re.search(r"^\s*\$ ", block, re.MULTILINE)
    ]

    assert others == []


def test_a_console_block_contains_commands_without_placeholders() -> None:
    found = [command for page in PAGES for command in commands(page)]

    assert len(found) > 80
    assert [command.text for command in found if re.search(r"…|<[a-z-]+>", command.text)] == []


def test_programs_that_are_not_executed_get_files_and_targets_that_exist() -> None:
    skipped = [command for page in PAGES for command in commands(page) if command.program in ELSEWHERE]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert {command.program for command in skipped} == set(ELSEWHERE)
    for command in skipped:
        words = shlex.split(command.text)
        if command.program == "make":
            assert all(re.search(rf"^{word}:", makefile, re.MULTILINE) for word in words[1:]), command.text
        files = [words[number + 1] for number, word in enumerate(words) if word == "-f"]
        assert [file for file in files if not (ROOT / file).exists()] == [], command.text
        if "rostrum-manager" in words and words[1] == "run":
            check_arguments(words[words.index("rostrum-manager") + 1 :])


def check_arguments(words: list[str]) -> None:
    """Check that a command and its options exist; the values of options and arguments are not examined."""
    command: Any = get_command(app)
    options: dict[str, Any] = {"--help": None, "-h": None}
    rest = iter(words)
    for word in rest:
        options |= {name: option for option in command.params for name in (*option.opts, *option.secondary_opts)}
        if word == "--":
            return
        if word.startswith("-"):
            assert word.partition("=")[0] in options, f"rostrum {shlex.join(words)} has no option {word}"
            if "=" not in word and not getattr(options[word], "is_flag", True):
                next(rest, None)
        elif hasattr(command, "get_command"):
            command = command.get_command(None, word)
            assert command is not None, f"rostrum {shlex.join(words)}: there is no command {word}"


@pytest.mark.parametrize(
    "words", ["serve", "manager user ad", "manager serve --confg rostrum.json", "gateway --users users.json tip"]
)
def test_a_command_or_option_that_does_not_exist_is_found(words: str) -> None:
    with pytest.raises(AssertionError, match=r"no command|no option"):
        check_arguments(words.split())


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "docs/guide/admin-ui.md", *EXAMPLES, *PAGES])
def test_commands_in_the_text_name_commands_and_options_that_exist(page: str) -> None:
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    named = re.findall(r"`(?:/\S+/)?rostrum ([^`]+)`", text)

    for command in named:
        words = [word.strip("[]") for word in command.replace("…", " ").split()]
        check_arguments([word for word in words if word])


@pytest.mark.parametrize("page", EXAMPLES)
def test_examples_name_commands_and_options_that_exist(page: str) -> None:
    blocks = [block for language, block in FENCE.findall((ROOT / page).read_text(encoding="utf-8")) if language == "sh"]
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    examples = [words for words in lines if words and words[0] == "rostrum"]

    assert examples
    for words in examples:
        check_arguments(words[1:])


@pytest.mark.long
def test_the_readme_begins_with_what_a_new_reader_asks() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    order = [
        "It is for",
        "not yet",
        "**Compatibility.**",
        "![",
        "`make run`",
        "`make test`",
        "docker run",
        "## Install",
    ]

    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert text[: places[-1]].count("![") == 1
