"""The single top-level keys of system.json: those that are known before sources are fetched, and the others."""

from collections.abc import Iterator
from typing import Any, Literal

from rostrum.base.addresses import url_origin
from rostrum.settings.log_configuration import read_logging
from rostrum.settings.problems import Severity, shown
from rostrum.settings.proxy import read_proxy
from rostrum.settings.scope import Effect, Scope, Stream
from rostrum.settings.sections.user_interface import Splash
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Amount, Strings

_LOCAL = Scope.LOCAL_ONLY


class Folders(Section, scope=Scope.LOCAL_ONLY):
    """Places of files; user data and cache default to a sub-folder per environment and region."""

    user_data: str | None = setting(
        None, "Folder of user data. Default: a folder for the environment and region in UserData."
    )
    cache: str | None = setting(
        None, "Folder of the browser cache. Default: a folder for the environment and region in Cache."
    )
    remote_config: str | None = setting(
        None,
        "Folder for the files of remote sources. Default: configOverrides in the folder of user data.",
        addition=True,
    )


class EarlyRoot(Section):
    """The settings that are known before sources are fetched."""

    advanced_mode: bool = setting(
        default=False, text="Run in the advanced mode.", since="10.0", stream=Stream.V10, scope=_LOCAL
    )
    allow_multiple_instances: Literal["inDifferentEnvRegion", "never"] = setting(
        "inDifferentEnvRegion",
        "Whether the platform can run several times on this machine: once for each pair of environment and region, "
        "or never.",
        scope=_LOCAL,
    )
    already_running_action: Any = setting(
        None,
        "Reaction of the running platform if it is started again: come to the front (focus), show an alert (alert) or "
        "nothing (silent).",
        scope=_LOCAL,
    )
    env: str | None = setting(None, "Name of the environment.", scope=_LOCAL)
    region: str | None = setting(None, "Name of the region.", scope=_LOCAL)
    folders: Folders = setting(Folders, "Locations of files.")
    logging: Any = setting(
        None,
        "Log files: the members files (onStartup, moveOldTo), logSanitization and configuration (a log4js "
        "configuration, as in logger.json).",
        scope=_LOCAL,
    )
    node_path: str | None = setting(
        None,
        "Node.js program that runs apps of type node. Default: node on the PATH.",
        scope=_LOCAL,
        addition=True,
    )
    protocol_handler: Any = setting(
        None,
        "Schemes of addresses such as myapp://app/clock that start the platform, or bring it to the front: an object "
        "with enabled, protocol (the scheme) and apps (names of the apps that these addresses may start; none by "
        "default), or an array of such objects. Registered on Linux, for the user, when the platform with windows "
        "starts.",
        scope=_LOCAL,
    )
    proxy: Any = setting(
        None,
        "Proxy of pages: mode (direct, auto_detect, pac_script, fixed_servers or system), pacScript, proxyRules, "
        "proxyBypassRules.",
        scope=_LOCAL,
    )
    register_html_container: Any = setting(
        None, "If true, pages receive the object htmlContainer, which older apps use.", scope=_LOCAL
    )
    splash: Splash = setting(Splash, "The window shown while the platform starts.")
    trusted_origins: Strings = setting(
        (),
        "Origins such as https://updates.example.com that remote sources may name in server, ssoAuth, crashReporter "
        "and autoUpdater, in addition to the origins in local files.",
        scope=_LOCAL,
        addition=True,
    )
    offline_max_age_days: Amount = setting(
        7,
        "Number of days, after the last accepted sign-in, for which the desktop can start from local copies while the "
        "manager cannot be reached. 0 disables the offline start, and the sign-in is not stored.",
        scope=_LOCAL,
        addition=True,
    )
    switches: Any = setting(None, "Command-line switches of the browser engine.", scope=_LOCAL)
    build: Any = setting(
        None, "Name of the build. The splash screen shows only the value in local files.", effect=Effect.PLAIN
    )
    ui_version: str | None = setting(
        None,
        "Version that the platform shows to users, in any form. The splash screen shows only the value in local files.",
        since="10.0",
        stream=Stream.V10,
        effect=Effect.PLAIN,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Point out origins that can never match an address, and log settings without effect."""
        wrong = [entry for entry in self.trusted_origins if url_origin(entry) is None]
        if wrong:
            message = (
                f"{shown(wrong[0])} is not an origin and has no effect; write one such as https://updates.example.com"
            )
            yield SectionProblem(severity=Severity.WARNING, member="trustedOrigins", message=message)
        _, problems = read_logging(self.logging)
        if problems:
            told = (f"{one.path.removeprefix('logging').lstrip('.')} {one.message}".strip() for one in problems)
            yield SectionProblem(severity=Severity.WARNING, member="logging", message="; ".join(told))
        _, wrong_proxy = read_proxy(self.proxy)
        if wrong_proxy:
            yield SectionProblem(severity=Severity.ERROR, member="proxy", message="; ".join(wrong_proxy))


class Root(EarlyRoot):
    """All single top-level keys."""

    flash: Any = setting(
        None,
        "Has no effect, but must be set in a local file of platform versions 9.x.",
        stream=Stream.V9,
        effect=Effect.PLAIN,
    )
