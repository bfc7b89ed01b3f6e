"""themes: the colour themes that people can choose from."""

from pydantic import ConfigDict

from rostrum.settings.setting import Section, setting


class Theme(Section):
    """One theme; other members are for the windowing system."""

    model_config = ConfigDict(extra="allow")

    name: str = setting(..., "Name of the theme; no two themes share one.", addition=True)
    display_name: str | None = setting(None, "Name shown to people.", addition=True)


class Themes(Section):
    """The themes of the platform."""

    available_themes: tuple[Theme, ...] | None = setting(
        None, "The themes to choose from, besides those of themes.json.", unique="name", addition=True
    )
