"""Sign-in: the user of this desktop, from the manager or, without a manager, from the operating system."""

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rostrum.base.clock import Clock
from rostrum.client.service import Service
from rostrum.desktop.errors import LoginFailed
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.login import Ask
from rostrum.desktop.sign_in import SignIn
from rostrum.desktop.sign_in_page import SignInPage
from rostrum.desktop.sign_in_records import SignInRecords
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.steps import Progress
from rostrum.settings.sections.server import Server
from rostrum.settings.sections.sso_auth import SsoAuth
from rostrum.settings.settings import Settings
from rostrum.sources.load import Early

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """The user of this desktop.

    Attributes:
        user: The user id.
        sign_in: The sign-in at the manager; None without a manager.
    """

    user: str
    sign_in: SignIn | None = None

    @property
    def offline_reason(self) -> str | None:
        """Return why the desktop works with local copies only; None while the manager has accepted the account."""
        return None if self.sign_in is None else self.sign_in.offline_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPrompt:
    """Prompts for the sign-in, and the storage of accepted accounts.

    Attributes:
        ask: Prompts without a page.
        page: Creates the prompt on a page; None disables it.
    """

    early: Early
    ask: Ask
    page: Callable[[Ask], Ask] | None
    host: WindowHost
    reports: Reports
    splash: SplashScreen
    clock: Clock
    parts: AsyncExitStack


def needs_sign_in(signed_in: SignedIn | None, settings: Settings) -> bool:
    """Return whether no user has signed in yet, or the configuration names another manager than its source."""
    if signed_in is None or signed_in.sign_in is None:
        return True
    server = settings.server
    return bool(server.enabled and (server.url or "").rstrip("/") != signed_in.sign_in.service.address)


async def sign_in_first(step: Progress, prompt: SignInPrompt) -> SignedIn:
    """Sign in to the manager that local files name as a source of configuration."""
    manager = prompt.early.manager
    return await _sign_in(step, prompt, manager.server, manager.sso_auth, None)


async def sign_in_user(step: Progress, prompt: SignInPrompt, settings: Settings, before: SignedIn | None) -> SignedIn:
    """Sign in to the manager of the settings; without one, the user is that of the operating system.

    ``before`` is the sign-in to the manager that provided the configuration.
    """
    server = settings.server
    if not server.enabled:
        variables = prompt.early.start.variables
        step.skip()
        return SignedIn(user=variables.get("USER") or variables.get("USERNAME") or "user")
    if not server.url:
        raise LoginFailed("server.url must be the address of the manager")
    return await _sign_in(step, prompt, server, settings.sso_auth, None if before is None else before.sign_in)


async def _sign_in(
    step: Progress, prompt: SignInPrompt, server: Server, sso: SsoAuth, before: SignIn | None
) -> SignedIn:
    early = prompt.early
    service = Service(server.url or "")
    prompt.parts.push_async_callback(service.close)
    page = SignInPage(sso, prompt.host, prompt.reports, prompt.ask, prompt.splash)
    sign_in = SignIn(
        service,
        prompt.ask if prompt.page is None else prompt.page(page.ask),
        SignInRecords(
            early.folders.user_data,
            service.address,
            max_age_days=early.settings.offline_max_age_days,
            clock=prompt.clock,
        ),
        show_page=page.shown,
        login=before.login if before is not None and before.service.origin == service.origin else None,
        retries=int(server.start_retries),
        retry_interval=server.start_retry_interval,
    )
    signed_in = SignedIn(user=await sign_in.run(), sign_in=sign_in)
    if before is not None:
        before.end()
    if signed_in.offline_reason is not None:
        _log.warning("%s", signed_in.offline_reason)
        step.degrade(signed_in.offline_reason)
    step.note(signed_in.user)
    return signed_in
