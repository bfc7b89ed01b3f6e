"""Headers of the pages that the manager serves."""

PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Headers of every page; each page adds its own content security policy. Pages of other origins keep no reference to a
window in which they opened the page."""
