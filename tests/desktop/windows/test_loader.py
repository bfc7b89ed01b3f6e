"""The layout loader under every setting."""

from typing import Any

import pytest

from rostrum.desktop.windows.loader import Loader, layout_loader
from tests.desktop.test_services_without_windows import settings


def made(**members: Any) -> tuple[Loader | None, str]:
    return layout_loader(settings(layouts={"splash": members}).layouts.splash, {"ASSETS": "C:/assets"})


@pytest.mark.rule("R-2.13-3")
def test_the_loader_is_disabled_sized_titled_and_has_a_page_of_its_own_with_variables() -> None:
    assert made(disabled=True, title="x") == (None, "")
    assert made() == (Loader(width=None, height=None, title=None, url=None), "")
    own = made(width=300, height=100, title="One moment", url="file:///%ASSETS%/own.html")
    assert own == (Loader(width=300, height=100, title="One moment", url="file:///C:/assets/own.html"), "")


def test_a_page_whose_variable_is_not_there_gives_way_to_the_usual_one_and_that_is_reported() -> None:
    loader, problem = made(title="One moment", url="file:///%NOPE%/own.html")
    assert loader is not None
    assert (loader.title, loader.url) == ("One moment", None)
    assert problem == "layouts.splash.url: there is no environment variable NOPE"
