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

import pytest

from tests.end_to_end.processes import PATIENCE, clean_environment, serving

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/guide/upgrade-and-backup.md")
ELSEWHERE = ("docker", "kubectl", "make")
"""Programs that tests do not start: containers are not available everywhere, and make runs these tests."""
SERVER = re.compile(r"rostrum (up|manager serve|gateway$|desktop --headless)")
SHOW_VARIABLES = "import json, os; print(json.dumps(dict(os.environ)))"
START = "from rostrum.cli.main import main; main()"
PORTS = ("4356", "4400", "4401", "8385")


@dataclass(frozen=True, slots=True)
class Documented:
    """A command of a page, and the line that the page shows as its output."""

    text: str
    output: str


def commands(page: str) -> Iterator[Documented]:
    """Read the commands of all console blocks, in order; a line may continue after a backslash."""
    for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL):
        parts = re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)
        for part in parts[1:]:
            command, _, output = part.partition("\n")
            yield Documented(re.sub(r"\s+# .*", "", command).strip(), output.strip())


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@dataclass
class Terminal:
    """A shell in a folder that looks like a fresh checkout after ``make run``."""

    folder: Path
    environment: dict[str, str]
    credentials: Path
    ports: dict[str, str] = field(default_factory=lambda: {port: str(free_port()) for port in PORTS})
    servers: list[subprocess.Popen[str]] = field(default_factory=list)

    def execute(self, command: Documented) -> None:
        """Execute a command to its end, or start a server and wait for the output that the page shows."""
        text = re.sub("|".join(PORTS), lambda found: self.ports[found[0]], command.text)
        if text.startswith("export "):
            self.environment = self._exported(text)
        elif SERVER.match(text):
            self._start(text, command.output)
        else:
            done = self._run(text)
            assert done.returncode == 0, f"$ {text}\n{done.stdout}{done.stderr}"

    def _run(self, text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-c", text], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE * 2, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def _exported(self, text: str) -> dict[str, str]:
        done = self._run(f"{text} && {shlex.quote(sys.executable)} -c {shlex.quote(SHOW_VARIABLES)}")
        assert done.returncode == 0, f"$ {text}\n{done.stderr}"
        variables: dict[str, str] = json.loads(done.stdout)
        return variables

    def _start(self, text: str, output: str) -> None:
        # A reader answers the prompt for a user and a password; nobody else may have the gateway's usual port here.
        text += f" --credentials {shlex.quote(str(self.credentials))}" if "desktop" in text else ""
        text += f" --port {self.ports['8385']}" if "gateway" in text else ""
        log = self.folder / f"server-{len(self.servers)}.log"
        with log.open("w") as file:
            server = subprocess.Popen(
                ["bash", "-c", f"exec {text}"], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            )  # fmt: skip
        self.servers.append(server)
        expected = output.partition("http")[0].strip()
        assert expected, f"{text}: the page shows no output to wait for"
        for _ in range(PATIENCE * 20):
            if expected in log.read_text():
                return
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.05)
                break
        raise AssertionError(f"$ {text}\nprinted no line with {expected!r}:\n{log.read_text()}")

    def close(self) -> None:
        """Stop the servers as Ctrl+C does."""
        for server in reversed(self.servers):
            if server.poll() is None:
                server.send_signal(signal.SIGINT)
        for server in self.servers:
            server.wait(PATIENCE)


@contextmanager
def terminal(folder: Path, *, is_on_path: bool) -> Iterator[Terminal]:
    """Prepare what ``make run`` leaves: the command in ``.venv/bin``, and a running demo."""
    program = folder / ".venv" / "bin" / "rostrum"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{START}" "$@"\n')
    program.chmod(0o755)
    home = {name: str(folder / "home") for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    (folder / "home").mkdir(mode=0o700)
    path = os.pathsep.join([*([str(program.parent)] if is_on_path else []), "/usr/local/bin", "/usr/bin", "/bin"])
    environment = clean_environment(PATH=path, **home)
    with serving("up", "--port", "0", cwd=folder, environment={**environment, "PATH": os.environ["PATH"]}) as demo:
        password = demo.line_with("password").split()[1]
        demo.line_with("a desktop")
        credentials = folder / "credentials"
        credentials.write_text(f"ada.birch:{password}")
        credentials.chmod(0o600)
        reader = Terminal(folder, environment, credentials)
        _use_gateway_port(folder / "rostrum-demo" / "desk" / "config" / "system.json", reader.ports["8385"])
        try:
            yield reader
        finally:
            reader.close()


def _use_gateway_port(file: Path, port: str) -> None:
    system = json.loads(file.read_text())
    file.write_text(json.dumps({**system, "gw": {"configuration": {"port": int(port)}}}))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work_when_pasted(page: str, tmp_path: Path) -> None:
    with terminal(tmp_path, is_on_path=page != "README.md") as reader:
        executed = 0
        for command in commands(page):
            if command.text.split()[0] in ELSEWHERE:
                continue
            reader.execute(command)
            executed += 1
    assert executed > 5


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
