"""Client sessions, machines, commands and their results."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from rostrum.contracts.body import Body, ClientBody, ListView, View
from rostrum.contracts.choice import OneOf
from rostrum.contracts.names import Id, Name, ShortText

Revision = Annotated[int, Field(ge=0, le=2**53)]

SupportedCommand = OneOf[ShortText | dict[str, Any]]
"""A command's name, or an object whose ``type`` or ``name`` is its name."""


class SessionOpening(ClientBody):
    """Data that a client sends when it starts."""

    machine: dict[str, Any] = Field(
        default={}, description="name, id, os, cpu, memory, displays: what the client knows of its computer"
    )
    version: ShortText = ""
    env: ShortText = ""
    region: ShortText = ""
    product: ShortText = "desktop"
    commands: list[SupportedCommand] = Field(default=[], max_length=200)


class Applied(ClientBody):
    """The revisions that a client has applied, by the names of events."""

    apps: Revision | None = None
    layouts: Revision | None = None
    prefs: Revision | None = None
    systemConfig: Revision | None = None  # noqa: N815 - the name of the event
    commands: Revision | None = None


class SessionHeartbeat(ClientBody):
    """A heartbeat."""

    commands: list[SupportedCommand] | None = Field(None, max_length=200)
    applied: Applied | None = Field(None, description="The newest revision of each kind that the client has applied.")


class SessionView(View):
    """A client session in responses."""

    id: str
    user: str
    machine: str
    version: str
    env: str
    region: str
    product: str
    commands: list[Any]
    started: datetime
    last_seen: datetime
    ended: datetime | None
    active: bool = Field(description="Whether it has not ended and sends heartbeats.")


class OpenedSession(SessionView):
    """A session that was just opened, with the token for its further requests."""

    token: str
    expires_in: int = Field(description="Seconds until the token must be refreshed.")


class SessionList(ListView):
    """One page of sessions."""

    items: list[SessionView]


class ReceiptView(View):
    """The progress of a running client with changes of one kind."""

    session: str
    user: str
    machine: str
    last_seen: datetime
    due: int = Field(description="The newest revision of this kind that concerns the client; 0 for none.")
    revision: int | None = Field(description="The revision that the client reports as applied.")
    reported: datetime | None
    applied: bool = Field(description="Whether it has applied the requested revision, or all relevant changes.")


class ReceiptList(ListView):
    """One page of receipts, and the number of clients that have applied all relevant changes."""

    items: list[ReceiptView]
    applied: int
    pending: int


class TokenView(View):
    """A fresh client token."""

    token: str
    expires_in: int


class NewCommand(Body):
    """A command for one session or several."""

    session: Id | None = None
    sessions: list[Id] | None = Field(None, min_length=1, max_length=10_000)
    command: Name
    params: dict[str, Any] = Field(default={})

    @model_validator(mode="after")
    def _some_session(self) -> "NewCommand":
        if (self.session is None) == (self.sessions is None):
            raise ValueError("name either session or sessions")
        return self

    def targets(self) -> list[str]:
        """Return the target sessions, without duplicates."""
        return list(dict.fromkeys([self.session] if self.session else self.sessions or []))


class CommandResult(ClientBody):
    """A client's answer to a command."""

    status: Literal["done", "failed", "unsupported"]
    data: Any = None


class PendingCommand(View):
    """A command for the client."""

    id: str
    command: str
    params: dict[str, Any]
    created: datetime


class PendingCommands(View):
    """The commands a session has not answered yet, oldest first."""

    commands: list[PendingCommand]


class CommandView(View):
    """A command in responses to administrators."""

    id: str
    session: str
    user: str
    command: str
    params: dict[str, Any]
    status: Literal["pending", "delivered", "done", "failed", "unsupported"]
    data: Any = None
    created: datetime
    created_by: str
    delivered: datetime | None
    finished: datetime | None


class NewCommands(View):
    """The created commands, one for each session."""

    items: list[CommandView]
    total: int


class CommandList(ListView):
    """One page of commands."""

    items: list[CommandView]
