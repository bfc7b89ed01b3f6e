"""Guards: running apps that prevent the shutdown of the platform or the closing of their window."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rostrum.desktop.arguments import choice, text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import MayClose, Reports
from rostrum.desktop.services.dialogs import Dialogs
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.window_questions import Asked, WindowQuestions

Guarded = Literal["shutdown", "close"]
AskBeforeShutdown = Callable[[Mapping[str, Any]], Awaitable[list[str]]]
"""Calls apps before the platform ends, with data for their decision; returns the titles of those that prevent it."""
_GUARDED: tuple[Guarded, ...] = ("close", "shutdown")
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """An app that prevents something, and why."""

    instance: str
    reason: str


class Guards:
    """Operations that running apps prevent until they allow them or end; the user can override this."""

    def __init__(
        self,
        instances: Instances,
        dialogs: Dialogs,
        reports: Reports,
        *,
        questions: WindowQuestions | None = None,
        ask_before_shutdown: AskBeforeShutdown | None = None,
    ) -> None:
        """Use the running apps.

        ``questions`` calls the handlers of apps before a window is closed, ``ask_before_shutdown`` those before the
        platform ends.
        """
        self._instances = instances
        self._questions = questions
        self._ask_before_shutdown = ask_before_shutdown
        self._dialogs = dialogs
        self._holds: dict[Guarded, dict[str, Hold]] = {"shutdown": {}, "close": {}}
        reports.handle(MayClose, lambda question: self.may_close(question.instance))
        instances.ended.connect(lambda ended: self._forget(ended.instance.id))

    def hold(self, what: Guarded, instance: str, reason: str) -> None:
        """Prevent an operation on behalf of an instance."""
        self._holds[what][instance] = Hold(instance=instance, reason=reason[:_LONGEST_REASON])

    def release(self, what: Guarded, instance: str) -> None:
        """Stop preventing an operation."""
        self._holds[what].pop(instance, None)

    async def may_close(self, instance: str) -> bool:
        """Return whether a window may be closed; if its app prevents that, the user decides."""
        if self._questions is not None and not await self._questions.may(Asked.CLOSING, instance):
            return False
        hold, running = self._holds["close"].get(instance), self._instances.get(instance)
        return hold is None or running is None or await self._dialogs.close_anyway(running.title, hold.reason)

    async def may_shut_down(self, *, restart: bool = False) -> bool:
        """Return whether the platform may end; if apps prevent that, the user decides."""
        return await self._dialogs.leave_anyway(await self.shutdown_holders(restart=restart))

    async def shutdown_holders(self, *, restart: bool = False, reason: str = "") -> list[tuple[str, str]]:
        """Find the apps that prevent the shutdown; return their titles and reasons."""
        running = {one.id: one.title for one in self._instances.all}
        holds = [one for one in self._holds["shutdown"].values() if one.instance in running]
        holders = [(running[one.instance], one.reason) for one in holds]
        question = {"restarting": restart, "reason": reason}
        if self._ask_before_shutdown is not None:
            holders += [(title, "") for title in await self._ask_before_shutdown(question)]
        return holders

    def _forget(self, instance: str) -> None:
        for holds in self._holds.values():
            holds.pop(instance, None)


class GuardMethods:
    """The closing of instances on the gateway."""

    def __init__(self, guards: Guards, instances: Instances) -> None:
        self._guards = guards
        self._instances = instances

    @method("Rostrum.Instances.Stop")
    async def stop(self, arguments: Mapping[str, Any]) -> Any:
        """End an instance, unless it prevents that."""
        instance = text(arguments, "instance")
        if not await self._guards.may_close(instance):
            raise DesktopError("the app keeps its window open")
        ran = self._instances.get(instance) is not None
        await self._instances.stop(instance)
        return {"stopped": ran}

    @method("Rostrum.Instances.Prevent")
    async def prevent(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Prevent the shutdown, or the closing of the caller's own window."""
        what, instance = choice(arguments, "what", _GUARDED), caller.instance
        if instance is None or self._instances.get(instance) is None:
            raise DesktopError(
                "only a running app that the platform has started may prevent its closing or the shutdown"
            )
        if arguments.get("instance") not in (None, instance):
            raise DesktopError("instance must be the calling app's own instance, or be left out")
        if arguments.get("prevent") is False:
            self._guards.release(what, instance)
        else:
            self._guards.hold(what, instance, str(arguments.get("reason") or ""))
        return {}
