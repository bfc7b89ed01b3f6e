"""The resolver of the desktop: the user chooses the app that handles an intent."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import msgspec

from rostrum.base.errors import RostrumError
from rostrum.base.shown_text import shown_text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.port import AppChoice, AppOption, WindowHost
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.instances import Instances
from rostrum.fdc3.host import ChoiceCancelled, ChoiceUnavailable, Chosen, HostReply

_log = logging.getLogger(__name__)


class _App(msgspec.Struct, rename="camel"):
    app_id: str
    instance_id: str | None = None
    title: str | None = None
    description: str | None = None
    tooltip: str | None = None


class _Intent(msgspec.Struct, rename="camel"):
    name: str
    display_name: str | None = None


class _AppIntent(msgspec.Struct):
    """The part of an ``AppIntent`` of the standard that users see."""

    intent: _Intent
    apps: list[_App]


_Option = tuple[str, _App, AppOption]
"""The intent, the app that handles it, and their display texts."""


class Resolver:
    """Shows one dialog at a time: two dialogs would cover each other."""

    def __init__(
        self, host: WindowHost, instances: Instances, channels: Channels, focus: Callable[[str], Awaitable[None]]
    ) -> None:
        self._host = host
        self._instances = instances
        self._channels = channels
        self._focus = focus
        self._questions = BackgroundTasks("the resolver failed")
        self._turn = asyncio.Lock()
        self._waiting: set[str] = set()

    def ask(self, event: Mapping[str, Any], answered: Callable[[HostReply], None]) -> None:
        """Show the choice of the agent; ``answered`` gets the result."""
        self._waiting.add(event["request"])
        self._questions.begin(self._ask(event, answered))

    def withdraw(self, request: str) -> None:
        """Withdraw a choice that is no longer needed."""
        if request in self._waiting:
            self._waiting.discard(request)
            self._questions.begin(self._host.hide_choice(request))

    async def close(self) -> None:
        """Stop showing dialogs."""
        await self._questions.cancel()

    async def _ask(self, event: Mapping[str, Any], answered: Callable[[HostReply], None]) -> None:
        request: str = event["request"]
        try:
            async with self._turn:
                # It may have been withdrawn while another dialog was open.
                answer = await self._choose(event) if request in self._waiting else ChoiceCancelled(request=request)
        except RostrumError as error:
            _log.warning("the user cannot be asked which app handles an intent: %s", error)
            answer = ChoiceUnavailable(request=request)
        finally:
            self._waiting.discard(request)
        answered(answer)
        if isinstance(answer, Chosen) and answer.instance_id is not None:
            await self._bring_to_front(answer.instance_id)

    async def _choose(self, event: Mapping[str, Any]) -> HostReply:
        request: str = event["request"]
        intents = msgspec.json.decode(event["appIntents"], type=list[_AppIntent])
        options = [option for one in intents for option in self._options(one, is_only=len(intents) == 1)]
        source = self._instances.get(event["source"])
        choice = AppChoice(
            request=request,
            source=event["source"],
            title=f'Choose an app for "{_name(intents[0])}"' if len(intents) == 1 else "Choose an action and an app",
            note="" if source is None else f'Requested by "{source.title}".',
            options=tuple(shown for _, _, shown in options),
        )
        number = await self._host.choose_app(choice)
        if number is None or not 0 <= number < len(options):
            return ChoiceCancelled(request=request)
        intent, app, _ = options[number]
        return Chosen(request=request, intent=intent, app_id=app.app_id, instance_id=app.instance_id)

    def _options(self, one: _AppIntent, *, is_only: bool) -> Iterator[_Option]:
        """List running instances first: they show what the user has opened."""
        running = [app for app in one.apps if app.instance_id is not None]
        for app in running:
            section = "Running" if is_only else f"{_name(one)}: running"
            detail = self._where(app.instance_id or "")
            yield one.intent.name, app, _option(section, app, detail)
        for app in one.apps:
            if app.instance_id is None:
                section = "Start" if is_only else f"{_name(one)}: start"
                detail = app.description or app.tooltip or app.app_id
                yield one.intent.name, app, _option(section, app, detail)

    def _where(self, instance_id: str) -> str:
        instance = self._instances.get(instance_id)
        if instance is None:
            return "Not on this desktop"
        channels = self._channels.of(instance_id) if instance_id in self._channels.members else ()
        return f"{instance.title}, channel {channels[-1]}" if channels else instance.title

    async def _bring_to_front(self, instance_id: str) -> None:
        try:
            await self._focus(instance_id)
        except RostrumError as error:
            # Programs and services have no window of the platform.
            _log.debug("%s is not brought to the front: %s", instance_id, error)


def _option(section: str, app: _App, detail: str) -> AppOption:
    return AppOption(section=section, title=shown_text(app.title or app.app_id), detail=shown_text(detail))


def _name(one: _AppIntent) -> str:
    return shown_text(one.intent.display_name or one.intent.name)
