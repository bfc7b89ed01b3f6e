"""T42.ACS: layouts for the client libraries."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from rostrum.base.json_text import dump
from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.layout_records import (
    CurrentModified,
    LayoutsChanged,
    RestoredLayout,
    RestoreOptions,
    SaveOptions,
)
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.t42.commands import Command, commands, flag, mapping, optional_text, refusing, text_list
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber
from rostrum.stores.layouts.store import Layout, LayoutKey

_METHOD = "T42.ACS.Command"
_EVENTS = "T42.ACS.OnLayoutEvent"
_SAVE_CONTEXT = "T42.HC.GetSaveContext"
_MODIFIED = "T42.ACS.LayoutModified"
_GLOBAL = "Global"
_ANSWER_WITHIN = 5.0
"""Time limit in seconds for all apps to provide contexts for a layout."""
_LARGEST_CONTEXT = 1024 * 1024
_MOST_IMPORTED = 10_000
_SUCCESS = {"status": "Success"}


async def offer(
    peer: LocalPeer,
    layouts: LayoutService,
    instances: Instances,
    context_of: Callable[[str], Mapping[str, Any]],
    *,
    callers: Callers,
    calls: AppCalls,
    interceptors: Interceptors,
) -> None:
    """Register the commands, each also as a separate method, and the stream of changes.

    ``context_of`` returns the current context of a window.
    """
    events = await peer.methods.stream(_EVENTS)
    methods = _Methods(layouts, instances, interceptors, events)
    await peer.methods.register(_METHOD, commands(callers, _METHOD, methods.commands))
    for name, command in methods.commands.items():
        await peer.methods.register(f"T42.ACS.{name}", refusing(callers, command))
    _follow(layouts, events)
    layouts.save_contexts = SaveContextQuestions(calls, context_of)

    def modified(change: CurrentModified) -> None:
        layout = {"name": change.key.name, "type": change.key.type}
        reason = {"application": change.app, "action": change.action, "instance": change.instance}
        calls.notify(calls.of_everyone(_MODIFIED), {"layout": layout, "reason": reason})

    layouts.modified.connect(modified)


class _Methods:
    def __init__(
        self, layouts: LayoutService, instances: Instances, interceptors: Interceptors, events: LocalStream
    ) -> None:
        self._layouts = layouts
        self._instances = instances
        self._interceptors = interceptors
        self._events = events
        self.commands: dict[str, Command] = {
            "SaveLayout": self._confirmed(self._save),
            "RestoreLayout": self._restore,
            "ResetLayout": self._reset,
            "ResumeLayout": self._resume,
            "HibernateLayout": self._hibernate,
            "RemoveLayout": self._confirmed(self._remove),
            "RenameLayout": self._confirmed(self._rename),
            "ImportLayouts": self._import,
            "ExportLayouts": self._export,
            "UpdateMetadata": self._update_metadata,
            "SelectDefaultLayout": self._select_default,
            "DeselectDefaultLayout": self._deselect_default,
            "GetDefaultLayout": self._default,
            "GetCurrentLayout": self._current,
            "GetRestoredLayoutsInfo": self._restored,
            "RefreshLayouts": self._refresh,
            "UpdateLayoutComponentContext": self._update_context,
            "UpdateDefaultContext": self._update_default_context,
        }

    def _confirmed(self, command: Command) -> Command:
        """Confirm a command with an event that has its token, for which the libraries wait."""

        async def run(arguments: Mapping[str, Any], caller: Caller) -> Any:
            token = optional_text(arguments, "token")
            result = await command(arguments, caller)
            if token is not None:
                self._events.push({"Token": token})
            return result

        return run

    async def _save(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        if (optional_text(arguments, "type") or _GLOBAL) != _GLOBAL:
            raise DesktopError("only Global layouts can be saved")
        written = mapping(arguments, "options")
        options = SaveOptions(
            instances=text_list(written, "instances"),
            ignored=text_list(written, "ignoreInstances") or (),
            set_current=flag(written, "setAsCurrent") is not False,
            without_contexts=flag(written, "ignoreContexts") is True,
        )
        allowed = await self._allowed("Save", arguments, caller)
        layout = await self._layouts.save(
            text(allowed, "name"),
            context=mapping(allowed, "context"),
            metadata=mapping(allowed, "metadata"),
            options=options,
        )
        return {**layout, **_SUCCESS}

    async def _restore(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        written = mapping(arguments, "options")
        options = RestoreOptions(
            context=mapping(arguments, "context"),
            close_running=flag(written, "closeRunningInstances") is not False,
            kept=_kept(written.get("excludeFromClosing")),
        )
        return await self._restored_now(_key(arguments), caller, options)

    async def _resume(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        options = RestoreOptions(
            context=mapping(arguments, "context"), close_running=flag(arguments, "cleanUp") is True
        )
        return await self._restored_now(_key(arguments), caller, options)

    async def _reset(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        key = LayoutKey(_GLOBAL, text(arguments, "layoutId"))
        if key not in self._layouts.restored_layouts:
            raise DesktopError(f"the layout {key.name} was not restored, and cannot be reset")
        return await self._restored_now(key, caller, RestoreOptions())

    async def _restored_now(self, key: LayoutKey, caller: Caller, options: RestoreOptions) -> Any:
        notes = await self._layouts.restore(key, caller=caller.peer, options=options)
        found = self._layouts.restored_layouts.get(key)
        instances = [] if found is None else _instances(found)
        failed = {"failed": [*notes]} if notes else {}
        status = {"status": "PartialSuccess"} if notes else _SUCCESS
        return {**status, **failed, "layoutId": key.name, "instances": instances}

    async def _hibernate(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        allowed = await self._allowed("Hibernate", arguments, caller)
        key = _key(allowed)
        await self._layouts.hibernate(key, context=mapping(allowed, "context"), metadata=mapping(allowed, "metadata"))
        return {**_SUCCESS, "layout": dict(self._layouts.get(key))}

    async def _remove(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        key = _key(await self._allowed("Remove", arguments, caller))
        if not await self._layouts.remove(key):
            raise DesktopError(f"there is no {key.type} layout {key.name!r}")
        return _SUCCESS

    async def _rename(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        asked = {**arguments, "name": text(arguments, "oldName")}
        allowed = await self._allowed("Rename", asked, caller)
        await self._layouts.rename(_key(allowed), text(allowed, "newName"))
        return _SUCCESS

    async def _import(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        allowed = await self._allowed("Import", arguments, caller)
        layouts = allowed.get("layouts")
        if not isinstance(layouts, list) or len(layouts) > _MOST_IMPORTED:
            raise DesktopError(f"layouts must be an array of at most {_MOST_IMPORTED} layouts")
        if not all(isinstance(one, Mapping) for one in layouts):
            raise DesktopError("layouts must be an array of objects")
        failed = await self._layouts.import_each([_readable(one) for one in layouts])
        listed = [{"name": one.get("name"), "type": one.get("type"), "error": reason} for one, reason in failed]
        return {"status": "PartialSuccess" if failed else "Success", "failed": listed}

    async def _export(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"Layouts": [dict(one) for one in self._layouts.export()]}

    async def _update_metadata(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._layouts.update_metadata(_key(arguments), mapping(arguments, "metadata"))
        return _SUCCESS

    async def _select_default(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        await self._layouts.set_default(_key(await self._allowed("SetDefault", arguments, caller)))
        return _SUCCESS

    async def _deselect_default(self, _: Mapping[str, Any], __: Caller) -> Any:
        await self._layouts.set_default(None)
        return _SUCCESS

    async def _default(self, _: Mapping[str, Any], __: Caller) -> Any:
        key = self._layouts.default
        return {} if key is None else dict(self._layouts.get(key))

    async def _current(self, _: Mapping[str, Any], __: Caller) -> Any:
        key = self._layouts.current
        return {} if key is None else {"layout": dict(self._layouts.get(key))}

    async def _restored(self, _: Mapping[str, Any], __: Caller) -> Any:
        running = {one.id for one in self._instances.all}
        return {
            "layoutInfo": [
                {
                    "id": one.key.name,
                    "type": one.key.type,
                    "name": one.key.name,
                    "instances": [{**each, "stopped": each["instanceId"] not in running} for each in _instances(one)],
                }
                for one in self._layouts.restored_layouts.values()
            ]
        }

    async def _refresh(self, _: Mapping[str, Any], __: Caller) -> Any:
        await self._layouts.refresh()
        return _SUCCESS

    async def _update_context(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        if caller.instance is None:
            raise DesktopError("only apps that the platform has started are part of layouts")
        context = mapping(arguments, "context")
        _check_size(context)
        await self._layouts.update_context(caller.instance, context)
        return _SUCCESS

    async def _update_default_context(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        context = mapping(arguments, "context")
        _check_size(context)
        await self._layouts.update_default_context(caller.instance or "", context)
        return _SUCCESS

    async def _allowed(self, name: str, arguments: Mapping[str, Any], caller: Caller) -> Mapping[str, Any]:
        asked = Operation(area="Layouts", name=name, arguments=dict(arguments), caller=caller.peer)
        allowed: Mapping[str, Any] = (await self._interceptors.passed(asked)).arguments
        return allowed


class SaveContextQuestions:
    """Requests the context for a layout from each running app, through methods of its own peers."""

    def __init__(
        self, calls: AppCalls, context_of: Callable[[str], Mapping[str, Any]], within: float = _ANSWER_WITHIN
    ) -> None:
        self._calls = calls
        self._context_of = context_of
        self._within = within

    async def __call__(
        self, instances: Sequence[Instance], key: LayoutKey, context: Mapping[str, Any]
    ) -> Mapping[str, Mapping[str, Any]]:
        """Return the context of each instance that provides one; late instances keep their start context."""
        question = {"layoutName": key.name, "layoutType": key.type, "context": dict(context), "ignoreContexts": False}
        answers = await asyncio.gather(*(self._asked(one, key, question) for one in instances))
        return {one.id: answer for one, answer in zip(instances, answers, strict=True) if answer is not None}

    async def _asked(self, instance: Instance, key: LayoutKey, question: Mapping[str, Any]) -> Mapping[str, Any] | None:
        methods = self._calls.of_instance(instance.id, _SAVE_CONTEXT)
        questions: list[Awaitable[Any]] = [self._calls.ask(one, question, self._within) for one in methods]
        for answer in await asyncio.gather(*questions):
            if not isinstance(answer, Mapping):
                continue
            found, automatic = answer.get("windowContext"), answer.get("autoSaveWindowContext")
            if automatic is True or (isinstance(automatic, list) and key.type in automatic):
                found = self._context_of(instance.id)
            if isinstance(found, Mapping) and len(dump(dict(found))) <= _LARGEST_CONTEXT:
                return found
        return None


def _follow(layouts: LayoutService, events: LocalStream) -> None:
    def snapshot(subscriber: Subscriber) -> None:
        events.send(subscriber, {"IsSnapshot": True, "OnLayoutAdded": [dict(one) for one in layouts.export()]})

    def changed(change: LayoutsChanged) -> None:
        event: dict[str, Any] = {}
        if change.added:
            event["OnLayoutAdded"] = [dict(one) for one in change.added]
        if change.changed:
            event["OnLayoutChanged"] = [dict(one) for one in change.changed]
        if change.removed:
            event["OnLayoutRemoved"] = [_named(one) for one in change.removed]
        if change.renamed is not None:
            key, name = change.renamed
            event["OnLayoutRenamed"] = [{"type": key.type, "oldName": key.name, "newName": name}]
        events.push(event)

    def default_changed(key: LayoutKey | None) -> None:
        events.push({"OnLayoutSelectedDefault": [] if key is None else [_named(key)]})

    events.subscribed.connect(snapshot)
    layouts.stored.connect(changed)
    layouts.default_changed.connect(default_changed)
    layouts.restored.connect(lambda key: events.push({"OnLayoutRestored": [_named(key)]}))


def _key(arguments: Mapping[str, Any]) -> LayoutKey:
    return LayoutKey(optional_text(arguments, "type") or _GLOBAL, text(arguments, "name"))


def _kept(written: Any) -> tuple[str, ...]:
    # A library that is not an app of the platform sends an instance without an id.
    return tuple(one for one in written if isinstance(one, str)) if isinstance(written, list) else ()


def _named(key: LayoutKey) -> dict[str, str]:
    return {"name": key.name, "type": key.type}


def _instances(restored: RestoredLayout) -> list[dict[str, str]]:
    return [{"appName": app, "instanceId": instance} for instance, app in restored.instances.items()]


def _readable(layout: Layout) -> Layout:
    """Remove members that the libraries add without a value."""
    return {name: value for name, value in layout.items() if value is not None}


def _check_size(context: Mapping[str, Any]) -> None:
    if len(dump(dict(context))) > _LARGEST_CONTEXT:
        raise DesktopError(f"a context can have at most {_LARGEST_CONTEXT // 1024} KiB")
