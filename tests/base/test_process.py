"""Stop signals and open files of a process."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rostrum.base.process import StopSignals

MANY = """
import signal
from rostrum.base.process import StopSignals

signals = StopSignals()
signal.signal(signal.SIGALRM, signal.getsignal(signal.SIGTERM))
for turn in range(3000):
    signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + turn % 100))
    while not signals.wait(0.01):
        pass
"""


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait(number: signal.Signals) -> None:
    signals = StopSignals()

    assert not signals.wait(0)

    os.kill(os.getpid(), number)
    assert signals.wait(60)
    assert not signals.wait(0)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the test needs signals at short intervals")
def test_a_signal_at_any_moment_of_the_wait_does_no_harm() -> None:
    """With a lock that is not reentrant, the process would soon wait for itself for ever."""
    subprocess.run([sys.executable, "-c", MANY], check=True, timeout=120)


CODE = """
import resource
from rostrum.base.process import allow_many_files

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
allow_many_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_a_server_may_open_as_many_files_as_the_system_lets_it() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)

    assert int(done.stdout) == resource.getrlimit(resource.RLIMIT_NOFILE)[1]
