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

    property: str = Field(description="Its place in the configuration object.")
    variable: str = Field(description="The environment variable of the same setting.")
    value: str = Field(description="The value as text; secrets are masked.")
    origin: str = Field(description="default, configuration object, variable, file or argument")
    origin_name: str = Field(description="The variable or the argument it was read from, if it was one.")
    secret: bool = Field(description="Whether the value is never shown.")
    meaning: str = Field(description="Description of the setting.")


class ServerView(View):
    """One running process."""

    version: str
    node: str = Field(description="The machine, and the number of the process on it.")
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
