"""Processes below the test process: which there are, how to let them wait, and that none is left."""

import ctypes
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

WAIT = 20.0
_POLL = 0.02
_PR_SET_CHILD_SUBREAPER = 36
_PREPARED = "prepared_processes.py"


@dataclass(frozen=True)
class Process:
    """A process as the system lists it."""

    pid: int
    parent: int
    state: str
    command: str


@contextmanager
def orphans_adopted() -> Iterator[None]:
    """Be the parent of processes whose parent ends, so that they can be found below this one.

    It ends with the block: adopted processes that have ended stay in the list of processes, and other tests wait until
    all processes of a group are gone.
    """
    _adopt_orphans(1)
    yield
    _adopt_orphans(0)


def _adopt_orphans(value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0)


def processes() -> dict[int, Process]:
    """Return all processes of this machine that have not ended."""
    found: dict[int, Process] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # The name is in brackets and may contain blanks.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            if state != "Z":
                found[int(folder.name)] = Process(int(folder.name), int(parent), state, command)
    return found


def descendants(pid: int | None = None) -> dict[int, Process]:
    """Return the processes below one, or below this one."""
    everything = processes()
    top = os.getpid() if pid is None else pid
    below: dict[int, Process] = {}
    level = {top}
    while level:
        children = {one.pid: one for one in everything.values() if one.parent in level}
        below |= children
        level = set(children)
    return below


def window_manager() -> int:
    """Return the number of the process that manages the windows of tests."""
    (found,) = (one.pid for one in descendants().values() if one.command.startswith("openbox "))
    return found


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Let a process wait during the block."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def memory(*pids: int) -> int:
    """Return how many KiB processes use, without files that are mapped; memory that several share counts once."""
    sizes = 0
    for one in pids:
        with suppress(OSError):
            found = re.search(r"^Pss_Anon:\s+(\d+)", Path(f"/proc/{one}/smaps_rollup").read_text(), re.MULTILINE)
            sizes += int(found[1]) if found else 0
    return sizes


@contextmanager
def none_left(within: float = WAIT) -> Iterator[None]:
    """Fail when a process that was started in the block still runs some seconds after it, and end it.

    Processes that others start meanwhile, which ran before the block, are theirs: another desk prepares pages when it
    has time.
    """
    before = descendants()
    yield
    deadline = time.monotonic() + within
    while left := _new(before):
        if time.monotonic() > deadline:
            break
        time.sleep(_POLL)
    for one in left:
        with suppress(ProcessLookupError):
            os.kill(one.pid, signal.SIGKILL)
    assert not left, f"processes are left: {[*map(str, left)]}"


def _new(before: dict[int, Process]) -> list[Process]:
    now = descendants()
    others = {pid for pid, one in now.items() if pid in before and not _is_prepared(one)}
    for pid, one in now.items():
        # Parents come before their children.
        if one.parent in others:
            others.add(pid)
    # The process from which others are forked is started once and stays.
    return [one for pid, one in now.items() if pid not in others and pid not in before and not _is_prepared(one)]


def _is_prepared(one: Process) -> bool:
    """Return whether a process is the one from which those of tests are forked."""
    return one.parent == os.getpid() and _PREPARED in one.command
