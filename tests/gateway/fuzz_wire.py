"""A fuzz target for the whole way of a frame through the core, for Atheris or any other driver.

python -m tests.gateway.fuzz_wire [folder of inputs]      with Atheris installed (pip install atheris)

Each input is sent as a frame by someone not signed in and, with its peer id filled in, by a peer that is a member of
every domain. Nothing may raise, every answer must be JSON, and another peer must go on working.
"""

import json
import sys

from tests.gateway.core import Client, Core

_DOMAINS = ("agm", "bus", "context", "activity", "metrics")
_MOST = 500


class _World:
    """A gateway with one peer to attack from and one to keep an eye on."""

    def __init__(self) -> None:
        self.core = Core()
        self.attacker: Client = self.core.connect("attacker", "user1", *_DOMAINS)
        self.other: Client = self.core.connect("other", "user1", *_DOMAINS)
        self.stranger: Client = self.core.stranger()
        self.used = 0


_world: _World | None = None


def TestOneInput(payload: bytes) -> None:
    """Send one frame from outside and from inside."""
    global _world  # noqa: PLW0603 - a fuzzer calls this function and nothing else
    if _world is None or _world.used >= _MOST:
        _world = _World()
    world = _world
    world.used += 1
    world.stranger.send_text(payload)
    world.attacker.send_text(payload.replace(b'"P"', json.dumps(world.attacker.peer_id).encode()))
    world.other.take()
    answer = world.other.ask(type="join", destination="agm")
    assert answer["type"] == "success", answer


def main() -> None:
    """Run under Atheris."""
    import atheris

    atheris.Setup(sys.argv, TestOneInput)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
