"""The records that storage keeps, one frozen class each; documents stay JSON text."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from rostrum.manager.kinds import Action, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Who made a document and who changed it last, with the revision of that change."""

    revision: int
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person who may log in.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        apps: Names of apps the user has been given directly.
        layouts: Ids of layouts the user has been given directly.
        epoch: Tokens and verified passwords of another epoch are void.

    """

    id: str
    email: str | None = None
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False
    password_hash: str | None = field(default=None, repr=False)
    epoch: int = 0
    stamp: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user as far as it matters for what they get."""

    id: str
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The part of a user that checking credentials needs.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        revision: The newest revision of the whole database at this moment.
        is_revoked: Whether the token that was asked about has been ended.
        has_apps: Whether apps were given to the user by name.
        has_configs: Whether there are configuration files for this user alone.

    """

    user: str
    password_hash: str | None = field(repr=False)
    disabled: bool
    epoch: int
    groups: tuple[str, ...] = ()
    revision: int = 0
    is_revoked: bool = False
    has_apps: bool = False
    has_configs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A named set of users; its members are also members of the groups it expands to."""

    name: str
    priority: int = 0
    expands_to: tuple[str, ...] = ()
    stamp: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """An app definition and who may see it."""

    name: str
    type: str
    title: str
    definition: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    stamp: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAccess:
    """Who may see an app, without its definition."""

    name: str
    title: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A saved layout; its owner is a user id, or ``*`` for one that belongs to all."""

    id: str
    name: str
    type: str
    owner: str
    definition: str
    public: bool = False
    access: tuple[str, ...] = ()
    default: bool = False
    disabled: bool = False
    stamp: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutAccess:
    """Who may see a layout, without its definition."""

    id: str
    name: str
    type: str
    owner: str
    public: bool = False
    access: tuple[str, ...] = ()
    default: bool = False
    disabled: bool = False
    created: datetime
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What one app keeps for one user."""

    id: str
    user: str
    app: str
    data: str
    stamp: Stamp


class Scope(StrEnum):
    """For whom a configuration file counts, weakest first."""

    BASE = "base"
    VERSION = "version"
    GROUP = "group"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """One configuration file in one scope; ``target`` is the version, group or user, empty for base."""

    id: str
    file: str
    scope: Scope
    target: str
    contents: str
    stamp: Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryAddress:
    """The address of an app directory that is read without credentials.

    Attributes:
        key_hash: The hash of the secret part of the address.
        user: The user whose apps it answers, or ``None``.
        group: The group whose apps it answers, or ``None``.

    """

    id: str
    key_hash: str
    user: str | None
    group: str | None
    description: str
    created: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A computer that clients run on, as they described it.

    Attributes:
        owner: The user who described it first, and who alone can change the description.

    """

    id: str
    name: str
    info: str
    owner: str | None
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of a client on one machine.

    Attributes:
        commands: JSON array of the commands that the client says it supports.

    """

    id: str
    user: str
    machine: str
    version: str
    env: str
    region: str
    product: str
    commands: str
    started: datetime
    last_seen: datetime
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How far one running client is with the changes of one kind.

    Attributes:
        due: The newest revision of this kind that concerns the client.
        revision: The revision it says it has applied; ``None`` when it never said.
        applied: Whether it has what it should have.

    """

    session: str
    user: str
    machine: str
    last_seen: datetime
    due: int
    revision: int | None
    reported: datetime | None
    applied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something an administrator asks of a client session, and its answer."""

    id: str
    session: str
    user: str
    command: str
    params: str
    status: str
    data: str | None = None
    created: datetime
    created_by: str
    delivered: datetime | None = None
    finished: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file kept beside the row that names it."""

    id: str
    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A crash report; ``fields`` is the JSON object of what the reporter sent."""

    id: str
    user: str | None
    product: str
    version: str
    platform: str
    process_type: str
    fields: str
    received: datetime
    minidump: StoredFile | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a user wrote, with the file they sent along."""

    id: str
    user: str
    session: str | None
    description: str
    received: datetime
    attachment: StoredFile | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a document was from one change on.

    Attributes:
        previous: The revision before it; ``None`` when the document did not exist before.
        body: JSON text of the document; ``None`` when it was deleted, or in lists.

    """

    kind: Kind
    key: str
    revision: int
    previous: int | None
    action: Action
    at: datetime
    actor: str
    operation: str
    created: datetime
    created_by: str
    body: str | None = None
