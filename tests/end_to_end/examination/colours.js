// The kind of a text is everything that its colours depend on: its style, what style rules ask of it, and what is
// behind it.

const asked = /^(class|style|type|disabled|data-.*|aria-(selected|current|pressed|checked|disabled|invalid))$/;
const written = ({name, value}) => {
    if (name === 'style') return value.split(';').filter((each) => /color|background|-bg/.test(each));
    return `${name}=${value.replace(/__m__-\S+|\u037c\S+/g, '')}`;
};
const NO_BACKGROUND = 'rgba(0, 0, 0, 0) none 1 none';
const ownBackground = (element) => {
    const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(element);
    return [backgroundColor, backgroundImage, opacity, filter].join(' ');
};
const isOpaque = (element) => {
    const {backgroundColor, opacity} = getComputedStyle(element);
    return backgroundColor.startsWith('rgb(') && opacity === '1';
};
const backgroundOf = (element, known) => {
    if (!element) return '';
    if (!known.has(element)) {
        const own = ownBackground(element);
        const behind = isOpaque(element) ? '' : backgroundOf(element.parentElement, known);
        known.set(element, own === NO_BACKGROUND ? behind : `${own}\n${behind}`);
    }
    return known.get(element);
};
const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
const LINK = 'a[href], [role="link"]';
// A link must differ from the text around it.
const blockOf = (link) => {
    let block = link.parentElement;
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
    return block;
};
const isInText = (link) => blockOf(link).textContent.trim() !== link.textContent.trim();
const around = (link) => {
    const {color, fontSize, fontWeight, fontStyle} = getComputedStyle(blockOf(link));
    return [isInText(link), color, fontSize, fontWeight, fontStyle];
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
        if (isOpaque(each)) return false;
        if (isPlaced(each)) return true;
    }
    return false;
};
// The backgrounds that are drawn at the middle of a text; null if it is outside of the window or behind something.
const drawnBehind = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [place] = hasText(element) ? range.getClientRects() : element.getClientRects();
    if (!place) return null;
    const drawn = document.elementsFromPoint((place.left + place.right) / 2, (place.top + place.bottom) / 2);
    if (!element.contains(drawn[0])) return null;
    const behind = drawn.slice(drawn.indexOf(element));
    const visible = behind.some(isOpaque) ? behind.slice(0, behind.findIndex(isOpaque) + 1) : behind;
    return visible.map(ownBackground).filter((each) => each !== NO_BACKGROUND).join('\n');
};
// Large text needs less contrast (WCAG 1.4.3).
const isLarge = ({fontSize, fontWeight}) => parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
const linkStyle = (link) => {
    if (!isInText(link)) return 'alone';
    const {fontSize, fontWeight, fontStyle, textDecorationLine, borderBottomWidth} = getComputedStyle(link);
    const {textDecorationLine: lineAround} = getComputedStyle(blockOf(link));
    if (textDecorationLine === 'underline' && lineAround === 'none') return 'underlined';
    return [fontSize, fontWeight, fontStyle, textDecorationLine, borderBottomWidth, around(link)];
};
// What axe judges the colours of a text by in the end, whatever elements and style rules they come from; null if
// unknown.
const resultOf = (element, known) => {
    const behind = isOverOthers(element) ? drawnBehind(element) : '';
    if (behind === null) return null;
    const style = getComputedStyle(element);
    const control = element.closest('label')?.control ?? element.closest('input, textarea, select, button');
    return [
        style.color, style.textShadow, isLarge(style), hasText(element),
        // axe does not judge the colours of a single letter.
        element.textContent.trim().length > 1,
        element.closest('[disabled], [aria-disabled=true]') !== null || Boolean(control?.matches(':disabled')),
        element.matches(LINK) ? linkStyle(element) : '', backgroundOf(element, known), behind,
    ].join(' ');
};
const kindsOf = (texts, known = new Map()) =>
    texts.map((text) => (text.isConnected ? short(kindOf(text, known)) : null));
// Each kind of text on the page, and one text of this kind.
const textsOfPage = () => {
    const texts = [...document.body.querySelectorAll('*')].filter((element) =>
        (hasText(element) || element.matches(`input, textarea, select, ${LINK}`)) &&
        element.checkVisibility({opacityProperty: true, visibilityProperty: true}));
    // axe does not judge the colours of a single letter, so the longest text of each kind is examined.
    texts.sort((one, other) => one.textContent.length - other.textContent.length);
    return kindsOf(texts).map((kind, index) => [kind, texts[index]]);
};
