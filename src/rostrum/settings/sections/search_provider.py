"""searchProvider: the built-in search."""

from typing import Annotated, Literal

from pydantic import Strict

from rostrum.settings.setting import Section, setting

Types = Annotated[tuple[Literal["application", "layout", "workspace", "action"], ...], Strict(strict=False)]


class SearchProvider(Section):
    """The built-in search."""

    enabled: bool = setting(default=True, text="Answer searches.")
    types: Types = setting(("application", "layout", "workspace", "action"), "Kinds of results.")
