"""folders: where the platform keeps its files."""

from rostrum.settings.scope import Scope
from rostrum.settings.setting import Section, setting


class Folders(Section, scope=Scope.LOCAL_ONLY):
    """Places of files; user data and cache default to a sub-folder per environment and region."""

    user_data: str | None = setting(None, "Folder of user data; by default below UserData.")
    cache: str | None = setting(None, "Folder of the browser cache; by default below Cache.")
    remote_config: str | None = setting(
        None, "Folder for the files of remote sources; by default configOverrides in the user data.", addition=True
    )
