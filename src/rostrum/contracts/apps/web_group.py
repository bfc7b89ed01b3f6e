"""``details`` of type webGroup: the page that draws window groups."""

from pydantic import Field

from rostrum.contracts.addresses import GroupPageAddress
from rostrum.contracts.apps.page import Page
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Number


class Pool(Open):
    """Frames kept ready."""

    min: Number = member("Fewest.", default=3)
    max: Number = member("Most.", default=10)


class WebGroupDetails(Page):
    """The page that draws window groups."""

    url: GroupPageAddress = Field(description="Address of the page.")
    use_os_system_buttons: bool = member(
        "Buttons of the OS; default mode only.", default=False, alias="useOSSystemButtons"
    )
    pool: Maybe[Pool] = member("Frames kept ready.")
    timeout: Number = member("Time to become ready after navigation, seconds.", default=30)
    navigation_response_timeout_seconds: Number = member("Wait for the page to answer, seconds.", default=300)
    retry_count: Number = member("How often loading is tried again.", default=5)
    retry_interval: Number = member("Unit of the growing pauses, ms.", default=1000)
    retry_failed_message: Maybe[str] = member("Text shown when all tries fail.")
    capture_errors: bool = member("Errors of the page go into the log.", default=False)
