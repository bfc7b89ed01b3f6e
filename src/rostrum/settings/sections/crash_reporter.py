"""crashReporter: where crash reports go."""

from typing import Literal

from rostrum.settings.setting import Section, setting


class CrashOutput(Section):
    """The receiver of crash reports."""

    type: Literal["server"] | None = setting(None, "Kind of receiver; server is the manager.")
    server_url: str | None = setting(None, "Address of the manager's crash reports.")


class CrashReporter(Section):
    """Crash reports."""

    output: CrashOutput = setting(CrashOutput, "Where reports go.")
    enabled: bool = setting(default=True, text="Record crashes, and send the reports.", addition=True)
    company_name: str | None = setting(None, "Name of the company in reports.", addition=True)
    product_name: str | None = setting(None, "Name of the product in reports.", addition=True)
