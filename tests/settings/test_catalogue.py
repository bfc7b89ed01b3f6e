"""The catalogue holds every setting of the specification, as the specification has it, and no other."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.settings.catalogue import catalogue, check_defaults, declarations, nearest
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.problems import BadDeclaration
from rostrum.settings.roots import ROOTS
from rostrum.settings.setting import Section, setting

_SPEC = json.loads((Path(__file__).parents[1] / "data" / "settings.json").read_text("utf-8"))["settings"]
_ENTRIES = [entry for entry in _SPEC if entry["file"] in set(SettingsFile)]


@pytest.mark.rule("R-0-1", "R-8-1")
@pytest.mark.parametrize("entry", _ENTRIES, ids=lambda entry: entry["id"])
def test_a_setting_of_the_specification_is_declared_as_it_says(entry: dict[str, Any]) -> None:
    declared = catalogue(SettingsFile(entry["file"]))[entry["path"]]
    assert {
        "type": declared.type,
        "default": declared.default,
        # Where the specification shows one word and leaves others open, any word may be allowed.
        "enum": list(declared.enum) or (entry["enum"] if entry.get("enum_open") else None),
        "minimum": declared.minimum,
        "maximum": declared.maximum,
        "unit": declared.unit,
        "since": declared.since,
        "stream": declared.stream,
        "mode": declared.mode,
        "local_only": declared.local_only,
        "runtime_reapplied": declared.reapplied,
        "applies_to_app_types": list(declared.app_types),
    } == {
        name: entry[name]
        for name in (
            "type",
            "default",
            "enum",
            "minimum",
            "maximum",
            "unit",
            "since",
            "stream",
            "mode",
            "local_only",
            "runtime_reapplied",
            "applies_to_app_types",
        )
    }


@pytest.mark.parametrize("kind", SettingsFile)
def test_nothing_but_marked_additions_is_declared_that_the_specification_does_not_have(kind: SettingsFile) -> None:
    specified = {entry["path"] for entry in _ENTRIES if entry["file"] == kind}
    # The specification lists the members of the overrides once, for both kinds of stores.
    specified |= {f"systemA{path[1:]}" for path in specified if path.startswith("appStores[].appDefinitionOverrides.")}
    declared = {path: one for path, one in catalogue(kind).items() if not one.container}
    assert declared.keys() - specified == {path for path, one in declared.items() if one.addition}


def test_the_additions_to_the_specification_are_named() -> None:
    assert [path for kind in SettingsFile for path, one in catalogue(kind).items() if one.addition] == [
        "folders.remoteConfig",
        "nodePath",
        "trustedOrigins",
        "offlineMaxAgeDays",
        "server.fetchInterval",
        "server.startRetries",
        "server.startRetryInterval",
        "server.tokenRefreshInterval",
        "server.features",
        "server.features.applicationsStore",
        "server.features.layoutsStore",
        "server.features.preferencesStore",
        "server.features.commands",
        "server.requests",
        "server.requests.timeout",
        "crashReporter.enabled",
        "crashReporter.companyName",
        "crashReporter.productName",
        "autoUpdater.publicKeys",
        "autoUpdater.allowDowngrade",
        "systemConfigurations.restFetchInterval",
        "gw.configuration.limits.max_context_bytes",
        "gw.configuration.limits.context_expiry",
        "appStoresTimeout",
        "appStoresCustomError",
        "appStoresCustomError.enabled",
        "appStoresCustomError.title",
        "appStoresCustomError.body",
        "shutdownOnEmptyAppList",
        "closeRunningInstancesOnAppRemoved",
        "commands",
        "commands.enabled",
        "commands.fetchInterval",
        "envVars",
        "envVars.set",
        "channels.definitions[].meta.fdc3",
        "themes",
        "themes.availableThemes",
        "themes.availableThemes[].name",
        "themes.availableThemes[].displayName",
        "notifications.mostPerMinute",
        "appRights",
        "appRights.hotkeys",
        "appRights.navigation",
        "appRights.downloads",
        "appRights.printing",
        "appRights.devTools",
        "appRights.dialogs",
        "appRights.preferences",
        "appRights.notifications",
        "appRights.notificationClicks",
        "windows.memoryLimit",
        "windows.security",
        "windows.security.allowRunningInsecureContent",
        "windows.security.navigateOnDragDrop",
        "windows.security.onCertificateError",
        "windows.security.onCertificateError.action",
        "windows.security.allowedExternalURISchemes",
        "windows.security.permissions",
        "windows.autoInjectAPI",
        "windows.autoInjectAPI.enabled",
        "windows.autoInjectAPI.library",
        "windows.autoInjectAPI.library.source",
        "windows.autoInjectAPI.library.fallback",
        "windows.autoInjectAPI.library.timeout",
        "windows.autoInjectAPI.version",
        "windows.autoInjectAPI.autoInit",
        "windows.autoInjectAPI.allowed",
        "windows.autoInjectAPI.blocked",
        "windows.autoInjectFdc3",
        "windows.autoInjectFdc3.enabled",
        "windows.autoInjectFdc3.library",
        "windows.autoInjectFdc3.library.source",
        "windows.autoInjectFdc3.library.fallback",
        "windows.autoInjectFdc3.library.timeout",
        "windows.autoInjectFdc3.allowed",
        "windows.autoInjectFdc3.blocked",
        "windows.closeHandlers",
        "windows.closeHandlers.enabled",
        "windows.closeHandlers.timeout",
        "windows.refreshHandlers",
        "windows.refreshHandlers.enabled",
        "windows.refreshHandlers.timeout",
        "windows.nativeWindowOpen",
    ]


@pytest.mark.parametrize("kind", SettingsFile)
def test_a_container_that_the_specification_leaves_out_holds_settings_it_has(kind: SettingsFile) -> None:
    specified = {entry["path"] for entry in _ENTRIES if entry["file"] == kind}
    for path, declared in catalogue(kind).items():
        if declared.container and path not in specified and not declared.addition:
            assert any(other.startswith(f"{path}.") for other in specified)


@pytest.mark.parametrize("kind", SettingsFile)
def test_every_setting_has_a_text_that_is_a_sentence(kind: SettingsFile) -> None:
    assert [path for path, declared in catalogue(kind).items() if not declared.text.endswith(".")] == []


def test_required_settings_are_the_ones_the_specification_requires() -> None:
    specified = {entry["path"] for entry in _ENTRIES if entry["required"]}
    declared = {path for path, one in catalogue().items() if one.required and not one.addition}
    assert declared == specified


@pytest.mark.rule("R-2.8-6")
def test_the_thirteen_local_only_keys_are_the_ones_of_the_rule() -> None:
    specified = {path: one for path, one in catalogue().items() if one.local_only and not one.addition}
    local = {path.split(".")[0] for path in specified if not path.startswith("win")}
    assert local == {
        "advancedMode",
        "allowMultipleInstances",
        "alreadyRunningAction",
        "env",
        "folders",
        "logging",
        "protocolHandler",
        "proxy",
        "region",
        "registerHtmlContainer",
        "splash",
        "switches",
    }


class _Left(Section):
    type: str = setting("a", "Kind.")
    size: int = setting(1, "Size.")


class _Right(Section):
    type: str = setting("a", "Kind.")
    size: int = setting(2, "Size.")


def test_two_declarations_of_one_path_that_differ_are_refused() -> None:
    class Root(Section):
        items: tuple[_Left | _Right, ...] = setting((), "Items.")

    with pytest.raises(BadDeclaration, match=r"items\[\]\.size is declared twice"):
        declarations(Root)


def test_a_default_outside_its_own_range_is_refused() -> None:
    class Root(Section):
        size: int = setting(1, "Size.", ge=5)

    class Outer(Section):
        items: tuple[Root, ...] = setting((), "Items.")

    for section in (Root, Outer):
        with pytest.raises(BadDeclaration, match="bad default of size"):
            check_defaults(section)


@pytest.mark.parametrize("kind", SettingsFile)
def test_every_default_is_a_valid_value(kind: SettingsFile) -> None:
    check_defaults(ROOTS[kind])


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("splash.timout", "splash.timeout"),
        ("SPLASH.TIMEOUT", "splash.timeout"),
        ("closeOnHibernate", "applications.closeOnHibernate"),
        ("zzzzzzzzzzzz", None),
    ],
)
def test_the_nearest_setting_is_found(wrong: str, right: str | None) -> None:
    assert nearest(wrong) == right
