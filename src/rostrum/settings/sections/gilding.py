"""remoteConfig and envVars of gilding.json, and env.json (9.0 stream)."""

from rostrum.settings.scope import Stream
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Variables


class GildingImpersonation(Section, stream=Stream.V9):
    """The user and the version for which the configuration is fetched."""

    user: str | None = setting(None, "User whose configuration is requested.")
    version: str | None = setting(None, "Platform version whose configuration is requested.")


class RemoteConfig(Section, stream=Stream.V9):
    """Configuration fetched from a manager or a REST service."""

    enabled: bool | None = setting(None, "Fetch configuration files from the address in url.")
    url: str | None = setting(
        None,
        "Address of the manager or REST service that provides the configuration files. The desktop sends a POST "
        "request to it.",
    )
    continue_on_error: bool | None = setting(None, "Start even if the configuration files cannot be fetched.")
    file_suffix: str | None = setting(
        None, "Text that is inserted between the name and the extension of fetched files."
    )
    folder: str | None = setting(
        None, "Folder for fetched files. Default: the folder configOverrides of the environment and region."
    )
    impersonation: GildingImpersonation | None = setting(
        None, "User and platform version whose configuration is requested."
    )
    insecure_ssl: bool | None = setting(None, "Accept certificates that cannot be verified.", alias="insecureSSL")
    wipe_folder: bool | None = setting(None, "Delete previously fetched files before new files are stored.")


class EnvVars(Section, stream=Stream.V9):
    """Environment variables of the platform."""

    variables: Variables | None = setting(None, "Environment variables that are set at start-up.", alias="set")


class Gilding(Section):
    """The file gilding.json."""

    remote_config: RemoteConfig = setting(RemoteConfig, "Fetched configuration.")
    env_vars: EnvVars = setting(EnvVars, "Environment variables.")


class EnvFile(Section, since="9.9", stream=Stream.V9):
    """The file env.json of a manager or REST service."""

    variables: Variables | None = setting(
        None,
        "Environment variables that override those in gilding.json. An empty value removes the variable.",
        alias="set",
    )
