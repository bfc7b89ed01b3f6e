"""The one body of every refusal."""

from pydantic import Field

from rostrum.contracts.body import View


class ErrorDetail(View):
    """One problem of the request."""

    path: str = Field(description="Where it is: a JSON path, or the name of a parameter.")
    message: str
    suggestion: str | None = Field(None, description="The nearest right name or word, when there is one.")


class ErrorQuota(View):
    """The quota that a request would exceed."""

    name: str = Field(description="The setting without its prefix `quotas.`.")
    limit: int
    used: int = Field(description="How much is in use; the request was refused and adds nothing.")


class ErrorBody(View):
    """What went wrong."""

    code: int = Field(description="The status code again.")
    message: str
    details: list[ErrorDetail] | None = Field(None, description="Every problem found, not only the first.")
    quota: ErrorQuota | None = Field(None, description="The quota that was reached, for a refusal because of one.")


class ErrorView(View):
    """The one body of every refusal."""

    error: ErrorBody
