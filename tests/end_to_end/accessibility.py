"""Asks axe what on a page somebody could not use, in light colours and in dark ones.

Colours, and the change to the other colour scheme, take most of the time. The colours of a text are therefore examined
only if no text of the same kind was examined before. The navigation, for example, is the same on each page. Everything
else is examined on the whole page each time.
"""

from pathlib import Path
from typing import Literal

from playwright.async_api import Page, expect

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
    const LINK = 'a[href], [role="link"]';
    // A link must differ from the text around it.
    const around = (link) => {
        let block = link.parentElement;
        while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
        const {color, fontSize, fontWeight, fontStyle} = getComputedStyle(block);
        return [block.textContent.trim() !== link.textContent.trim(), color, fontSize, fontWeight, fontStyle];
    };
    const kindOf = (element, known) => {
        const {color, fontSize, fontWeight, textShadow, textDecorationLine, borderBottomWidth} =
            getComputedStyle(element);
        return [
            innerWidth, element.localName, hasText(element.parentElement), color, fontSize, fontWeight, textShadow,
            textDecorationLine, borderBottomWidth, element.matches(LINK) ? around(element) : '',
            ...[...element.attributes].filter(({name}) => asked.test(name)).map(written), backgroundOf(element, known),
        ].join(' ');
    };
    return {
        // Pages of Mantine and pages with themes declare their colours; others have those of the system.
        colours: () => {
            const {mantineColorScheme, theme} = document.documentElement.dataset;
            const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
            return {scheme: mantineColorScheme || theme || system, isMantine: mantineColorScheme !== undefined};
        },
        // A page of ours takes the colours of a theme. If none is selected, it has those of the system.
        selectTheme: (scheme) => {
            const {dataset} = document.documentElement;
            if (dataset.theme) dataset.theme = scheme;
        },
        kinds: (texts, known = new Map()) => texts.map((text) => (text.isConnected ? kindOf(text, known) : null)),
        texts: () => {
            const texts = [...document.body.querySelectorAll('*')].filter((element) =>
                (hasText(element) || element.matches(`input, textarea, select, ${LINK}`)) &&
                element.checkVisibility({opacityProperty: true, visibilityProperty: true}));
            // axe does not judge the colours of a single letter, so the longest text of each kind is examined.
            texts.sort((one, other) => other.textContent.length - one.textContent.length);
            const kinds = examination.kinds(texts);
            return texts.filter((_, index) => kinds.indexOf(kinds[index]) === index);
        },
        page: async () => {
            examination.examined = examination.texts();
            return {kinds: examination.kinds(examination.examined), found: await examination.onPage()};
        },
        onPage: () => examination.violations([document], {rules: {
            // These two are about colours.
            'color-contrast': {enabled: false},
            'link-in-text-block': {enabled: false},
            // It takes a third of the time, and can only find spacing that is declared with `!important`.
            'avoid-inline-spacing': {enabled: document.querySelector('[style*="important" i]') !== null},
        }}),
        ofColours: async (numbers) => {
            const texts = numbers.map((number) => examination.examined[number]);
            const left = texts.filter((text) => text.isConnected);
            const rules = {runOnly: ['color-contrast', 'link-in-text-block']};
            const found = left.length ? await examination.violations(left, rules) : [];
            const {scheme} = examination.colours();
            return {kinds: examination.kinds(texts), found: found.map((each) => `${scheme}: ${each}`)};
        },
        violations: async (include, options) => {
            // `preload` would fetch style sheets and sounds again: for a rule that is off, and one about sounds.
            // `iframes` would send messages into the pages of apps.
            // `noHtml` saves the text of each element that was examined; only those that are reported need it.
            axe.configure({noHtml: true});
            const always = {reporter: 'no-passes', preload: false, iframes: false, elementRef: true};
            const {violations} = await axe.run({include}, {...always, ...options});
            return violations.flatMap((rule) => rule.nodes.slice(0, 3).map((node) =>
                `${rule.id}: ${node.element.outerHTML.slice(0, 160)} ${(node.any[0] ?? node.all[0])?.message ?? ''}`));
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
        seen = await page.evaluate("examination.page()")
        kinds: list[str | None] = seen["kinds"]
        found: list[str] = seen["found"]
        new = [number for number, kind in enumerate(kinds) if kind and kind not in self._kinds]
        if new:
            found += (await page.evaluate("numbers => examination.ofColours(numbers)", new))["found"]
            await _change_colours(page)
            other = await page.evaluate("numbers => examination.ofColours(numbers)", new)
            found += other["found"]
            # Tests continue with the page as they left it.
            await _change_colours(page)
            if not found:
                # What the page has removed meanwhile was not examined in both.
                left = [(kinds[number], kind) for number, kind in zip(new, other["kinds"], strict=True) if kind]
                self._kinds.update(kind for pair in left for kind in pair)
        return found


async def _change_colours(page: Page) -> None:
    colours = await page.evaluate("examination.colours()")
    other: Literal["light", "dark"] = "light" if colours["scheme"] == "dark" else "dark"
    await page.emulate_media(color_scheme=other)
    if colours["isMantine"]:
        await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", other)
    else:
        await page.evaluate("scheme => examination.selectTheme(scheme)", other)
    await _until_nothing_moves(page)


async def _until_nothing_moves(page: Page) -> None:
    await page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
