"""gw: the embedded gateway that apps connect to."""

from collections.abc import Iterator

from pydantic import ConfigDict

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Effect, Stream, Unit
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Amount, Port


class GatewayBasic(Section, effect=Effect.PLAIN):
    """User names of the gateway."""

    username_case_sensitive: bool = setting(
        default=False, text="Treat user names as case-sensitive.", since="10.1", stream=Stream.V10
    )


class GatewayAuthentication(Section):
    """How the gateway authenticates users."""

    basic: GatewayBasic = setting(GatewayBasic, "User names.")


class Memory(Section, effect=Effect.PLAIN):
    """Monitoring of the gateway's memory; the specification contains the misspelt name."""

    model_config = ConfigDict(alias_generator=None)

    dump_locaton: str | None = setting(
        None, "Folder of memory snapshots. Default: heapsnapshots in the folder of user data.", effect=Effect.FILES
    )
    dump_location: str | None = setting(
        None, "Correct spelling of dump_locaton, which takes precedence if both are set.", effect=Effect.FILES
    )
    dump_prefix: str = setting("gw", "First part of the file names of memory snapshots.", effect=Effect.FILES)
    max_backups: Amount = setting(10, "Maximum number of memory snapshots. Further snapshots replace the oldest.")
    memory_limit: Amount = setting(
        1073741824, "Memory use of the gateway above which a memory snapshot is written.", unit=Unit.BYTES
    )
    report_interval: Amount = setting(
        300000, "Interval at which the memory use of the gateway is logged.", unit=Unit.MS
    )

    @property
    def snapshots(self) -> str | None:
        """Return the folder of heap snapshots, in either spelling."""
        return self.dump_location if self.dump_locaton is None else self.dump_locaton

    def findings(self) -> Iterator[SectionProblem]:
        """Report the spelling that is used if both are set."""
        if self.dump_locaton is not None and self.dump_location is not None:
            message = "has no effect because dump_locaton is written too, and that spelling wins"
            yield SectionProblem(severity=Severity.NOTE, member="dump_location", message=message)


class Limits(Section, effect=Effect.PLAIN):
    """Limits of the gateway."""

    model_config = ConfigDict(alias_generator=None)

    large_msg_threshold: Amount = setting(
        20000, "Size above which messages are logged, with their sender and type.", unit=Unit.BYTES
    )
    max_connections: Amount | None = setting(None, "Maximum number of connected apps; unlimited if not set.")
    max_context_bytes: Amount = setting(
        33554432, "Memory that the shared contexts and activities of one user may use.", unit=Unit.BYTES, addition=True
    )
    context_expiry: Amount = setting(
        1800000,
        "Time for which shared contexts of a user are kept after the last app of the user has disconnected.",
        unit=Unit.MS,
        addition=True,
    )


class GatewayConfiguration(Section, effect=Effect.PLAIN):
    """Settings of the gateway."""

    port: Port = setting(8385, "Port to listen on; 0 selects a free port.")
    authentication: GatewayAuthentication = setting(GatewayAuthentication, "User authentication.")
    memory: Memory = setting(Memory, "Memory monitoring.")
    limits: Limits = setting(Limits, "Limits.")


class Gateway(Section):
    """The embedded gateway."""

    configuration: GatewayConfiguration = setting(GatewayConfiguration, "Settings of the gateway.")
