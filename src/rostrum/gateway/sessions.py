"""Sign-in sessions: the origin of peers and tokens, which all end when the account is revoked."""

from rostrum.base.ids import new_id
from rostrum.base.signal import Signal


def owner_of(user: str, account: str) -> str:
    """Return the text by which the gateway distinguishes owners: a later account with the same name is another one.

    The account is the name that the check of credentials gives it; empty if names are never used again.
    """
    return f"{user}\0{account}" if account else user


def user_of_owner(owner: str) -> tuple[str, str]:
    """Return the user name and the account of an owner."""
    user, _, account = owner.partition("\0")
    return user, account


class Session:
    """The access of one account: all peers that signed in with the same credentials, and all tokens of these sign-ins.

    The check of credentials creates it, and ends it when the account is disabled or its credentials change.

    Attributes:
        account: Distinguishes accounts that have had the same name.
        peers: Number of connected peers.
        ended: Emitted with the session when it has ended.
    """

    def __init__(self, user: str, account: str = "") -> None:
        self.id = new_id()
        self.user = user
        self.account = account
        self.peers = 0
        self.is_ended = False
        self.ended: Signal[Session] = Signal()

    async def confirm(self) -> bool:
        """Return whether the session is active, checking it if necessary; raise CannotCheck if that is not possible."""
        return not self.is_ended

    def peer_joined(self) -> None:
        self.peers += 1

    def peer_left(self) -> None:
        self.peers -= 1

    def end(self) -> None:
        """End the session: its peers are disconnected, and its tokens become invalid."""
        if not self.is_ended:
            self.is_ended = True
            self.ended.emit(self)


class Sessions:
    """The sessions of a gateway that have connected peers or valid tokens."""

    def __init__(self, token_life: float) -> None:
        """Keep a session without peers for the lifetime of a token, in seconds."""
        self._token_life = token_life
        self._sessions: dict[str, Session] = {}
        self._idle_since: dict[str, float] = {}
        self.ended: Signal[Session] = Signal()

    def __len__(self) -> int:
        return len(self._sessions)

    def add(self, session: Session) -> None:
        """Add a session, unless it is known or has ended already."""
        if session.id not in self._sessions and not session.is_ended:
            self._sessions[session.id] = session
            session.ended.connect(self._end)

    def find(self, session_id: object) -> Session | None:
        """Return the active session of a token or a peer."""
        return self._sessions.get(session_id) if isinstance(session_id, str) else None

    def forget_idle(self, now: float) -> None:
        """End the sessions without peers whose last token has expired."""
        for session in list(self._sessions.values()):
            if session.peers:
                self._idle_since.pop(session.id, None)
            elif now - self._idle_since.setdefault(session.id, now) > self._token_life:
                session.end()

    def _end(self, session: Session) -> None:
        self._sessions.pop(session.id, None)
        self._idle_since.pop(session.id, None)
        self.ended.emit(session)
