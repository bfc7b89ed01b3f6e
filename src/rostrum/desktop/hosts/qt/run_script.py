"""Runs JavaScript in a page and returns its value.

The Python binding of Qt returns only texts and numbers, so values travel as JSON. Code that is an expression is wrapped
as it is; statements are evaluated, or called as a function where the page forbids evaluation.
"""

import json

from PySide6.QtWebEngineCore import QWebEnginePage

from rostrum.desktop.hosts.qt.later import Later

__all__ = ["run_script"]

_WRAPPED = """(() => {{
  try {{ return JSON.stringify({{ value: {code} }}); }}
  catch (error) {{ return JSON.stringify({{ error: String(error), forbidden: error instanceof EvalError }}); }}
}})()"""


def run_script(page: QWebEnginePage, code: str) -> Later:
    """Run code in the main world of a page; fail with the message of its exception."""
    later = Later()
    function = f"(() => {{\n{code}\n}})()"
    forms = [f"(\n{code}\n)", f"(0, eval)({json.dumps(code)})", function]
    _try(page, forms, later)
    return later


def _try(page: QWebEnginePage, forms: list[str], later: Later) -> None:
    form, *others = forms

    def finished(text: object) -> None:
        # Nothing comes back from code that cannot be parsed, and then nothing of it has run.
        answer = json.loads(text) if isinstance(text, str) and text else {"error": "the code cannot be parsed"}
        if "error" not in answer:
            later.resolve(answer.get("value"))
        elif others and (not text or answer.get("forbidden")):
            _try(page, others, later)
        else:
            later.fail(str(answer["error"]))

    page.runJavaScript(_WRAPPED.format(code=form), 0, finished)
