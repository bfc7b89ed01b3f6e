"""Every setting declares what it can do to users."""

from collections.abc import Iterator

from rostrum.settings.effects import far_reaching
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.roots import ROOTS
from rostrum.settings.scope import Effect, Scope
from rostrum.settings.setting import Section, setting
from rostrum.settings.shape import members


def undecided(section: type[Section], prefix: str = "") -> Iterator[str]:
    """Yield the settings without an effect, except those that desktops ignore in remote files."""
    for name, member in members(section).items():
        if member.facts.effect is None and member.facts.scope is not Scope.LOCAL_ONLY:
            if not member.sections:
                yield f"{prefix}{name}"
            for inner in member.sections:
                yield from undecided(inner, f"{prefix}{name}.")


def test_each_setting_is_decided() -> None:
    assert list(undecided(ROOTS[SettingsFile.SYSTEM])) == [], "declare the effect of these settings"


class Inner(Section, effect=Effect.PLAIN):
    """Settings that only change what users see, and one that says nothing about it."""

    shown: bool = setting(default=True, text="Shown.")
    page: str | None = setting(None, "Text.")
    title: str | None = setting(None, "Text.", effect=Effect.PLAIN)


class Outer(Section):
    """A section with and without its own effect."""

    inner: Inner = setting(Inner, "Inside.")
    strict: Inner = setting(Inner, "Inside.", effect=Effect.CODE)


def test_a_forgotten_setting_is_found_although_its_section_is_plain() -> None:
    assert list(undecided(Outer)) == ["inner.page"]


def test_settings_that_are_unknown_or_only_local_count_as_far_reaching() -> None:
    document: dict[str, object] = {
        "new": 1,
        "windows": {"new": {}, "memoryLimit": 1},
        "proxy": {},
        "tray": {"about": False},
    }
    assert list(far_reaching(SettingsFile.SYSTEM, document)) == ["new", "windows.new", "proxy"]


def test_values_of_wrong_types_have_no_effect() -> None:
    documents: tuple[object, ...] = (None, [], "x", {"windows": 1}, {"layouts": {"splash": [[{"url": "x"}]]}})
    for document in documents:
        assert list(far_reaching(SettingsFile.SYSTEM, document)) == []
    assert list(far_reaching(SettingsFile.SYSTEM, {"layouts": {"splash": [{"url": "x"}]}})) == ["layouts.splash.url"]
