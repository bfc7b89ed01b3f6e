"""Options of a gateway."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWatch:
    """Monitoring of the memory of the process.

    Attributes:
        folder: Folder for heap snapshots; without a folder, none are written.
        interval: Seconds between two checks; 0 disables them.
    """

    folder: Path | None = None
    prefix: str = "gw"
    most_snapshots: int = 10
    limit: int = 1024 * MIB
    interval: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits that keep one peer from harming others.

    Attributes:
        large_message: Bytes above which a message is logged as a warning.
        connections: Maximum number of connections; none for no limit.
        frame: Bytes above which a message ends the connection.
        unsigned_bytes: Bytes that a connection may send before it signs in.
        unsigned_seconds: Seconds that a connection may take to sign in; the time for checking credentials does not
            count.
        unsigned_connections: Maximum number of connections without a sign-in.
        unsigned_pages: The same for pages that need a bound token, which any web site can make a browser open.
        stored_bytes: Bytes of everything that the clients of a user leave stored, such as methods and contexts.
        has_shares: Whether each verified app of a user has a share of these bytes, so that none uses up all of them.
        stored_seconds: Seconds for which the contexts of a user stay after the last peer has disconnected.
        fragments: Maximum number of fragments of a message.
        unread: Bytes that may be queued for a slow reader before it is disconnected, or for all connections of a user
            whose clients do not read; one message may be larger.
        user_rate: Bytes times receivers per second that the large messages of one user may cause.
        user_burst: Bytes times receivers that they may cause at once.
        user_held: Bytes of messages of one user that services of this process may have in progress before others wait.
        inactive: Seconds of silence after which a connection is closed; 0 for never.
        ping: Seconds without data after which a ping is sent.
        tick: Seconds between two checks for silent connections.
        farewell: Seconds for the client to close the connection after it has received the reason.
    """

    large_message: int = 20_000
    connections: int | None = None
    frame: int = 16 * MIB + 64 * 1024
    fragments: int = 1024
    unsigned_bytes: int = 64 * 1024
    unsigned_seconds: float = 5.0
    unsigned_connections: int = 512
    unsigned_pages: int = 64
    stored_bytes: int = 32 * MIB
    has_shares: bool = False
    stored_seconds: float = 1800.0
    unread: int = 32 * MIB
    user_rate: int = 64 * MIB
    user_burst: int = 64 * MIB
    user_held: int = 8 * MIB
    inactive: float = 60.0
    ping: float = 20.0
    tick: float = 1.0
    farewell: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayOptions:
    """The options of a gateway.

    Attributes:
        port: 0 selects a free port.
        origins: Pages that may connect besides those of this machine; ``*`` for all.
        bound_origins: Further pages that may connect, but sign in only with a token bound to an app; ``*`` for all.
        case_sensitive_users: Whether Ada and ada are two users.
        passwords: Whether clients may sign in with a password; tokens are accepted in any case.
        recorded: Number of messages that the flight recorder stores.
        record_payloads: Whether it also stores their payloads.
        status_folder: Folder for the file with which programs of this user access the status; without a folder, no
            access.
        token_key: Key for signing tokens; without a key, tokens end with the process.
        unbound_identity: Members that override the identity of peers without a binding.
        control_key: Clients with this key can connect even if the limit of connections is reached; empty for none.
        reserved_methods: Prefix of the names of methods that only peers of this process may register; empty for none.
            Names that a service of this process registers are reserved as well.
        shared_methods: Prefixes of names that services of this process register without reserving them.
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
