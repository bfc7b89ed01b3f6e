"""Sign-in sessions: what peers and tokens come from, and what ends them all when an account is revoked."""

from rostrum.base.ids import new_id
from rostrum.base.signal import Signal


class Session:
    """The access of one account: everybody who signed in with the same credentials, and every token made from that.

    Anyone who checks credentials makes it, and ends it when the account is disabled or gets other credentials.

    Attributes:
        peers: How many peers are connected with it.
        ended: Emitted with the session once it has ended.

    """

    def __init__(self, user: str) -> None:
        self.id = new_id()
        self.user = user
        self.peers = 0
        self.is_ended = False
        self.ended: Signal[Session] = Signal()

    async def confirm(self) -> bool:
        """Return whether the session is alive, asking again where that is not known; CannotCheck if nobody can say."""
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
    """The sessions of a gateway, as long as anybody is connected with them or a token of theirs may be used."""

    def __init__(self, token_life: float) -> None:
        """Keep a session without peers for as many seconds as a token is valid."""
        self._token_life = token_life
        self._sessions: dict[str, Session] = {}
        self._idle_since: dict[str, float] = {}
        self.ended: Signal[Session] = Signal()

    def __len__(self) -> int:
        return len(self._sessions)

    def add(self, session: Session) -> None:
        """Note a session, unless it is known or has ended already."""
        if session.id not in self._sessions and not session.is_ended:
            self._sessions[session.id] = session
            session.ended.connect(self._end)

    def find(self, session_id: object) -> Session | None:
        """Return the session that a token or a peer comes from, if it is alive."""
        return self._sessions.get(session_id) if isinstance(session_id, str) else None

    def forget_idle(self, now: float) -> None:
        """End the sessions whose last token has expired, with nobody connected."""
        for session in list(self._sessions.values()):
            if session.peers:
                self._idle_since.pop(session.id, None)
            elif now - self._idle_since.setdefault(session.id, now) > self._token_life:
                session.end()

    def _end(self, session: Session) -> None:
        self._sessions.pop(session.id, None)
        self._idle_since.pop(session.id, None)
        self.ended.emit(session)
