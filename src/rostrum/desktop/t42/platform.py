"""The platform for the client libraries: its end, its user, cookies, log messages and feedback."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import GetCookies, RemoveCookie, SetCookie, WindowAction
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.control import PlatformControl
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.readiness import Readiness
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.t42.calls import Rights, offer_method, shown
from rostrum.desktop.t42.commands import Command, mapping
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import RemoteMethod

_log_of_apps = logging.getLogger("rostrum.apps")
_ASKED = "T42.ACS.OnGDShutdown"
"""The method of an app that is called before the platform ends."""
_PATIENCE = 5.0
"""Time limit in seconds for an app; without a response it does not prevent the end."""
_LONGEST_MESSAGE = 10_000
_LONGEST_COOKIE = 8192
_LEVELS = {
    "trace": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformFacts:
    """Public data of the platform."""

    user: str
    environment: str
    region: str
    version: str
    product_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformServices:
    """The services that the methods use."""

    facts: PlatformFacts
    control: PlatformControl
    guards: Guards
    host: WindowHost
    instances: Instances
    rights: Rights
    registry: WindowRegistry
    readiness: Readiness
    callers: Callers
    peer: LocalPeer


async def offer_platform(services: PlatformServices) -> None:
    """Register the methods on the gateway."""
    handlers: dict[str, Callable[[PlatformServices, Mapping[str, Any], Caller], Any]] = {
        "T42.ACS.Shutdown": partial(_leave, restart=False),
        "T42.ACS.Restart": partial(_leave, restart=True),
        "T42.ACS.GetConfigurationRegion": _get_region,
        "T42.ACS.SetConfigurationRegion": _refuse("The region is set in the configuration of the desktop."),
        "T42.ACS.GetBranches": _get_branches,
        "T42.ACS.GetCurrentBranch": _get_branch,
        "T42.ACS.SetCurrentBranch": _refuse("There are no branches to select."),
        "T42.ACS.GetUser": _get_user,
        "T42.ACS.CanI": _can_i,
        "T42.ACS.GetFunctionalEntitlement": _get_entitlement,
        "T42.ACS.Feedback": _feedback,
        "T42.ACS.RegisterInstance": _register_instance,
        "T42.AppLogger.Log": _write_log,
        "T42.Otel.GetConfig": _get_telemetry,
        "T42.GD.GetInfo": _get_info,
        "T42.GD.Execute": _execute,
    }
    for name, handler in handlers.items():
        bound: Command = partial(handler, services)
        await offer_method(services.peer, services.callers, name, bound)


async def ask_before_shutdown(
    peer: LocalPeer, callers: Callers, instances: Instances, question: Mapping[str, Any]
) -> list[str]:
    """Call the handlers of all apps before the platform ends; return the titles of those that prevent it."""
    methods = [one for one in peer.methods.known if one.name == _ASKED and one.server != peer.id]

    async def prevents(method: RemoteMethod) -> str | None:
        try:
            answer = await peer.methods.call(method, question, timeout_seconds=_PATIENCE)
        except RostrumError as error:
            _log_of_apps.warning("an app did not answer before the shutdown: %s", error)
            return None
        if not isinstance(answer, Mapping) or answer.get("prevent") is not True:
            return None
        caller = callers.of(method.server)
        running = instances.get(caller.instance) if caller.instance else None
        return running.title if running else "a program"

    answers = await asyncio.gather(*(prevents(one) for one in methods))
    return [one for one in answers if one is not None]


async def _leave(services: PlatformServices, arguments: Mapping[str, Any], _: Caller, *, restart: bool) -> Any:
    what = "restart" if restart else "shutdown"
    if arguments.get("showDialog") is not False:
        if not await services.control.leave(restart=restart):
            raise DesktopError(f"The {what} was prevented.")
        return {}
    reason = arguments.get("reason")
    holders = await services.guards.shutdown_holders(restart=restart, reason=reason if isinstance(reason, str) else "")
    if holders:
        raise DesktopError(f"The {what} is prevented by {', '.join(title for title, _ in holders)}.")
    if arguments.get("autoSave") is True:
        await services.control.save_layout()
    services.control.shutdown.request(restart=restart)
    return {}


async def _get_region(services: PlatformServices, _: Mapping[str, Any], __: Caller) -> Any:
    return {"Region": services.facts.region}


async def _get_branches(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
    return {"Branches": {}}


async def _get_branch(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
    return {"Branch": ""}


async def _get_user(services: PlatformServices, _: Mapping[str, Any], __: Caller) -> Any:
    return {"FirstName": "", "LastName": "", "LoginName": services.facts.user}


async def _can_i(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
    # There are no function entitlements, so nothing is granted.
    return {"Result": False}


async def _get_entitlement(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
    return {"Entitlement": "None"}


async def _feedback(services: PlatformServices, _: Mapping[str, Any], __: Caller) -> Any:
    await services.host.show_own("feedback")
    return {}


async def _register_instance(_: PlatformServices, __: Mapping[str, Any], caller: Caller) -> Any:
    # The identity that a program states gives it no permissions; apps started by the platform are known.
    return {"registered": caller.instance is not None}


async def _write_log(services: PlatformServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    running = services.instances.get(caller.instance) if caller.instance else None
    if running is None or running.definition.get("allowLogging") is not True:
        # The libraries send every message, and print an error for each that is rejected.
        return {"logged": False}
    error = mapping(arguments, "error").get("message")
    words = [arguments.get("logger"), arguments.get("msg"), error]
    message = " ".join(one for one in words if isinstance(one, str))
    level = arguments.get("level")
    number = _LEVELS.get(level, logging.INFO) if isinstance(level, str) else logging.INFO
    _log_of_apps.log(number, "%s: %s", running.app, message[:_LONGEST_MESSAGE].replace("\n", "\\n"))
    return {"logged": True}


async def _get_telemetry(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
    return {"enabled": False}


async def _get_info(services: PlatformServices, _: Mapping[str, Any], __: Caller) -> Any:
    facts = services.facts
    product = {
        "name": "Rostrum",
        "version": facts.version,
        "productVersion": facts.product_version,
        "environment": facts.environment,
        "region": facts.region,
        "user": facts.user,
    }
    return {"licInfo": {}, "productInfo": product}


async def _execute(services: PlatformServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    command, given = arguments.get("command"), mapping(arguments, "args")
    if command == "announce-instance-ready":
        if caller.instance is not None:
            services.readiness.announce(caller.instance)
        return {}
    if command == "get-cookies":
        found = await _act_on_cookies(services, caller, GetCookies(filter=mapping(given, "filter")))
        return {"cookies": found if isinstance(found, list) else []}
    if command == "set-cookie":
        await _act_on_cookies(services, caller, SetCookie(cookie=_cookie(given)))
        return {}
    if command == "remove-cookie":
        await _act_on_cookies(services, caller, RemoveCookie(url=_page(given), name=text(given, "name")))
        return {}
    raise DesktopError(f"T42.GD.Execute has no command {shown(command)}.")


async def _act_on_cookies(services: PlatformServices, caller: Caller, action: WindowAction) -> Any:
    services.rights.require(caller, "allowCookiesManipulation", "read and change cookies")
    if caller.instance is None or services.registry.get(caller.instance) is None:
        raise DesktopError("Only apps with a window have cookies.")
    return await services.host.act(caller.instance, action)


def _cookie(given: Mapping[str, Any]) -> dict[str, Any]:
    texts = ("url", "name", "value", "domain", "path", "sameSite")
    _page(given)
    text(given, "name")
    for name in texts:
        if given.get(name) is not None and (not isinstance(given[name], str) or len(given[name]) > _LONGEST_COOKIE):
            raise DesktopError(f"{name} must be text of at most {_LONGEST_COOKIE} characters.")
    for name in ("secure", "httpOnly"):
        if not isinstance(given.get(name), (bool, type(None))):
            raise DesktopError(f"{name} must be true or false.")
    expires = given.get("expirationDate")
    if expires is not None and (isinstance(expires, bool) or not isinstance(expires, (int, float))):
        raise DesktopError("expirationDate must be a number of seconds.")
    names = (*texts, "secure", "httpOnly", "expirationDate")
    return {name: given[name] for name in names if given.get(name) is not None}


def _page(given: Mapping[str, Any]) -> str:
    url = text(given, "url")
    if not url.startswith(("https://", "http://")) or len(url) > _LONGEST_COOKIE:
        raise DesktopError("url must be the address of a page: https or http.")
    return url


def _refuse(reason: str) -> Callable[[PlatformServices, Mapping[str, Any], Caller], Any]:
    async def handler(_: PlatformServices, __: Mapping[str, Any], ___: Caller) -> Any:
        raise DesktopError(reason)

    return handler
