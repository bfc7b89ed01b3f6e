"""The server itself as the admin API answers it: what runs, with which settings, and what an import brings."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.body import View


class HealthView(View):
    """How the server is."""

    status: str = Field(description="ok, or unavailable while requests cannot be served")
    checks: dict[str, str] = Field(description="Each part that was asked, and what it answered.")


class DatabaseView(View):
    """The database behind the server."""

    kind: str = Field(description="sqlite or postgresql")
    migration: str | None = Field(description="The migration it is at; null while it does not answer.")
    newest_migration: str = Field(description="The migration that this version of the server wants.")


class SettingInForce(View):
    """One setting, as it counts now."""

    property: str = Field(description="Path of the setting in the configuration file, such as `token.secret`.")
    variable: str = Field(description="Environment variable of the setting.")
    value: str = Field(description="The value as text; secrets are masked.")
    display: str = Field(description="The value with its unit, such as `3600 s (1 hour)`; secrets are masked.")
    origin: str = Field(
        description="Source of the value: `default`, `configuration file`, `configuration object` (set by the program "
        "that started the server), `variable`, `file named by` or `argument`."
    )
    origin_name: str = Field(description="Name of the environment variable or argument that set the value, or empty.")
    secret: bool = Field(description="Whether the value is never shown.")
    meaning: str = Field(description="Description of the setting.")


class ServerView(View):
    """One running process."""

    version: str
    node: str = Field(description="Host name and process ID, separated by a colon.")
    started: datetime
    uptime_seconds: int
    event_clients: int = Field(description="Event streams that this process has open.")
    database: DatabaseView
    health: HealthView
    settings: list[SettingInForce]


class ImportedView(View):
    """What an import has brought, or would bring."""

    dry_run: bool = Field(description="Whether everything was undone again.")
    total: int = Field(description="How many rows.")
    rows: dict[str, int] = Field(description="How many rows of each table.")
    kept_users: list[str] = Field(description="Users of this server that the export does not know; they stay.")
