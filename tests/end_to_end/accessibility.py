"""Asks axe what on a page somebody could not use, in light colours and in dark ones.

To examine a page takes longer than to show it. An element is therefore examined only if no element like it was examined
before in this process. The navigation, for example, is the same on each page, and so are the rows of a list. Two
elements are alike if everything that axe judges is equal: their structure, and the elements around them. Texts may
differ. The colours of a text are judged separately, because they are the same in many structures.
"""

from pathlib import Path
from typing import Literal

from playwright.async_api import Page, expect

_AXE = Path(__file__).resolve().parents[2] / "admin-ui" / "node_modules" / "axe-core" / "axe.min.js"
_FOLDER = Path(__file__).parent / "examination"
_SCRIPT = "".join(
    (_FOLDER / name).read_text(encoding="utf-8") for name in ("structure.js", "colours.js", "examination.js")
)


class Examination:
    """The kinds of elements and texts that have been examined so far; one for all tests of a process."""

    def __init__(self) -> None:
        """Start with nothing examined."""
        self._elements: set[str] = set()
        self._kinds: set[str | None] = set()
        self._results: set[str] = set()

    async def violations(self, page: Page) -> list[str]:
        """Examine each new kind of element on the page, and each new kind of text in both colour schemes."""
        if not await page.evaluate("'examination' in window"):
            await page.evaluate(f"(() => {{ {_SCRIPT} }})()")
        seen = await page.evaluate("examination.look()")
        elements: list[str] = seen["elements"]
        kinds: list[str | None] = seen["kinds"]
        new = [number for number, kind in enumerate(kinds) if kind and kind not in self._kinds]
        is_new = elements[0] not in self._elements
        if (new or is_new) and not await page.evaluate("'axe' in window"):
            await page.evaluate(f"{_AXE.read_text(encoding='utf-8')};undefined")
        found = await self._of_structure(page, elements) if is_new else []
        return found + (await self._of_colours(page, kinds, new) if new else [])

    async def _of_structure(self, page: Page, elements: list[str]) -> list[str]:
        known = [each for each in elements if each in self._elements]
        answer = await page.evaluate("known => examination.ofStructure(known)", known)
        if not answer["found"]:
            # What the page has changed meanwhile was perhaps not examined.
            self._elements.update(set(elements).intersection(answer["elements"]))
        found: list[str] = answer["found"]
        return found

    async def _of_colours(self, page: Page, kinds: list[str | None], new: list[int]) -> list[str]:
        others: list[int] = await page.evaluate("numbers => examination.withoutAttribute(numbers)", new)
        styled = [number for number in new if number not in others]
        found = await self._of_mantine(page, kinds, styled) if styled else []
        return found + (await self._of_changed(page, others) if others else [])

    async def _of_mantine(self, page: Page, kinds: list[str | None], new: list[int]) -> list[str]:
        known = sorted(self._results)
        answer = await page.evaluate("([numbers, known]) => examination.inBothSchemes(numbers, known)", [new, known])
        found: list[str] = answer["found"]
        if not found:
            for number, kind, result in zip(new, answer["kinds"], answer["results"], strict=True):
                # What the page has removed meanwhile was not examined in both.
                if kind:
                    self._kinds.update((kinds[number], kind))
                    self._results.update({result} - {None})
        return found

    async def _of_changed(self, page: Page, new: list[int]) -> list[str]:
        """Change the colours of the browser, and examine the texts again: editors write them again."""
        one = await page.evaluate("numbers => examination.ofColours(numbers)", new)
        await _change_colours(page)
        kinds = (await page.evaluate("examination.look()"))["kinds"]
        unknown = [number for number, kind in enumerate(kinds) if kind not in self._kinds]
        others = await page.evaluate("numbers => examination.withoutAttribute(numbers)", unknown)
        other = await page.evaluate("numbers => examination.ofColours(numbers)", others)
        # Tests continue with the page as they left it.
        await _change_colours(page)
        found: list[str] = one["found"] + other["found"]
        if not found:
            self._kinds.update(kind for kind in one["kinds"] + other["kinds"] if kind)
        return found


async def _change_colours(page: Page) -> None:
    colours = await page.evaluate("examination.colours()")
    other: Literal["light", "dark"] = "light" if colours["scheme"] == "dark" else "dark"
    await page.emulate_media(color_scheme=other)
    if colours["isMantine"]:
        await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", other)
    else:
        await page.evaluate("scheme => examination.selectTheme(scheme)", other)
    await page.wait_for_function("() => examination.isStill()")
