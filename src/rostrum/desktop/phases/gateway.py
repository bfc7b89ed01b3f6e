"""Starts the embedded gateway, with the platform as its first peer."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from secrets import token_urlsafe

from rostrum.base.clock import Clock
from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.callers import EXTERNAL_IDENTITY, RESERVED_METHODS, SHARED_METHODS, Callers
from rostrum.desktop.gateway_options import SNAPSHOTS, OwnLogins, gateway_options
from rostrum.desktop.phases.configuration import RemoteConfiguration
from rostrum.desktop.steps import Progress
from rostrum.gateway import Gateway, LocalPeer


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningGateway:
    """The gateway, and the platform's objects on it.

    Attributes:
        peer: The platform itself.
        callers: The identities of the callers of the platform.
        app_tokens: Tokens with which apps sign in.
        secret: The password of the user of this desktop, for this run.
    """

    gateway: Gateway
    peer: LocalPeer
    callers: Callers
    app_tokens: AppTokens
    secret: str = field(repr=False)


async def start_gateway(
    step: Progress, configuration: RemoteConfiguration, user: str, clock: Clock, parts: AsyncExitStack
) -> RunningGateway:
    """Start the gateway for one user."""
    loaded, secret = configuration.loaded, token_urlsafe(32)
    options = gateway_options(
        loaded.settings, loaded.early.folders.user_data / SNAPSHOTS, loaded.early.start.root, loaded.variables
    )
    # Not in the stand-alone gateway, where identities are not verified.
    options = replace(
        options,
        # Apps may have any origin; a page without a token of its app gets no access.
        bound_origins=("*",),
        unbound_identity=EXTERNAL_IDENTITY,
        reserved_methods=RESERVED_METHODS,
        shared_methods=SHARED_METHODS,
        control_key=secret,
        # All apps belong to one user here, and the platform is a user of its own gateway.
        limits=replace(options.limits, has_shares=True),
    )
    gateway = Gateway(options, OwnLogins(user, secret, options.case_sensitive_users), clock=clock)
    await gateway.start()
    parts.push_async_callback(gateway.stop)
    peer = await gateway.local_peer("Rostrum", user, is_service=True)
    step.note(gateway.address)
    return RunningGateway(
        gateway=gateway,
        peer=peer,
        callers=Callers(gateway, peer),
        app_tokens=AppTokens(gateway, user),
        secret=secret,
    )
