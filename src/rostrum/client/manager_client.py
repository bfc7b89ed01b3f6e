"""A client of the manager, with one method for each operation that desktops use."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from rostrum.client.bounded_body import read_lines
from rostrum.client.errors import Refused
from rostrum.client.events import LONGEST_LINE, ServerEvent, read_events
from rostrum.client.layout_calls import LayoutCalls
from rostrum.client.preference_calls import PreferenceCalls
from rostrum.client.service import Form, Reply, Service
from rostrum.contracts.identity import Me
from rostrum.contracts.sessions import OpenedSession, PendingCommand, PendingCommands, TokenView

Model = TypeVar("Model", bound=BaseModel)


class ManagerClient:
    """Sends requests to the manager. Lists are complete, with the version for the next conditional request.

    Attributes:
        layouts: Requests for layouts.
        preferences: Requests for preferences of apps.
    """

    def __init__(self, service: Service) -> None:
        """Use a service whose address is the manager's base address, such as https://example.com/api."""
        self.service = service
        self.layouts = LayoutCalls(service)
        self.preferences = PreferenceCalls(service)

    async def me(self) -> Me:
        """Return the user that the manager has authenticated; used to check a sign-in."""
        return _read(Me, await self.service.request("GET", "/me"))

    async def apps(self, etag: str | None = None) -> Reply:
        """Request the app definitions of this user."""
        return await self.service.request("GET", "/apps", etag=etag)

    async def open_session(self, opening: Mapping[str, Any], *, timeout: float = 60) -> OpenedSession:  # noqa: ASYNC109
        """Report the start of this desktop; the response has the token for further requests."""
        return _read(OpenedSession, await self.service.request("POST", "/sessions", json=opening, timeout=timeout))

    async def heartbeat(
        self, session: str, commands: Sequence[Any] | None = None, applied: Mapping[str, int] | None = None
    ) -> None:
        """Send a heartbeat with the revision of each kind that is in use."""
        body: dict[str, Any] = {} if commands is None else {"commands": list(commands)}
        if applied:
            body["applied"] = dict(applied)
        await self.service.request("PATCH", f"/sessions/{quote(session, safe='')}", json=body)

    async def close_session(self, session: str, *, timeout: float = 10) -> None:  # noqa: ASYNC109
        """Report that this desktop stops."""
        await self.service.request("DELETE", f"/sessions/{quote(session, safe='')}", timeout=timeout)

    async def refresh_token(self) -> TokenView:
        return _read(TokenView, await self.service.request("POST", "/token/refresh", json={}))

    async def commands(self, session: str) -> list[PendingCommand]:
        """Request the pending commands of this desktop, oldest first."""
        reply = await self.service.request("GET", f"/sessions/{quote(session, safe='')}/commands")
        return _read(PendingCommands, reply).commands

    async def answer_command(self, session: str, command: str, status: str, data: Any = None) -> None:
        """Report the result of a command: done, failed or unsupported."""
        path = f"/sessions/{quote(session, safe='')}/commands/{quote(command, safe='')}/result"
        await self.service.request("POST", path, json={"status": status, "data": data})

    async def send_crash(self, fields: Mapping[str, str], minidump: tuple[str, bytes] | None = None) -> str:
        """Send a crash report with its dump; return its id."""
        files = {} if minidump is None else {"upload_file_minidump": minidump}
        path = "" if self.service.address.endswith("/crashes") else "/crashes"
        return _id(await self.service.request("POST", path, form=Form(fields, files)))

    async def send_feedback(self, description: str, attachment: tuple[str, bytes] | None = None) -> str:
        """Send feedback; return its id."""
        files = {} if attachment is None else {"attachment": attachment}
        return _id(await self.service.request("POST", "/feedback", form=Form({"description": description}, files)))

    async def events(self, last_id: str = "") -> AsyncIterator[ServerEvent]:
        """Receive changes as they happen, continuing after the last event of an earlier stream."""
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
        async with self.service.stream("/events", headers) as response:
            async for event in read_events(read_lines(response, LONGEST_LINE)):
                yield event


def _id(reply: Reply) -> str:
    return str(reply.body.get("id", "")) if isinstance(reply.body, dict) else str(reply.body or "")


def _read(model: type[Model], reply: Reply) -> Model:
    try:
        return model.model_validate(reply.body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise Refused(f"the response of the manager is invalid: {place}: {first['msg']}", reply.status) from None
