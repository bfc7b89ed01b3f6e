"""The authenticator is a port: methods can be added, and nothing else knows which there are."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import rostrum.manager
from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Caller, Credentials, Evidence, Method
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.sign_in.callers import Callers, is_still_let_in
from rostrum.manager.sign_in.methods import sign_in_methods
from rostrum.manager.storage import Storage
from rostrum.manager.users.repository import Users
from tests.suites.storage import user

SOURCES = Path(rostrum.manager.__file__).parent


class TicketMethod:
    """Accepts tickets that name their user, until it is closed."""

    names = frozenset({Method.BEARER})

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.is_open = True
        self.asked = 0

    def handles(self, credentials: Credentials) -> bool:
        return (credentials.authorization or "").startswith("Ticket ")

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        self.asked += 1
        name = (credentials.authorization or "").removeprefix("Ticket ")
        async with self.storage.read() as work:
            login = await work.of(Users).login(name)
            if login is None or not self.is_open:
                raise Unauthenticated
            return await Callers().build(work, login, Method.BEARER), b"proof"

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:
        return self.is_open and proof == b"proof"

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> None:
        """Know no passwords."""


@pytest.fixture
async def passwords() -> AsyncIterator[Passwords]:
    made = Passwords()
    yield made
    made.close()


async def test_a_further_method_signs_users_in(storage: Storage, clock: SettableClock, passwords: Passwords) -> None:
    async with storage.write("test") as work:
        await work.of(Users).add(user("ann", groups=("Desk",)))
    built_in = sign_in_methods(storage, Tokens("a secret of more than thirty-two characters", clock), passwords, clock)
    tickets = TicketMethod(storage)
    authenticator = Authenticator(storage.revisions, [*built_in, tickets], most_known=10)

    ticket = Credentials(authorization="Ticket ann")
    caller = await authenticator.authenticate(ticket)
    again = await authenticator.authenticate(ticket)

    assert caller.identity.user == again.identity.user == "ann"
    assert "Desk" in caller.identity.groups
    assert tickets.asked == 1
    assert await is_still_let_in(storage, caller)

    tickets.is_open = False
    for refused in (ticket, Credentials(authorization="Other ann"), Credentials()):
        with pytest.raises(Unauthenticated):
            await authenticator.authenticate(refused)


def test_only_the_methods_and_the_settings_know_which_methods_there_are() -> None:
    knowing = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if re.search(r"\bbasic\b", path.read_text(), re.IGNORECASE)
    ]

    assert [path for path in knowing if not path.startswith(("auth/schemes.py", "sign_in/methods/", "config/"))] == []
