"""Declarations of settings and sections."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Effect, Mode, Scope, Stream, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The requirements of a setting, or of one of its values, for the running platform."""

    since: str | None = None
    stream: Stream | None = None
    mode: Mode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(Need):
    """The rules of one setting.

    Attributes:
        required: it must be set if the section around it exists.
        words: the requirements of single values.
        refused: values of other platforms that are not accepted, with the reason.
        deprecated: values that are accepted but deprecated, with a note.
        by_mode: the default in a mode, if it differs from the declared one.
        forced: the effective value in a mode, whatever is set.
        unique: the member whose value must be unique in the array.
        secret: the value must not be shown.
        addition: an addition of Rostrum that the specification does not contain.
        effect: what it can do to users; ``None`` counts as far-reaching, so that nobody forgets to decide.

    """

    unit: Unit | None = None
    scope: Scope | None = None
    app_types: tuple[AppType, ...] = ()
    required: bool = False
    words: Mapping[str, Need] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    deprecated: Mapping[str, str] = field(default_factory=dict)
    by_mode: Mapping[Mode, Any] = field(default_factory=dict)
    forced: Mapping[Mode, Any] = field(default_factory=dict)
    unique: str | None = None
    secret: bool = False
    addition: bool = False
    effect: Effect | None = None


class SectionProblem(NamedTuple):
    """A problem that a section reports about its own values; the member is a name or a path in the document."""

    severity: Severity
    member: str
    message: str


class Section(BaseModel):
    """A frozen group of settings under one key.

    The class keywords apply to the section and, by default, to each of its settings. The effect ``PLAIN`` applies
    only to settings whose values are limited: an address or a script could be written into any other value.
    """

    model_config = ConfigDict(
        frozen=True,
        defer_build=True,
        strict=True,
        extra="ignore",
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
        validate_default=True,
    )

    facts: ClassVar[Facts] = Facts()

    def __init_subclass__(
        cls,
        *,
        since: str | None = None,
        stream: Stream | None = None,
        mode: Mode | None = None,
        scope: Scope | None = None,
        app_types: tuple[AppType, ...] = (),
        effect: Effect | None = None,
        **kwargs: Any,
    ) -> None:
        """Store the rules of the section."""
        super().__init_subclass__(**kwargs)
        cls.facts = Facts(since=since, stream=stream, mode=mode, scope=scope, app_types=app_types, effect=effect)

    def findings(self) -> Iterator[SectionProblem]:
        """Return problems between settings that are valid individually."""
        yield from ()


def setting(
    default: Any,
    text: str,
    *,
    unit: Unit | None = None,
    since: str | None = None,
    stream: Stream | None = None,
    mode: Mode | None = None,
    scope: Scope | None = None,
    app_types: tuple[AppType, ...] = (),
    required: bool = False,
    words: Mapping[str, Need] | None = None,
    refused: Mapping[str, str] | None = None,
    deprecated: Mapping[str, str] | None = None,
    by_mode: Mapping[Mode, Any] | None = None,
    forced: Mapping[Mode, Any] | None = None,
    unique: str | None = None,
    secret: bool = False,
    addition: bool = False,
    effect: Effect | None = None,
    **constraints: Any,
) -> Any:
    """Declare one setting; the default ``...`` makes it required, and a section as default means an empty one."""
    facts = Facts(
        unit=unit,
        since=since,
        stream=stream,
        mode=mode,
        scope=scope,
        app_types=app_types,
        required=required or default is ...,
        words=words or {},
        refused=refused or {},
        deprecated=deprecated or {},
        by_mode=by_mode or {},
        forced=forced or {},
        unique=unique,
        secret=secret,
        addition=addition,
        effect=effect,
    )
    extra: Any = {"facts": facts}
    if isinstance(default, type) and issubclass(default, Section):
        return Field(default_factory=default.model_construct, description=text, json_schema_extra=extra, **constraints)
    return Field(default, description=text, json_schema_extra=extra, repr=not secret, **constraints)


def facts_of(info: FieldInfo) -> Facts:
    """Read the rules from a declaration."""
    extra: Any = info.json_schema_extra
    if not isinstance(extra, dict) or not isinstance(extra.get("facts"), Facts):
        raise TypeError("a field of a section is not declared with setting()")
    facts: Facts = extra["facts"]
    return facts
