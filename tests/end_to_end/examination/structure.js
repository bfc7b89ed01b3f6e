// The structure of a page: a key of each element, equal for elements that axe judges alike.

// A text of fixed length instead of a long one.
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
