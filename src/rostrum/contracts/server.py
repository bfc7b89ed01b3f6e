"""The server in the admin API: health, settings, and results of imports."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.body import View


class HealthView(View):
    """The health of the server."""

    status: str = Field(description="ok, or unavailable while requests cannot be served")
    checks: dict[str, str] = Field(description="The checked parts and their results.")


class DatabaseView(View):
    """The database behind the server."""

    kind: str = Field(description="sqlite or postgresql")
    migration: str | None = Field(description="The migration of the database; null if the database does not respond.")
    newest_migration: str = Field(
        description="The migration that this version of the server requires. The database can be at a newer one that "
        "supports this version."
    )


class SettingInForce(View):
    """A setting and its effective value."""

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
    """The result of an import, or its preview."""

    dry_run: bool = Field(description="Whether all changes were undone.")
    total: int = Field(description="How many rows.")
    rows: dict[str, int] = Field(description="How many rows of each table.")
    kept_users: list[str] = Field(description="Users of this server that the export does not contain; they are kept.")
