"""What the engine of pages is started with."""

from typing import Any

import pytest

from rostrum.desktop.windows.engine import Engine, engine_of, is_forbidden_switch
from rostrum.settings.parse import parse_early


def engine(**document: Any) -> Engine:
    return engine_of(parse_early(document).settings)


def test_switches_proxy_and_container_are_handed_over() -> None:
    assert engine() == Engine()
    given = engine(
        switches=[{"key": "lang", "value": "bg"}, {"key": "mute-audio"}, {"value": "x"}, 5],
        proxy={"mode": "fixed_servers", "proxyRules": "proxy.example:8080"},
        registerHtmlContainer=True,
    )
    assert given == Engine(
        switches=(("lang", "bg"), ("mute-audio", None), ("proxy-server", "proxy.example:8080")),
        proxy="http://proxy.example:8080",
        html_container=True,
    )
    assert engine(switches={"key": "x"}, proxy="none") == Engine()


def test_the_graphics_card_is_a_choice_of_the_advanced_mode() -> None:
    off = {"windowManagement": {"hardwareAcceleration": {"enabled": False}}}
    assert (engine(**off).accelerated, engine(advancedMode=True, **off).accelerated) == (True, False)
    assert engine(advancedMode=True).accelerated is False


@pytest.mark.parametrize(
    "name",
    ["no-sandbox", "--no-sandbox", "No-Sandbox", " no-sandbox ", "no-sandbox=1", "--remote-debugging-port=9",
     "disable-web-security", "disable-seccomp-filter-sandbox", "ignore-certificate-errors", "renderer-cmd-prefix",
     "blink-settings=webSecurityEnabled=false"],
)  # fmt: skip
def test_switches_that_take_away_the_protection_of_pages_are_refused_however_they_are_written(name: str) -> None:
    assert is_forbidden_switch(name)
    assert not is_forbidden_switch("lang")
