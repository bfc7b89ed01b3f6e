"""Reading documents: oddities, modes, streams, versions, variants, and every problem at once."""

from typing import Any

import pytest

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document, parse_early, parse_system
from rostrum.settings.problems import BadVersion, SettingProblem, Severity
from rostrum.settings.sections.auto_updater import ServiceSource, StaticStorageSource
from rostrum.settings.sections.stores import InMemoryStore, PathStore, RestStore, ServerStore
from rostrum.settings.sections.system_configurations import PathSource, RestSource
from rostrum.settings.sections.windows import PreloadScripts
from tests.settings.reading import said, tree


def _only(document: Any, **how: Any) -> SettingProblem:
    (problem,) = parse_system(document, **how).problems
    return problem


def test_an_empty_document_is_all_defaults_and_no_problem() -> None:
    parsed = parse_system({})
    assert parsed.problems == ()
    assert parsed.settings.splash.timeout == 5000
    assert parsed.settings.gw.configuration.port == 8385


@pytest.mark.parametrize("document", [None, 5, "text", [], True])
def test_a_document_that_is_no_object_is_one_error(document: Any) -> None:
    problem = _only(document)
    assert (problem.severity, problem.path) == (Severity.ERROR, "")


def test_five_faults_are_five_problems() -> None:
    document = {
        "splash": {"timeout": "long", "width": -1},
        "tray": {"exit": 1},
        "layouts": {"store": {"type": "cloud"}},
        "env": 5,
    }
    assert sorted(path for _, path in said(document)) == [
        "env",
        "layouts.store.type",
        "splash.timeout",
        "splash.width",
        "tray.exit",
    ]


def test_a_misspelt_key_is_a_warning_with_the_right_name() -> None:
    problem = _only({"splash": {"timout": 1}})
    assert (problem.severity, problem.path, problem.suggestion) == (
        Severity.WARNING,
        "splash.timout",
        "splash.timeout",
    )


def test_a_key_in_the_wrong_place_is_shown_where_it_belongs() -> None:
    assert _only({"closeOnHibernate": True}).suggestion == "applications.closeOnHibernate"


def test_unknown_keys_are_errors_when_asked_to_be_strict() -> None:
    assert said({"splash": {"timout": 1}}, strict=True) == [("error", "splash.timout")]


def test_the_key_that_names_the_schema_is_no_problem() -> None:
    assert said({"$schema": "./schemas/system.json"}, strict=True) == []


@pytest.mark.parametrize("empty", [None, ""])
def test_null_and_empty_text_stand_for_the_default(empty: Any) -> None:
    parsed = parse_system({"splash": {"width": empty}, "gw": {"configuration": {"memory": {"dump_prefix": empty}}}})
    assert parsed.problems == ()
    assert parsed.settings.splash.width == 350
    assert parsed.settings.gw.configuration.memory.dump_prefix == "gw"


def test_an_empty_text_is_kept_where_there_is_no_default() -> None:
    parsed = parse_system({"server": {"url": ""}})
    assert parsed.problems == ()
    assert parsed.settings.server.url == ""


@pytest.mark.rule("R-2.10-3")
@pytest.mark.parametrize("spelling", ["dump_locaton", "dump_location"])
def test_the_snapshot_folder_may_be_spelt_both_ways(spelling: str) -> None:
    parsed = parse_system({"gw": {"configuration": {"memory": {spelling: "dumps"}}}})
    assert parsed.problems == ()
    assert parsed.settings.gw.configuration.memory.snapshots == "dumps"


@pytest.mark.rule("R-2.10-3")
def test_of_both_spellings_the_listed_one_wins_with_a_note() -> None:
    memory = {"dump_location": "example", "dump_locaton": "table"}
    parsed = parse_system({"gw": {"configuration": {"memory": memory}}})
    assert parsed.settings.gw.configuration.memory.snapshots == "table"
    (note,) = parsed.problems
    assert (note.severity, note.path) == (Severity.NOTE, "gw.configuration.memory.dump_location")


def test_transparency_control_takes_words_and_no_boolean() -> None:
    path = "windowManagement.transparencyControl.mode"
    assert said({"advancedMode": True, **tree(path, "KeyColor")}) == []
    assert said({"advancedMode": True, **tree(path, True)}) == [("error", path)]


@pytest.mark.rule("X-D-8")
@pytest.mark.rule("R-2.16-5")
def test_delayed_loading_is_refused_with_its_reason() -> None:
    parsed = parse_system(tree("windowManagement.group.tabs.loadingStrategy", "delayed"))
    (problem,) = parsed.errors
    assert "not supported" in problem.message
    assert parsed.settings.window_management.group.tabs.loading_strategy == "direct"


@pytest.mark.rule("R-2.16-12")
@pytest.mark.parametrize(("written", "enabled"), [(None, True), (True, True)])
def test_hardware_acceleration_is_on_in_the_default_mode(written: Any, enabled: bool) -> None:
    parsed = parse_system(tree("windowManagement.hardwareAcceleration.enabled", written))
    assert parsed.problems == ()
    assert parsed.settings.window_management.hardware_acceleration.enabled is enabled


@pytest.mark.rule("R-2.16-12")
def test_hardware_acceleration_cannot_be_turned_off_in_the_default_mode() -> None:
    parsed = parse_system(tree("windowManagement.hardwareAcceleration.enabled", False))
    (problem,) = parsed.problems
    assert (problem.severity, problem.value) == (Severity.WARNING, False)
    assert parsed.settings.window_management.hardware_acceleration.enabled is True


@pytest.mark.rule("R-2.16-12")
@pytest.mark.parametrize(("written", "enabled"), [(None, False), (True, True), (False, False)])
def test_hardware_acceleration_is_a_choice_in_the_advanced_mode(written: Any, enabled: bool) -> None:
    document = {"advancedMode": True, **tree("windowManagement.hardwareAcceleration.enabled", written)}
    parsed = parse_system(document)
    assert parsed.problems == ()
    assert parsed.settings.window_management.hardware_acceleration.enabled is enabled


@pytest.mark.rule("R-2.6-4", "R-2.16-1")
@pytest.mark.parametrize(
    "document", [{}, {"windowManagement": None}, {"windowManagement": 5}, {"windowManagement": {"group": []}}]
)
@pytest.mark.parametrize(("advanced", "kind"), [(False, "Web"), (True, "Classic")])
def test_the_kind_of_groups_follows_the_mode(document: dict[str, Any], advanced: bool, kind: str) -> None:
    settings = parse_system({"advancedMode": advanced, **document}).settings
    assert settings.window_management.group.type == kind
    assert settings.window_management.hardware_acceleration.enabled is not advanced


@pytest.mark.rule("R-2.6-6", "R-2.16-1", "X-D-9")
def test_classic_groups_have_no_effect_in_the_default_mode() -> None:
    parsed = parse_system(tree("windowManagement.group.type", "Classic"))
    (problem,) = parsed.problems
    assert problem.severity is Severity.WARNING
    assert "advanced mode only" in problem.message
    assert parsed.settings.window_management.group.type == "Web"


@pytest.mark.rule("R-2.6-13")
@pytest.mark.rule("R-2.16-14")
def test_settings_of_the_advanced_mode_have_no_effect_in_the_default_one() -> None:
    parsed = parse_system(tree("windowManagement.flydownWindows.hideDelay", 900))
    (problem,) = parsed.problems
    assert (problem.severity, problem.path) == (Severity.WARNING, "windowManagement.flydownWindows")
    assert parsed.settings.window_management.flydown_windows.hide_delay == 400


def test_a_wrong_mode_is_an_error_and_the_default_mode_is_effective() -> None:
    parsed = parse_system({"advancedMode": "yes"})
    assert [error.path for error in parsed.errors] == ["advancedMode"]
    assert parsed.settings.window_management.group.type == "Web"


@pytest.mark.rule("R-9-2")
@pytest.mark.rule("R-2.16-13")
def test_settings_of_the_other_stream_have_no_effect() -> None:
    path = "windowManagement.hardwareAcceleration.transparency.mode"
    parsed = parse_system(tree(path, "UseAppRegion"))
    (problem,) = parsed.problems
    assert "9.0 stream" in problem.message
    assert parsed.settings.window_management.hardware_acceleration.transparency.mode == "UseRegions"
    assert said(tree(path, "UseAppRegion"), version="9.15") == []
    assert said({"autoUpdater": {"enabled": True}}, version="9.15") == [("warning", "autoUpdater")]


def test_the_stream_may_be_named_apart_from_the_version() -> None:
    assert said({"flash": True}, stream="9.0") == []


@pytest.mark.rule("R-9-2")
@pytest.mark.parametrize(
    ("version", "path", "value", "counts"),
    [
        ("9.4", "splash.alwaysOnTop", True, False),
        ("9.5", "splash.alwaysOnTop", True, True),
        ("9.10", "splash.alwaysOnTop", True, True),
        ("10.0", "gw.configuration.authentication.basic.usernameCaseSensitive", True, False),
        ("10.1", "gw.configuration.authentication.basic.usernameCaseSensitive", True, True),
        ("9.9.3", "layouts.components.maxSize", 5, False),
        ("9.9.4", "layouts.components.maxSize", 5, True),
        ("9.6", "windows.channelSelector.type", "multi", False),
        ("9.7", "windows.channelSelector.type", "multi", True),
        ("9.7", "windows.channelSelector.type", "directionalMulti", False),
        ("9.8", "windows.channelSelector.type", "directionalMulti", True),
    ],
)
def test_what_is_newer_than_the_running_version_has_no_effect(
    version: str, path: str, value: Any, counts: bool
) -> None:
    assert (said(tree(path, value), version=version) == []) is counts


@pytest.mark.rule("R-2.12-6")
@pytest.mark.parametrize(
    ("version", "counts"), [("9.10", False), ("9.10.1", True), ("10.0", False), ("10.0.3", True), ("10.1", True)]
)
def test_a_setting_that_came_to_both_streams_counts_since_its_version_in_each(version: str, counts: bool) -> None:
    store = {"type": "path", "details": {"path": "apps", "trusted": True}}
    parsed = parse_system({"appStores": [store]}, version=version)
    assert (parsed.problems == ()) is counts
    (read,) = parsed.settings.app_stores or ()
    assert isinstance(read, PathStore)
    assert read.details.trusted is counts


@pytest.mark.parametrize("version", ["", "ten", "10.", "-1", "10.1-beta", "١٠"])
def test_a_text_that_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(BadVersion):
        parse_system({}, version=version)


@pytest.mark.rule("R-2.12-4")
def test_each_kind_of_app_store_is_read_as_its_own_type() -> None:
    stores = [
        {"type": "path", "details": {"path": "apps"}},
        {"type": "rest", "details": {"url": "https://apps.example"}},
        {"type": "server", "isRequired": False},
        {"type": "in-memory"},
    ]
    parsed = parse_system({"appStores": stores})
    assert parsed.problems == ()
    read = parsed.settings.app_stores or ()
    assert [type(store) for store in read] == [PathStore, RestStore, ServerStore, InMemoryStore]
    assert isinstance(read[3], InMemoryStore)
    assert read[3].details.allowed_apps == ("*",)


@pytest.mark.rule("R-2.4-2")
def test_no_app_stores_and_an_empty_array_are_distinguished() -> None:
    assert parse_system({}).settings.app_stores is None
    assert parse_system({"appStores": []}).settings.app_stores == ()


@pytest.mark.rule("R-2.12-4")
@pytest.mark.parametrize("kind", ["path", "rest"])
def test_details_are_required_where_the_kind_needs_them(kind: str) -> None:
    assert said({"appStores": [{"type": kind}]}) == [("error", "appStores[0].details")]


def test_a_bad_store_does_not_take_the_others_with_it() -> None:
    document = {"appStores": [{"type": "path", "details": {"path": 5}}, {"type": "server"}, {"type": "sever"}, 7, {}]}
    parsed = parse_system(document)
    assert [error.path for error in parsed.errors] == [
        "appStores[0].details.path",
        "appStores[2].type",
        "appStores[3]",
        "appStores[4].type",
    ]
    assert parsed.errors[1].suggestion == "server"
    assert [type(store) for store in parsed.settings.app_stores or ()] == [ServerStore]


@pytest.mark.rule("R-2.12-13")
@pytest.mark.parametrize("kind", ["server", "in-memory"])
def test_system_app_stores_are_folders_or_services_only(kind: str) -> None:
    assert said({"systemAppStores": [{"type": kind}]}) == [("error", "systemAppStores[0].type")]


@pytest.mark.rule("R-2.12-12")
def test_an_in_memory_store_has_no_effect_before_it_existed() -> None:
    parsed = parse_system({"appStores": [{"type": "in-memory"}]}, version="9.15")
    assert [problem.severity for problem in parsed.problems] == [Severity.WARNING]
    assert parsed.settings.app_stores == ()


@pytest.mark.rule("R-2.12-4")
def test_details_of_the_manager_store_have_no_effect() -> None:
    assert said({"appStores": [{"type": "server", "details": {}}]}) == [("warning", "appStores[0].details")]


@pytest.mark.rule("R-2.12-3")
def test_overrides_take_any_property_of_an_app_definition() -> None:
    overrides = {"caption": "Mine", "window": {"width": 5}}
    document = {"appStores": [{"type": "server", "appDefinitionOverrides": overrides}]}
    parsed = parse_system(document)
    assert parsed.problems == ()
    (store,) = parsed.settings.app_stores or ()
    assert store.app_definition_overrides is not None
    assert store.app_definition_overrides.model_dump(by_alias=True, exclude_none=True) == overrides


@pytest.mark.rule("R-2.7-4")
def test_update_sources_are_distinguished_by_type() -> None:
    service = {"type": "Service", "baseUrl": "https://u.example", "channel": "stable"}
    storage = {"type": "StaticStorage", "baseUrl": "https://u.example"}
    for source, kind in ((service, ServiceSource), (storage, StaticStorageSource)):
        parsed = parse_system({"autoUpdater": {"updateSource": source}})
        assert parsed.problems == ()
        assert isinstance(parsed.settings.auto_updater.update_source, kind)
    channelled = {"autoUpdater": {"updateSource": {**storage, "channel": "stable"}}}
    assert said(channelled) == [("warning", "autoUpdater.updateSource.channel")]


@pytest.mark.rule("R-2.7-4")
def test_an_update_source_is_required_even_when_updates_are_off() -> None:
    assert said({"autoUpdater": {"enabled": False}}) == [("error", "autoUpdater.updateSource")]


@pytest.mark.rule("R-2.8-9")
def test_the_built_in_configuration_source_is_the_default() -> None:
    (source,) = parse_system({}).settings.system_configurations.sources
    assert source == PathSource(type="path", source="./config", configs="*", priority=1, required=True)


@pytest.mark.rule("R-2.8-15")
def test_a_written_configuration_source_has_the_defaults_of_an_entry() -> None:
    sources = [{"type": "path", "source": "a"}, {"type": "rest", "source": "https://m.example/systemConfig/get"}]
    parsed = parse_system({"systemConfigurations": {"sources": sources}})
    local, remote = parsed.settings.system_configurations.sources
    assert (local.configs, local.priority, local.required) == ("*", 1000, False)
    assert isinstance(remote, RestSource)
    assert (remote.rest_backoff_factor, remote.rest_retries, remote.rest_timeout, remote.rest_use_cache) == (
        1000,
        3,
        30,
        True,
    )


@pytest.mark.rule("R-2.8-21")
def test_rest_settings_have_no_effect_on_a_local_source() -> None:
    sources = [{"type": "path", "source": "a", "restRetries": 5}]
    path = "systemConfigurations.sources[0].restRetries"
    assert said({"systemConfigurations": {"sources": sources}}) == [("warning", path)]


@pytest.mark.rule("R-2.17-4")
def test_preload_scripts_are_a_list_or_an_object() -> None:
    parsed = parse_system({"windows": {"preloadScripts": ["a.js"]}})
    assert parsed.settings.windows.preload_scripts == ("a.js",)
    parsed = parse_system({"windows": {"preloadScripts": {"scripts": ["a.js"], "useBase64PreloadScripts": True}}})
    assert parsed.problems == ()
    assert isinstance(parsed.settings.windows.preload_scripts, PreloadScripts)
    assert said({"windows": {"preloadScripts": ["a.js", 5]}}) == [("error", "windows.preloadScripts[1]")]


def _channels(*channels: Any) -> Any:
    return {"channels": {"definitions": list(channels)}}


@pytest.mark.rule("R-2.15-4")
@pytest.mark.parametrize("colour", ["red", "LightSeaGreen", "#abc", "#A1B2C3", "#a1b2c3ff"])
def test_a_channel_has_a_name_and_a_colour(colour: str) -> None:
    assert said(_channels({"name": "Red", "meta": {"color": colour}})) == []


@pytest.mark.rule("R-2.15-4")
@pytest.mark.parametrize("colour", ["reddish", "#12", "#12345", "123456", "rgb(1,2,3)"])
def test_a_colour_that_html_does_not_know_is_refused(colour: str) -> None:
    path = "channels.definitions[0].meta.color"
    assert said(_channels({"name": "Red", "meta": {"color": colour}})) == [("error", path)]


def test_the_name_of_a_channel_is_a_text_and_no_object() -> None:
    assert said(_channels({"name": {}, "meta": {"color": "red"}})) == [("error", "channels.definitions[0].name")]


@pytest.mark.rule("R-2.15-4")
def test_no_two_channels_share_a_name() -> None:
    meta = {"color": "red"}
    parsed = parse_system(_channels({"name": 5, "meta": meta}, *({"name": "A", "meta": meta} for _ in range(2))))
    assert [error.path for error in parsed.errors] == ["channels.definitions[0].name", "channels.definitions[2].name"]
    assert len(parsed.settings.channels.definitions or ()) == 1
    wrong = parse_system(_channels({"name": "A"}, {"name": "A", "meta": meta}, {"name": "A", "meta": {}}))
    assert [error.path for error in wrong.errors] == [
        "channels.definitions[0].meta",
        "channels.definitions[1].name",
        "channels.definitions[2].meta.color",
        "channels.definitions[2].name",
    ]
    assert len(wrong.settings.channels.definitions or ()) == 1


@pytest.mark.rule("R-2.15-4")
def test_what_a_channel_needs_is_reported_when_missing() -> None:
    assert said(_channels({})) == [
        ("error", "channels.definitions[0].name"),
        ("error", "channels.definitions[0].meta"),
    ]


@pytest.mark.rule("R-2.14-2")
def test_preferences_from_a_service_need_its_address() -> None:
    path = "applicationPreferences.store.restURL"
    assert said(tree("applicationPreferences.store.type", "rest")) == [("error", path)]


@pytest.mark.rule("R-2.13-5")
def test_rest_settings_of_a_store_of_another_type_get_a_note() -> None:
    assert said(tree("layouts.store.restFetchInterval", 5)) == [("note", "layouts.store.restFetchInterval")]
    assert said({"layouts": {"store": {"type": "rest", "restFetchInterval": 5}}}) == []


@pytest.mark.rule("R-2.4-4")
def test_the_login_address_must_end_with_the_marker_of_the_desktop() -> None:
    for marked in ("https://admin.example/?gd", "https://admin.example/ui/gd", "https://admin.example/#gd"):
        assert said(tree("ssoAuth.options.url", marked)) == []
    for unmarked in ("https://admin.example/", "https://admin.example/?gd=no", "https://admin.example/blagd"):
        assert said(tree("ssoAuth.options.url", unmarked)) == [("error", "ssoAuth.options.url")]


@pytest.mark.rule("R-2.4-5")
def test_the_login_window_may_have_any_mode() -> None:
    for mode in ("flat", "frameless", "of another platform"):
        parsed = parse_system(tree("ssoAuth.options.window.mode", mode))
        assert (parsed.problems, parsed.settings.sso_auth.options.window.mode) == ((), mode)


@pytest.mark.rule("R-2.16-14")
def test_a_flydown_check_slower_than_the_hiding_is_a_warning() -> None:
    document = {"advancedMode": True, **tree("windowManagement.flydownWindows.hideDelay", 50)}
    assert said(document) == [("warning", "windowManagement.flydownWindows.hideCheckInterval")]


@pytest.mark.rule("R-2.15-9")
def test_a_bare_star_allows_all_notification_sources() -> None:
    parsed = parse_system(tree("notifications.sourceFilter.allowed", "*"))
    assert parsed.problems == ()
    assert parsed.settings.notifications.source_filter.allowed == ("*",)


@pytest.mark.rule("R-2.10-1")
@pytest.mark.parametrize("port", [-1, 65536, 80.5, True, "8385-8390"])
def test_a_port_that_cannot_be_is_refused(port: Any) -> None:
    assert said(tree("gw.configuration.port", port)) == [("error", "gw.configuration.port")]


@pytest.mark.rule("R-2.9-1")
def test_the_gilding_file_counts_in_its_own_stream_only() -> None:
    document = {"remoteConfig": {"enabled": True}, "envVars": {"set": {"A": "1", "B": 2}}}
    assert parse_document(SettingsFile.GILDING, document, version="9.15").problems == ()
    later = parse_document(SettingsFile.GILDING, document, version="10.1").problems
    assert [problem.path for problem in later] == ["remoteConfig", "envVars"]


@pytest.mark.rule("R-2.9-17")
def test_the_env_file_keeps_the_empty_text_that_removes_a_variable() -> None:
    parsed = parse_document(SettingsFile.ENV, {"set": {"A": ""}}, version="9.9")
    assert parsed.settings.model_dump(by_alias=True) == {"set": {"A": ""}}
    (early,) = parse_document(SettingsFile.ENV, {"set": {"A": ""}}, version="9.8").problems
    assert "since 9.9" in early.message


def test_a_variable_that_is_no_simple_value_is_named() -> None:
    (error,) = parse_document(SettingsFile.ENV, {"set": {"A": [], "B": "b"}}, version="9.9").errors
    assert error.path == "set.A"


def test_a_wrong_password_is_not_shown() -> None:
    document = {"manager": {"auth": {"basic": {"password": 123456}}}}
    (error,) = parse_document(SettingsFile.BROWSER, document).errors
    assert "123456" not in repr(error)


@pytest.mark.rule("R-2.3-3")
def test_the_admin_ui_uses_session_cookies_unless_disabled() -> None:
    assert parse_document(SettingsFile.ADMIN_UI, {}).settings.model_dump(by_alias=True)["auth_basic"] == {
        "useSessionCookie": True
    }
    (error,) = parse_document(SettingsFile.ADMIN_UI, {"auth": "oauth"}).errors
    assert "basic" in error.message


def test_early_settings_leave_the_others_to_the_full_reading() -> None:
    document = {
        "env": "DEV",
        "build": "mine",
        "tray": {"exit": "wrong"},
        "splash": {"width": "wrong"},
        "windowManagement": {"snapping": {"edgeDistance": 99}, "hardwareAcceleration": {"enabled": True}},
        "advancedMode": True,
    }
    parsed = parse_early(document)
    assert [problem.path for problem in parsed.problems] == ["splash.width"]
    assert (parsed.settings.env, parsed.settings.build) == ("DEV", "mine")
    assert parsed.settings.window_management.hardware_acceleration.enabled is True
    assert not hasattr(parsed.settings, "tray")
