"""Terminal prompts that do not block the event loop and that Ctrl+C interrupts."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import typer


async def ask_in_terminal(text: str, **options: Any) -> str:
    """Prompt for a line; ``options`` are those of ``typer.prompt``.

    A thread that waits for a line cannot be stopped. It is not one of the event loop's threads, for which Python waits
    at the end, so an interrupted command can end.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def ask() -> None:
        try:
            line, problem = str(typer.prompt(text, err=True, **options)), None
        except Exception as error:  # noqa: BLE001 - raised again where the answer is awaited
            line, problem = "", error
        loop.call_soon_threadsafe(finish, line, problem)

    def finish(line: str, problem: Exception | None) -> None:
        if answer.done():
            return
        if problem is None:
            answer.set_result(line)
        else:
            answer.set_exception(problem)

    with _same_terminal():
        Thread(target=ask, name="prompt", daemon=True).start()
        return await answer


@contextmanager
def _same_terminal() -> Iterator[None]:
    """Restore the terminal: an interrupted password prompt would leave it without echo."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield
        return
    import termios

    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
