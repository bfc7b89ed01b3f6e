"""Asks axe what on a page somebody could not use, in light colours and in dark ones.

Colours, and the change to the other colour scheme, take most of the time. The colours of a text are therefore examined
only if no text of the same kind was examined before. The navigation, for example, is the same on each page. Everything
else is examined on the whole page each time.
"""

from pathlib import Path
from typing import Literal

from playwright.async_api import JSHandle, Page, expect

_AXE = Path(__file__).resolve().parents[2] / "admin-ui" / "node_modules" / "axe-core" / "axe.min.js"

# The kind of a text is everything that its colours depend on: its style, what style rules ask of it, and what is behind
# it.
_SCRIPT = r"""
window.examination = (() => {
    const asked = /^(class|style|type|disabled|data-.*|aria-(selected|current|pressed|checked|disabled|invalid))$/;
    const written = ({name, value}) => {
        if (name === 'style') return value.split(';').filter((each) => /color|background|-bg/.test(each));
        // Mantine makes a class with a number for each element with responsive spacing.
        return `${name}=${value.replace(/__m__-\S+/, '')}`;
    };
    const backgroundOf = (element, known) => {
        if (!element) return '';
        if (!known.has(element)) {
            const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity, filter].join(' ');
            const behind = own.startsWith('rgb(') && opacity === '1' ? '' : backgroundOf(element.parentElement, known);
            known.set(element, own === 'rgba(0, 0, 0, 0) none 1 none' ? behind : `${own}\n${behind}`);
        }
        return known.get(element);
    };
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const kindOf = (element, known) => {
        const {color, fontSize, fontWeight, textShadow} = getComputedStyle(element);
        return [
            innerWidth, element.localName, hasText(element.parentElement), color, fontSize, fontWeight, textShadow,
            ...[...element.attributes].filter(({name}) => asked.test(name)).map(written), backgroundOf(element, known),
        ].join(' ');
    };
    return {
        kinds: (texts, known = new Map()) => texts.map((text) => (text.isConnected ? kindOf(text, known) : null)),
        texts: () => {
            const texts = [...document.body.querySelectorAll('*')].filter((element) =>
                (hasText(element) || element.matches('input, textarea, select')) &&
                element.checkVisibility({opacityProperty: true, visibilityProperty: true}));
            // axe does not judge the colours of a single letter, so the longest text of each kind is examined.
            texts.sort((one, other) => other.textContent.length - one.textContent.length);
            const kinds = examination.kinds(texts);
            return texts.filter((_, index) => kinds.indexOf(kinds[index]) === index);
        },
        onPage: () => examination.violations([document], {rules: {
            'color-contrast': {enabled: false},
            // It takes a third of the time, and can only find spacing that is declared with `!important`.
            'avoid-inline-spacing': {enabled: document.querySelector('[style*="important" i]') !== null},
        }}),
        ofColours: async (texts) => {
            const left = texts.filter((text) => text.isConnected);
            return left.length ? examination.violations(left, {runOnly: ['color-contrast', 'link-in-text-block']}) : [];
        },
        violations: async (include, options) => {
            // `preload` would fetch style sheets and sounds again: for a rule that is off, and one about sounds.
            // `iframes` would send messages into the pages of apps.
            const always = {reporter: 'no-passes', preload: false, iframes: false};
            const {violations} = await axe.run({include}, {...always, ...options});
            return violations.flatMap((rule) => rule.nodes.slice(0, 3).map((node) =>
                `${rule.id}: ${node.html.slice(0, 160)} ${(node.any[0] ?? node.all[0])?.message ?? ''}`));
        },
    };
})();
"""


class Examination:
    """The kinds of text that have been examined so far; one for all tests of a process."""

    def __init__(self) -> None:
        """Start with nothing examined."""
        self._kinds: set[str | None] = set()

    async def violations(self, page: Page) -> list[str]:
        """Examine the page as it is now, and each new kind of text in both colour schemes."""
        if not await page.evaluate("'examination' in window"):
            await page.evaluate(f"{_AXE.read_text(encoding='utf-8')};{_SCRIPT};undefined")
        await _until_nothing_moves(page)
        texts = await page.evaluate_handle("examination.texts()")
        kinds = await _kinds(texts)
        found: list[str] = await page.evaluate("examination.onPage()")
        new = [number for number, kind in enumerate(kinds) if kind and kind not in self._kinds]
        if new:
            texts = await texts.evaluate_handle("(texts, numbers) => numbers.map(number => texts[number])", new)
            found += await _violations_of_colours(page, texts)
            await _change_colours(page)
            found += await _violations_of_colours(page, texts)
            in_other = await _kinds(texts)
            # Tests continue with the page as they left it.
            await _change_colours(page)
            if not found:
                # What the page has removed meanwhile was not examined in both.
                self._kinds.update(kinds[number] for number, other in zip(new, in_other, strict=True) if other)
                self._kinds.update(other for other in in_other if other)
        return found


async def _kinds(texts: JSHandle) -> list[str | None]:
    """Return the kind of each text, and nothing for those that the page has removed."""
    return list(await texts.evaluate("texts => examination.kinds(texts)"))


async def _violations_of_colours(page: Page, texts: JSHandle) -> list[str]:
    scheme = await page.evaluate("document.documentElement.dataset.mantineColorScheme")
    return [f"{scheme}: {each}" for each in await texts.evaluate("texts => examination.ofColours(texts)")]


async def _change_colours(page: Page) -> None:
    html = page.locator("html")
    is_dark = await html.get_attribute("data-mantine-color-scheme") == "dark"
    other: Literal["light", "dark"] = "light" if is_dark else "dark"
    await page.emulate_media(color_scheme=other)
    await expect(html).to_have_attribute("data-mantine-color-scheme", other)
    await _until_nothing_moves(page)


async def _until_nothing_moves(page: Page) -> None:
    await page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
