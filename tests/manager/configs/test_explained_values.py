from datetime import UTC, datetime
from typing import Any

from rostrum.base import json_text
from rostrum.contracts.system_config import Scope
from rostrum.manager.configs.explained_values import ExplainedFile, ExplainedValue, explain_file
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.document import Stamp
from rostrum.settings.catalogue import catalogue

NOW = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = Stamp(revision=1, created=NOW, created_by="ann", modified=NOW, modified_by="ann")


def stored(contents: Any, scope: Scope = Scope.BASE, file: str = "system.json") -> ConfigFile:
    text = json_text.dump(contents).decode()
    return ConfigFile(id=scope.value, file=file, scope=scope, target="", contents=text, stamp=STAMP)


def explained(*contents: Any, **options: Any) -> ExplainedFile:
    scopes = [Scope.BASE, Scope.VERSION, Scope.GROUP, Scope.USER]
    configs = [stored(each, scope) for each, scope in zip(contents, scopes, strict=False)]
    return explain_file("system.json", configs, **options)


def value(path: str, *contents: Any) -> ExplainedValue:
    (found,) = explained(*contents, path=path, defaults=True).values
    return found


def test_a_value_is_shown_with_its_winner_its_losers_and_its_setting() -> None:
    found = value("notifications.toastExpiry", {"notifications": {"toastExpiry": 1}}, {"notifications": {}}, {
        "notifications": {"toastExpiry": 2}
    })  # fmt: skip

    assert (found.value, found.effective, found.status) == (2, 2, "set")
    assert found.winner is not None
    assert found.winner.scope is Scope.GROUP
    assert [(loser.origin.scope, loser.value) for loser in found.losers] == [(Scope.BASE, 1)]
    assert found.setting == catalogue()["notifications.toastExpiry"]


def test_unset_options_have_their_defaults() -> None:
    found = value("notifications.toastExpiry", {})

    assert (found.value, found.effective, found.status, found.winner) == (None, 15000, "default", None)


def test_null_and_an_empty_text_mean_the_default() -> None:
    found = value("notifications.toastExpiry", {"notifications": {"toastExpiry": None}})
    assert (found.value, found.effective, found.status) == (None, 15000, "default")
    assert found.winner is not None

    found = value("gw.configuration.memory.dump_prefix", {"gw": {"configuration": {"memory": {"dump_prefix": ""}}}})
    assert found.status == ("set" if found.setting and found.setting.default is None else "default")


def test_clients_ignore_what_is_wrong_unknown_local_only_or_of_another_version() -> None:
    wrong = value("notifications.toastExpiry", {"notifications": {"toastExpiry": "soon"}})
    assert (wrong.status, wrong.effective) == ("ignored", 15000)
    assert [problem.severity.value for problem in wrong.problems] == ["error"]

    local = value("splash.timeout", {"splash": {"timeout": 9000}})
    assert (local.status, local.effective) == ("ignored", None)
    assert "local file" in local.problems[0].message

    unknown = value("notifcations.toastExpiry", {"notifcations": {"toastExpiry": 1}})
    assert (unknown.status, unknown.setting) == ("ignored", None)
    assert unknown.problems[0].suggestion == "notifications"

    (late,) = explained({"windowManagement": {"editWindowTitle": False}}, version="9.10").values
    assert late.status == "ignored"


def test_a_path_narrows_it_to_what_is_there_or_inside() -> None:
    document = {"notifications": {"toastExpiry": 1}, "tray": {"exit": True}, "channels": {"definitions": []}}

    inside = explained(document, path="notifications", defaults=True).values
    assert {each.path for each in inside} == {
        path for path, setting in catalogue().items() if path.startswith("notifications.") and not setting.container
    }
    assert [each.path for each in explained(document, path="channels.definitions[0].name").values] == [
        "channels.definitions"
    ]
    assert explained(document, path="tray.exi").values == ()


def test_with_defaults_every_setting_appears_once() -> None:
    paths = [each.path for each in explained({"tray": {"exit": True}}, defaults=True).values]

    assert len(paths) == len(set(paths))
    assert set(paths) == {path for path, setting in catalogue().items() if not setting.container and "[]" not in path}


def test_names_that_people_choose_belong_to_the_setting_around_them() -> None:
    (found,) = explain_file("env.json", [stored({"set": {"DESK": "one"}}, file="env.json")]).values

    assert (found.path, found.status) == ("set.DESK", "set")
    assert found.setting is not None
    assert found.setting.path == "set"


def test_files_the_catalogue_does_not_know_are_explained_without_it() -> None:
    (found,) = explain_file("own.json", [stored([1], file="own.json")], defaults=True).values

    assert (found.path, found.value, found.status, found.setting, found.problems) == ("", [1], "set", None, ())


def test_what_is_gone_without_a_successor_is_reported() -> None:
    found = explained({"tray": {"exit": True}}, {"tray": 5}, {"tray": {"info": False}})

    assert [(each.path, each.by.scope) for each in found.dropped] == [(("tray", "exit"), Scope.VERSION)]
