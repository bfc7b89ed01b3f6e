import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rostrum.base.stop_signals import StopSignals

MANY = """
import signal
from rostrum.base.stop_signals import StopSignals

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


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the test needs signals at short intervals")
def test_a_signal_at_any_moment_of_the_wait_does_no_harm() -> None:
    """With a lock that is not reentrant, the process would soon wait for itself for ever."""
    subprocess.run([sys.executable, "-c", MANY], check=True, timeout=120)
