"""Log configuration: log4js objects become files, and what cannot be used is reported and has no effect."""

import logging
from typing import Any

import pytest

from rostrum.settings.log_configuration import LogCategory, LogConfiguration, LogFile, read_log4js, read_logging


def log4js(**appender: Any) -> dict[str, Any]:
    return {
        "appenders": {"app": {"type": "file", "filename": "app.log", **appender}, "console": {"type": "console"}},
        "categories": {"default": {"appenders": ["app", "console"], "level": "debug"}},
    }


@pytest.mark.parametrize("setting", [None, {}, {"files": {}, "logSanitization": True}])
def test_without_configuration_one_file_is_written(setting: Any) -> None:
    assert read_logging(setting) == (LogConfiguration(), ())
    (category,) = LogConfiguration().categories
    assert (category.level, [file.name for file in category.files]) == (logging.INFO, ["platform.log"])


def test_every_property_is_read() -> None:
    configuration = log4js(maxLogSize="2M", backups=3, layout={"type": "json"})
    setting = {
        "configuration": configuration,
        "files": {"onStartup": "archive", "moveOldTo": "old"},
        "logSanitization": False,
    }
    file = LogFile(name="app.log", max_bytes=2 * 2**20, backups=3, is_json=True)
    assert read_logging(setting) == (
        LogConfiguration(
            categories=(LogCategory(level=logging.DEBUG, files=(file,)),),
            on_startup="archive",
            archive="old",
            sanitize=False,
        ),
        (),
    )


def test_logger_json_counts_unless_the_setting_has_a_configuration() -> None:
    daily = log4js(type="dateFile", daysToKeep=7)
    (category,) = read_logging({}, daily)[0].categories
    assert category.files == (LogFile(name="app.log", max_bytes=0, backups=7),)
    (category,) = read_logging({"configuration": log4js(filename="other.log")}, daily)[0].categories
    assert [file.name for file in category.files] == ["other.log"]


@pytest.mark.parametrize(
    ("setting", "path"),
    [
        (5, "logging"),
        ({"files": 5}, "logging.files"),
        ({"files": {"onStartup": "burn"}}, "logging.files.onStartup"),
        ({"files": {"moveOldTo": 5}}, "logging.files.moveOldTo"),
        ({"streaming": {"enabled": True}}, "logging.streaming"),
        ({"configuration": []}, "logging.configuration"),
        ({"configuration": {"appenders": []}}, "logging.configuration"),
        (
            {"configuration": {"appenders": {}, "categories": {"default": 5}}},
            "logging.configuration.categories.default",
        ),
        ({"configuration": log4js(type="smtp")}, "logging.configuration.appenders.app"),
        ({"configuration": log4js(filename="")}, "logging.configuration.appenders.app.filename"),
        ({"configuration": log4js(filename="a\0b")}, "logging.configuration.appenders.app.filename"),
        ({"configuration": log4js(maxLogSize="10 elephants")}, "logging.configuration.appenders.app.maxLogSize"),
        ({"configuration": log4js(maxLogSize=10**15)}, "logging.configuration.appenders.app.maxLogSize"),
        ({"configuration": log4js(backups=10**9)}, "logging.configuration.appenders.app.backups"),
        (
            {"configuration": {"appenders": {}, "categories": {"default": {"appenders": ["x"], "level": "info"}}}},
            "logging.configuration.categories.default.appenders",
        ),
        (
            {"configuration": {"appenders": {}, "categories": {"default": {"appenders": [], "level": "loud"}}}},
            "logging.configuration.categories.default.level",
        ),
    ],
)
def test_what_cannot_be_used_is_reported_at_its_place(setting: Any, path: str) -> None:
    assert [problem.path for problem in read_logging(setting)[1]] == [path]


def test_the_number_of_files_is_limited() -> None:
    many = {f"a{n}": {"type": "file", "filename": f"{n}.log"} for n in range(1000)}
    document = {"appenders": many, "categories": {"default": {"appenders": list(many), "level": "info"}}}
    categories, problems = read_log4js(document)
    assert categories is not None
    assert (len(categories[0].files), [problem.path for problem in problems]) == (20, ["appenders"])
