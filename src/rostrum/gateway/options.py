"""What can be set about a gateway."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWatch:
    """Looking at the memory of the process.

    Attributes:
        folder: Where heap snapshots go; without one none are taken.
        interval: Seconds between two looks; 0 for never.

    """

    folder: Path | None = None
    prefix: str = "gw"
    most_snapshots: int = 10
    limit: int = 1024 * MIB
    interval: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What keeps one peer from harming the others.

    Attributes:
        large_message: Bytes above which a message is worth a warning.
        connections: Most connections at a time; none for no limit.
        frame: Bytes above which a message ends the connection.
        unsigned_bytes: Bytes that a connection may send before somebody has signed in on it.
        unsigned_seconds: Seconds that a connection may take to sign in; those of checking credentials do not count.
        unsigned_connections: Maximum number of connections without a sign-in.
        unsigned_pages: The same for pages that need a bound token, which any web site can make a browser open.
        unread: Bytes that may wait for one slow reader before it is cut off.
        inactive: Seconds of silence after which a connection is given up; 0 for never.
        ping: Seconds without data after which a ping is sent.
        tick: Seconds between two looks at who is silent.
        farewell: Seconds for the other side to close after it has received the reason.

    """

    large_message: int = 20_000
    connections: int | None = None
    frame: int = 32 * MIB
    unsigned_bytes: int = 64 * 1024
    unsigned_seconds: float = 5.0
    unsigned_connections: int = 512
    unsigned_pages: int = 64
    unread: int = 64 * MIB
    inactive: float = 60.0
    ping: float = 20.0
    tick: float = 1.0
    farewell: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayOptions:
    """All of them.

    Attributes:
        port: 0 takes a free one.
        origins: Pages that may connect besides those of this machine; ``*`` for all.
        bound_origins: Further pages that may connect, but sign in only with a token bound to an app; ``*`` for all.
        case_sensitive_users: Whether Ada and ada are two users.
        passwords: Whether clients may sign in with a password; tokens are accepted in any case.
        recorded: How many messages the flight recorder remembers.
        record_payloads: Whether it remembers what they said, too.
        status_folder: Where to write how this user's programs may look at the status; without one nobody can.
        token_key: What tokens are signed with; without one they end with the process.
        unbound_identity: Members laid over the identity of peers that no binding vouches for.
        control_key: Who knows it connects although there are as many connections as there may be; empty for nobody.
        reserved_methods: Start of the names of methods that only peers of this process may offer; empty for none.
            Names that a service of this process offers are reserved as well.
        shared_methods: Starts of names that a service of this process offers beside apps, and does not reserve.

    """

    host: str = "127.0.0.1"
    port: int = 8385
    origins: tuple[str, ...] = ()
    bound_origins: tuple[str, ...] = ()
    case_sensitive_users: bool = False
    passwords: bool = True
    recorded: int = 2000
    record_payloads: bool = False
    status_folder: Path | None = None
    token_key: bytes | None = field(default=None, repr=False)
    unbound_identity: Mapping[str, Any] = field(default_factory=dict)
    reserved_methods: str = ""
    shared_methods: tuple[str, ...] = ()
    control_key: str = field(default="", repr=False)
    memory: MemoryWatch = field(default_factory=MemoryWatch)
    limits: Limits = field(default_factory=Limits)
