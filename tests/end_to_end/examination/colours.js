// The kind of a text is everything that its colours depend on: its style, what style rules ask of it, and what is
// behind it.

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
