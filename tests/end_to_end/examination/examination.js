// What Python calls: `structure.js` and `colours.js` come before this file.

window.examination = (() => {
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
    // Whether the page has changed since `look`.
    let hasChanged = false;
    const changes = new MutationObserver(() => { hasChanged = true; });
    const watchForChanges = () => {
        hasChanged = false;
        changes.disconnect();
        changes.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    };
    const hasChangedSince = () => {
        const isWaiting = changes.takeRecords().length > 0;
        changes.disconnect();
        return hasChanged || isWaiting;
    };
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
    const inOtherScheme = async (action) => {
        const scheme = document.documentElement.dataset.mantineColorScheme;
        try {
            changeScheme(scheme === 'dark' ? 'light' : 'dark');
            return await action();
        } finally {
            changeScheme(scheme);
        }
    };
    return {
        look: async () => {
            const start = performance.now();
            while (!isStill() && performance.now() - start < 20_000) await new Promise(requestAnimationFrame);
            watchForChanges();
            elements = structure();
            const kinds = new Map(textsOfPage());
            texts = [...kinds.values()];
            return {elements: elements.map(({key}) => key), kinds: [...kinds.keys()]};
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
            return {found, elements: (hasChangedSince() ? structure() : elements).map(({key}) => key)};
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
        // Texts whose colours end like those of another text in both schemes are not examined again.
        inBothSchemes: async (numbers, known) => {
            const chosen = numbers.map((number) => texts[number]);
            const resultsOf = () => chosen.map(((backgrounds) => (text) => resultOf(text, backgrounds))(new Map()));
            const own = resultsOf();
            let results;
            let isNew;
            const other = await inOtherScheme(async () => {
                results = resultsOf().map((each, index) =>
                    (each === null || own[index] === null ? null : short(`${own[index]} ${each}`)));
                isNew = (_, index) => results[index] === null || !known.includes(results[index]);
                const {found} = await ofColours(numbers.filter(isNew));
                return {found, kinds: kindsOf(chosen)};
            });
            const {found} = await ofColours(numbers.filter(isNew));
            return {results, kinds: other.kinds, found: [...found, ...other.found]};
        },
        isStill,
    };
})();
