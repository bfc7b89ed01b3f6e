"""applications: what holds for all apps."""

from rostrum.settings.setting import Section, setting


class Applications(Section):
    """What holds for all apps."""

    title_format: str | None = setting(
        None, "Pattern of window titles, with {title} and {instanceIndex}, which counts from 1."
    )
    close_on_hibernate: bool = setting(default=True, text="Close apps when their layout hibernates.")
