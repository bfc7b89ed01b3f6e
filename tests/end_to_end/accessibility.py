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

_STRUCTURE = r"""
const structure = (() => {
    const judged = new RegExp(
        '^(role|type|tabindex|scope|autocomplete|lang|dir|disabled|required|multiple|rel|content|' +
        'aria-(hidden|expanded|selected|checked|pressed|current|haspopup|level|live|modal|multiselectable|' +
        'orientation|sort|invalid|autocomplete|busy|disabled|readonly|required|relevant|atomic))$');
    const references =
        /^(for|headers|aria-(labelledby|describedby|controls|owns|activedescendant|errormessage|details))$/;
    // axe judges the order of headings, and the names of landmarks, on the page as a whole.
    const OUTLINE = 'h1, h2, h3, h4, h5, h6, [role=heading], main, nav, header, footer, aside, section, form, ' +
        '[role=main], [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=region], ' +
        '[role=search], [role=form]';
    const isFilled = (text) => Boolean(text?.trim());
    const target = (id) => {
        const found = document.getElementById(id);
        return found ? `${found.localName} ${isFilled(found.textContent)}` : 'missing';
    };
    const attribute = ({name, value}) => {
        // Mantine makes a class with a number for each element with responsive spacing; editors number their classes.
        if (name === 'class') return value.replace(/__m__-\S+|\u037c\S+/g, '');
        if (judged.test(name)) return `${name}=${value}`;
        if (references.test(name)) return `${name}=${value.split(/\s+/).map(target)}`;
        if (name === 'href') return value.startsWith('#') ? `href=${target(value.slice(1))}` : name;
        if (/^aria-(value(now|min|max)|.*(count|index|span)|setsize|posinset)$/.test(name)) {
            return `${name}=${isFilled(value) && Number.isFinite(Number(value))}`;
        }
        if (/^(id|style|value|data-.*)$/.test(name)) return '';
        return `${name}=${isFilled(value)}`;
    };
    const scrolls = (element) => {
        if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) return false;
        return /auto|scroll/.test(getComputedStyle(element).overflow);
    };
    const ownOf = (element) => [
        element.localName, ...[...element.attributes].map(attribute).sort(),
        element.checkVisibility({opacityProperty: true, visibilityProperty: true}), scrolls(element),
        ...[...(element.labels ?? [])].map((label) => isFilled(label.textContent)),
        element.matches(OUTLINE) ? element.getAttribute('aria-label') : '',
        element.localName === 'img' ? element.alt : '',
    ].join(' ');
    const short = (text) => {
        let one = 0xdeadbeef;
        let other = 0x41c6ce57;
        for (let index = 0; index < text.length; index++) {
            const code = text.charCodeAt(index);
            one = Math.imul(one ^ code, 2654435761);
            other = Math.imul(other ^ code, 1597334677);
        }
        return (one >>> 0).toString(36) + (other >>> 0).toString(36);
    };
    // Several elements with the same identifier are wrong, if others refer to it.
    const repeated = () => {
        const ids = new Set();
        return [...document.querySelectorAll('[id]')].map(({id}) => id).filter((id) => ids.has(id) || !ids.add(id));
    };
    const walk = (element, above, found) => {
        const own = ownOf(element);
        const here = short(`${above} ${own}`);
        const each = {element, key: '', inner: [], hasOutline: element.matches(OUTLINE)};
        found.push(each);
        const parts = [];
        for (const node of element.childNodes) {
            if (node.nodeType === 3 && node.data.trim()) parts.push('text');
            if (node.nodeType !== 1 || /^(script|style|template)$/.test(node.localName)) continue;
            const inner = walk(node, here, found);
            each.inner.push(inner);
            each.hasOutline ||= inner.hasOutline;
            parts.push(inner.key);
        }
        // A list with more rows of the same kind is the same list; axe judges whether there are several.
        const count = new Map();
        const kept = parts.filter((part) => count.set(part, (count.get(part) ?? 0) + 1).get(part) <= 2);
        each.key = short(`${above} ${own} ${kept}`);
        return each;
    };
    return () => {
        const found = [];
        walk(document.documentElement, `${document.title !== ''} ${repeated()}`, found);
        return found;
    };
})();
"""

# The kind of a text is everything that its colours depend on: its style, what style rules ask of it, and what is behind
# it.
_COLOURS = r"""
const asked = /^(class|style|type|disabled|data-.*|aria-(selected|current|pressed|checked|disabled|invalid))$/;
const written = ({name, value}) => {
    if (name === 'style') return value.split(';').filter((each) => /color|background|-bg/.test(each));
    return `${name}=${value.replace(/__m__-\S+|\u037c\S+/g, '')}`;
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
    const {color, fontSize, fontWeight, textShadow, textDecorationLine, borderBottomWidth} = getComputedStyle(element);
    return [
        innerWidth, element.localName, hasText(element.parentElement), color, fontSize, fontWeight, textShadow,
        textDecorationLine, borderBottomWidth, element.matches(LINK) ? around(element) : '',
        ...[...element.attributes].filter(({name}) => asked.test(name)).map(written), backgroundOf(element, known),
    ].join(' ');
};
// What is drawn behind a text is not always one of the elements around it.
const isPlaced = (element) => /absolute|fixed|sticky/.test(getComputedStyle(element).position);
const isOverOthers = (element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    const touches = (other) => {
        const place = other.getBoundingClientRect();
        return place.left < right && place.right > left && place.top < bottom && place.bottom > top;
    };
    for (let each = element; each; each = each.parentElement) {
        const others = [...(each.parentElement?.children ?? [])].filter((other) => other !== each && touches(other));
        if (others.some(isPlaced)) return true;
        const {backgroundColor, opacity} = getComputedStyle(each);
        if (backgroundColor.startsWith('rgb(') && opacity === '1') return false;
        if (isPlaced(each)) return true;
    }
    return false;
};
// What the colours of a text are in the end, whatever elements and style rules they come from.
const resultOf = (element, known) => {
    const {color, fontSize, fontWeight, textShadow, textDecorationLine, borderBottomWidth} = getComputedStyle(element);
    const control = element.closest('label')?.control ?? element.closest('input, textarea, select, button');
    return [
        color, fontSize, fontWeight, textShadow, textDecorationLine, borderBottomWidth, hasText(element),
        element.closest('[disabled], [aria-disabled=true]') !== null || Boolean(control?.matches(':disabled')),
        element.matches(LINK) ? around(element) : '', backgroundOf(element, known),
    ].join(' ');
};
const kindsOf = (texts, known = new Map()) => texts.map((text) => (text.isConnected ? kindOf(text, known) : null));
const textsOfPage = () => {
    const texts = [...document.body.querySelectorAll('*')].filter((element) =>
        (hasText(element) || element.matches(`input, textarea, select, ${LINK}`)) &&
        element.checkVisibility({opacityProperty: true, visibilityProperty: true}));
    // axe does not judge the colours of a single letter, so the longest text of each kind is examined.
    texts.sort((one, other) => other.textContent.length - one.textContent.length);
    const kinds = kindsOf(texts);
    return texts.filter((_, index) => kinds.indexOf(kinds[index]) === index);
};
"""

_SCRIPT = r"""
window.examination = (() => {
    STRUCTURE
    COLOURS
    const isStill = () => document.getAnimations().every(({playState}) => playState !== 'running');
    const violations = async (context, options) => {
        // `preload` would fetch style sheets and sounds again: for a rule that is off, and one about sounds.
        // `iframes` would send messages into the pages of apps.
        // `noHtml` saves the text of each element that was examined; only those that are reported need it.
        axe.configure({noHtml: true});
        const always = {reporter: 'no-passes', preload: false, iframes: false, elementRef: true};
        const {violations} = await axe.run(context, {...always, ...options});
        return violations.flatMap((rule) => rule.nodes.slice(0, 3).map((node) =>
            `${rule.id}: ${node.element.outerHTML.slice(0, 160)} ${(node.any[0] ?? node.all[0])?.message ?? ''}`));
    };
    let elements = [];
    let texts = [];
    // Pages of Mantine and pages with themes declare their colours; others have those of the system.
    const colours = () => {
        const {mantineColorScheme, theme} = document.documentElement.dataset;
        const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
        return {scheme: mantineColorScheme || theme || system, isMantine: mantineColorScheme !== undefined};
    };
    const ofColours = async (numbers) => {
        const chosen = numbers.map((number) => texts[number]);
        const include = chosen.filter((text) => text.isConnected);
        const rules = {runOnly: ['color-contrast', 'link-in-text-block']};
        const found = include.length ? await violations({include}, rules) : [];
        const {scheme} = colours();
        return {kinds: kindsOf(chosen), found: found.map((each) => `${scheme}: ${each}`)};
    };
    const changeScheme = (scheme) => {
        document.documentElement.dataset.mantineColorScheme = scheme;
        for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    };
    const inOtherScheme = (action) => {
        const scheme = document.documentElement.dataset.mantineColorScheme;
        const back = () => changeScheme(scheme);
        let answer;
        try {
            changeScheme(scheme === 'dark' ? 'light' : 'dark');
            answer = action();
        } finally {
            if (answer instanceof Promise) answer = answer.finally(back);
            else back();
        }
        return answer;
    };
    return {
        look: async () => {
            const start = performance.now();
            while (!isStill() && performance.now() - start < 20_000) await new Promise(requestAnimationFrame);
            elements = structure();
            texts = textsOfPage();
            return {elements: elements.map(({key}) => key), kinds: kindsOf(texts)};
        },
        ofStructure: async (known) => {
            const isKnown = new Set(known);
            const exclude = [];
            const visit = (each) => {
                if (isKnown.has(each.key) && !each.hasOutline) exclude.push(each.element);
                else each.inner.forEach(visit);
            };
            visit(elements[0]);
            const found = await violations({include: [document], exclude}, {rules: {
                // These two are about colours.
                'color-contrast': {enabled: false},
                'link-in-text-block': {enabled: false},
                // It takes a third of the time, and can only find spacing that is declared with `!important`.
                'avoid-inline-spacing': {enabled: document.querySelector('[style*="important" i]') !== null},
            }});
            return {found, elements: structure().map(({key}) => key)};
        },
        ofColours,
        colours,
        // A page of ours takes the colours of a theme. If none is selected, it has those of the system.
        selectTheme: (scheme) => {
            const {dataset} = document.documentElement;
            if (dataset.theme) dataset.theme = scheme;
        },
        // An attribute changes the colours of pages of Mantine, except in editors of JSON, which write them themselves.
        withoutAttribute: (numbers) =>
            numbers.filter((number) => !colours().isMantine || texts[number].closest('.cm-editor')),
        results: (numbers) => {
            const chosen = numbers.map((number) => texts[number]);
            const all = () => chosen.map(((known) => (text) => resultOf(text, known))(new Map()));
            const own = all();
            const other = inOtherScheme(() => [all(), kindsOf(chosen)]);
            return {
                results: chosen.map((text, index) => isOverOthers(text) ? null : `${own[index]} ${other[0][index]}`),
                kinds: other[1],
            };
        },
        inBothSchemes: async (numbers) =>
            [await ofColours(numbers), await inOtherScheme(() => ofColours(numbers))],
        isStill,
    };
})();
""".replace("STRUCTURE", _STRUCTURE).replace("COLOURS", _COLOURS)


class Examination:
    """The kinds of elements and texts that have been examined so far; one for all tests of a process."""

    def __init__(self) -> None:
        """Start with nothing examined."""
        self._elements: set[str] = set()
        self._kinds: set[str | None] = set()
        self._results: set[str | None] = set()

    async def violations(self, page: Page) -> list[str]:
        """Examine each new kind of element on the page, and each new kind of text in both colour schemes."""
        if not await page.evaluate("'examination' in window"):
            await page.evaluate(f"{_SCRIPT};undefined")
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
        seen = await page.evaluate("numbers => examination.results(numbers)", new)
        results: dict[int, str | None] = dict(zip(new, seen["results"], strict=True))
        others: dict[int, str | None] = dict(zip(new, seen["kinds"], strict=True))
        known = [number for number in new if results[number] in self._results]
        self._kinds.update(kind for number in known for kind in (kinds[number], others[number]))
        new = [number for number in new if number not in known]
        if not new:
            return []
        one, other = await page.evaluate("numbers => examination.inBothSchemes(numbers)", new)
        found: list[str] = one["found"] + other["found"]
        if not found:
            for number, kind in zip(new, other["kinds"], strict=True):
                # What the page has removed meanwhile was not examined in both.
                if kind:
                    self._kinds.update((kinds[number], kind))
                    self._results.add(results[number])
            self._results.discard(None)
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
