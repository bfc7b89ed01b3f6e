"""The one body of every refusal."""

from pydantic import Field

from rostrum.contracts.body import View

__all__ = ["ErrorBody", "ErrorDetail", "ErrorView"]


class ErrorDetail(View):
    """One problem of the request."""

    path: str = Field(description="Where it is: a JSON path, or the name of a parameter.")
    message: str
    suggestion: str | None = Field(None, description="The nearest right name or word, when there is one.")


class ErrorBody(View):
    """What went wrong."""

    code: int = Field(description="The status code again.")
    message: str
    details: list[ErrorDetail] | None = Field(None, description="Every problem found, not only the first.")


class ErrorView(View):
    """The one body of every refusal."""

    error: ErrorBody
