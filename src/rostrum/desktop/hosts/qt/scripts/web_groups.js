// window.webGroupsManager: draws a group in a page, with the elements of the page where it has some.
//
// The window process sends what to draw ("draw"). The page gets one element for each thing that it draws itself, and
// everything else is drawn by web_group_elements.js. Afterwards the places of all windows, tabs and move areas are
// measured and sent back ("layout"). `call` and `on` lead to the window process; `drawElement` draws what the page
// leaves out.
const BUTTONS = ["overflow", "feedback", "clone", "sticky", "extract", "lock", "unlock", "minimize", "restore", "maximize", "close"];
const ZONES = [
  // Elements around the window and the tabs that only pages have.
  ["AboveTabs", "aboveTabs"], ["BeforeTabs", "beforeTabs"], ["AfterTabs", "afterTabs"], ["BelowTabs", "belowTabs"],
  ["AboveWindow", "aboveWindow"], ["BelowWindow", "belowWindow"],
];
// Functions of the library for what would be above windows.
const NEVER_CALLED = [
  "createGroupOverlay", "createFrameWindowOverlay", "createWindowContentOverlay", "createFrameLoadingAnimation",
  "createHtmlButtonsContainerElement", "createTabOverflowPopup", "showLoadingAnimation",
];
const MOVE_PX = 4, TEAR_PX = 16;
const frames = new Map(), tabs = new Map(), listeners = new Set(), captions = new Map(), editors = new Map(), popups = new Map();
const styles = { header: {}, moveArea: {}, frame: {} };
let factory = null, state = null, header = null, planned = false, measured = "", numbers = 0, dragged = null, editing = null;

const say = (method, args) => call(method, args).catch((error) => console.error(`webGroupsManager: ${error.message}`));
const keyOf = (type, id) => `${type} ${id}`;
const rectOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
};

function element(name, classes, parent) {
  const made = document.createElement(name);
  made.className = classes;
  if (parent) { parent.append(made); }
  return made;
}

function style(target, options) {
  Object.assign(target.style, (options && options.css) || {});
  for (const one of (options && options.classes) || []) { target.classList.add(one); }
}

// Calls a function of the page. Returns false if the page does not draw the element.
function invoke(name, ...values) {
  const found = factory && factory[name];
  if (typeof found !== "function") { return false; }
  try {
    found(...values);
  } catch (error) {
    console.error(`webGroupsManager: ${name}:`, error);
  }
  return true;
}

const TOOLTIPS = {
  minimize: "Minimize", restore: "Restore", maximize: "Maximize", close: "Close", extract: "Extract",
  overflow: "More tabs", lock: "Lock", unlock: "Unlock", feedback: "Feedback", clone: "Clone", sticky: "Sticky",
};

function buttonsOf(shown) {
  const options = {};
  for (const name of BUTTONS) {
    options[name] = { tooltip: TOOLTIPS[name], visible: shown.includes(name), target: "default", isPressed: false };
  }
  return options;
}

// Draws one element: by the page if possible, otherwise with our own elements. Has no effect if nothing has changed.
function show(kind, record, options) {
  const data = JSON.stringify(options, (name, value) => (value instanceof Element ? undefined : value));
  if (record.data === data) { return; }
  const isNew = record.data === undefined;
  record.data = data;
  // Updates do not close an editor that the user is using.
  const wanted = isNew ? { ...options, captionEditor: { show: false, text: "" } } : options;
  if (isNew) { record.isOurs = !invoke(`create${kind}`, wanted); }
  if (record.isOurs) {
    drawElement(kind, options, manager.externalLibraryFactory);
  } else if (!isNew && !invoke(`update${kind}`, wanted)) {
    // Only single buttons of a tab bar can be changed.
    for (const name of BUTTONS) {
      invoke("updateStandardButton", { ...targetOf(options), buttonId: name, ...options[name] });
    }
    invoke("updateCustomButtons", { ...targetOf(options), customButtons: options.customButtons });
  }
}

const targetOf = ({ targetType, targetId, parentElement, elementId }) => ({ targetType, targetId, parentElement, elementId });

function target(type, id, parent) {
  parent.id = parent.id || `t42-element-${++numbers}`;
  return { targetType: type, targetId: id, parentElement: parent, elementId: parent.id };
}

function drawHeader(container) {
  const { group } = state;
  if (header === null) {
    const outer = element("div", "t42-caption-bar-container t42-group-caption-bar-container");
    container.prepend(outer);
    header = { outer, bar: element("div", "t42-caption-bar t42-group-caption-bar", outer) };
  }
  header.outer.style.display = group.visible ? "" : "none";
  show("GroupCaptionBar", header, {
    ...target("group", group.id, header.bar),
    moveAreaId: "t42-group-move-area", caption: group.caption, visible: group.visible, ...buttonsOf(group.buttons),
  });
}

function makeFrame(container, wanted) {
  const frame = { mode: wanted.mode, element: element("div", `t42-frame t42-frame-${wanted.mode}`, container), zones: {} };
  const number = ++numbers;
  frame.moveAreaId = `t42-move-area-${number}`;
  if (wanted.mode === "flat") {
    const outer = element("div", "t42-caption-bar-container t42-frame-caption-bar-container", frame.element);
    frame.bar = element("div", "t42-caption-bar t42-frame-caption-bar t42-frame-caption-bar-frame", outer);
  } else if (wanted.mode === "tab") {
    const bar = element("div", "t42-tab-bar", frame.element);
    frame.zones.aboveTabs = element("div", "t42-above-tabs", bar);
    frame.header = element("div", "t42-tab-bar-header t42-tab-bar-header-frame t42-tab-bar-element", bar);
    frame.zones.beforeTabs = element("div", "t42-before-tabs", frame.header);
    frame.pinned = element("ul", "t42-tabs-pinned", frame.header);
    frame.tabs = element("ul", "t42-tabs", frame.header);
    frame.area = element("div", "t42-move-area t42-tab-bar-element", frame.header);
    frame.area.id = frame.moveAreaId;
    frame.zones.afterTabs = element("div", "t42-after-tabs", frame.header);
    frame.buttons = { bar: element("div", "t42-external-buttons-container", frame.header) };
    frame.zones.belowTabs = element("div", "t42-below-tabs", bar);
    style(frame.header, styles.header);
    style(frame.area, styles.moveArea);
  }
  const window_ = element("div", "t42-frame-window-container", frame.element);
  frame.zones.aboveWindow = element("div", "t42-frame-window-header", window_);
  frame.slot = element("div", "t42-frame-window", window_);
  frame.zones.belowWindow = element("div", "t42-frame-window-footer", window_);
  style(frame.element, styles.frame);
  sizes.observe(frame.slot);
  return frame;
}

function removeFrame(id, frame) {
  if (frame.mode === "flat") { invoke("destroyFrameCaptionBar", { targetId: id }); }
  if (frame.mode === "tab") { invoke("destroyTabBarButtonsContainerElement", { targetId: id }); }
  for (const [name, zone] of ZONES) {
    if (frame.zones[zone] && frame.zones[zone].used) { invoke(`destroy${name}`, { targetId: id }); }
  }
  sizes.unobserve(frame.slot);
  frame.element.remove();
  frames.delete(id);
}

function removeTab(id, tab) {
  invoke("destroyTab", { targetId: id });
  tab.element.remove();
  tabs.delete(id);
}

function channelOf(channel) {
  const [first] = channel.selected;
  return {
    channelSelectorVisible: channel.visible, channelsMode: channel.mode, selectedChannels: channel.selected,
    selectedChannel: first ? first.name : "", selectedChannelColor: first ? first.color : "",
    channelRestrictions: channel.restrictions, channelLabel: channel.label,
  };
}

function drawFrame(container, wanted) {
  let frame = frames.get(wanted.id);
  if (frame && frame.mode !== wanted.mode) {
    removeFrame(wanted.id, frame);
    frame = undefined;
  }
  if (!frame) {
    frame = makeFrame(container, wanted);
    frames.set(wanted.id, frame);
  }
  const { left, top, width, height } = wanted.bounds;
  // Relative to the container of the frames, which is below the header.
  const origin = container.getBoundingClientRect();
  Object.assign(frame.element.style, {
    left: `${left - origin.left}px`, top: `${top - origin.top}px`, width: `${width}px`, height: `${height}px`,
  });
  frame.element.classList.toggle("t42-focused-frame", state.focused === wanted.id);
  for (const [name, zone] of ZONES) {
    const parent = frame.zones[zone];
    if (!parent) { continue; }
    if (!parent.used) {
      parent.used = invoke(`create${name}`, { ...target("frame", wanted.id, parent), selectedWindow: wanted.selected });
    }
  }
  const buttons = { ...buttonsOf(wanted.buttons), customButtons: wanted.custom, selectedWindow: wanted.selected };
  if (wanted.mode === "flat") {
    frame.caption = frame.caption || {};
    show("FrameCaptionBar", frame.caption, {
      ...target("frame", wanted.id, frame.bar), ...buttons, moveAreaId: frame.moveAreaId, caption: wanted.caption,
      ...channelOf(wanted.channel),
    });
  } else if (wanted.mode === "tab") {
    frame.header.classList.toggle("t42-tabs-overflow", wanted.overflow);
    drawTabs(frame, wanted);
    show("TabBarButtonsContainerElement", frame.buttons, {
      ...target("tabBar", wanted.id, frame.buttons.bar), ...buttons, hiddenTabsToTheLeft: [], hiddenTabsToTheRight: [],
    });
    if (frame.selected !== wanted.selected) {
      frame.selected = wanted.selected;
      const chosen = tabs.get(wanted.selected);
      if (chosen) { chosen.element.scrollIntoView({ block: "nearest", inline: "nearest" }); }
    }
  }
  if (frame.shown !== wanted.selected) {
    frame.shown = wanted.selected;
    invoke("updateFrame", { targetId: wanted.id, selectedWindow: wanted.selected, hiddenTabsToTheLeft: [], hiddenTabsToTheRight: [] });
  }
}

function drawTabs(frame, wanted) {
  for (const one of wanted.tabs) {
    let tab = tabs.get(one.id);
    if (!tab) {
      tab = { element: element("li", "t42-tab") };
      tab.element.addEventListener("mousedown", (event) => pressTab(event, one.id));
      tab.element.addEventListener("dblclick", (event) => editTab(event, one.id));
      tabs.set(one.id, tab);
    }
    tab.frame = wanted.id;
    tab.wanted = one;
    tab.element.title = one.tooltip;
    for (const name of ["t42-selected-tab", "t42-selected-tab-element"]) { tab.element.classList.toggle(name, one.selected); }
    const list = one.pinned ? frame.pinned : frame.tabs;
    const place = wanted.tabs.filter((other) => other.pinned === one.pinned).indexOf(one);
    if (list.children[place] !== tab.element) { list.insertBefore(tab.element, list.children[place] || null); }
    show("Tab", tab, {
      ...target("tab", one.id, tab.element), windowId: one.id, caption: one.caption, selected: one.selected,
      flashing: false, pinned: one.pinned || !one.closable, ...channelOf(one.channel),
    });
  }
}

function draw() {
  const container = document.getElementById("t42-group-container"), inner = document.getElementById("t42-frames-container");
  if (!factory || !state || !container || !inner) { return; }
  // The group fills the native window, regardless of other content of the page.
  Object.assign(container.style, { position: "fixed", inset: "0", width: "auto", height: "auto" });
  document.documentElement.classList.toggle("dark", state.theme === "dark");
  document.documentElement.classList.toggle("light", state.theme !== "dark");
  sizes.observe(container);
  changes.observe(container, { childList: true, subtree: true, characterData: true });
  drawHeader(container);
  for (const wanted of state.frames) { drawFrame(inner, wanted); }
  const kept = new Set(state.frames.map((one) => one.id)), keptTabs = new Set(state.frames.flatMap((one) => one.tabs.map((tab) => tab.id)));
  for (const [id, tab] of [...tabs]) { if (!keptTabs.has(id)) { removeTab(id, tab); } }
  for (const [id, frame] of [...frames]) { if (!kept.has(id)) { removeFrame(id, frame); } }
  plan();
}

// Measuring waits until the page has drawn the elements.
function plan() {
  if (!planned) {
    planned = true;
    setTimeout(measure, 0);
  }
}

function area(type, id, found) {
  if (!found || editors.get(keyOf(type === "tabBar" ? "frame" : type, id))) { return []; }
  return [{ type, id, bounds: rectOf(found), caption: captions.get(keyOf(type, id)) || null }];
}

function measure() {
  planned = false;
  if (!factory || !state || !header) { return; }
  // The frames are placed below the header, which may have another height now.
  const inner = document.getElementById("t42-frames-container");
  const report = { header: state.group.visible ? rectOf(header.outer).height : 0, frames: {}, tabs: {}, areas: [] };
  if (state.group.visible) { report.areas.push(...area("group", state.group.id, document.getElementById("t42-group-move-area"))); }
  const origin = inner ? inner.getBoundingClientRect() : { left: 0, top: 0 };
  for (const wanted of state.frames) {
    const frame = frames.get(wanted.id);
    if (!frame) { continue; }
    frame.element.style.top = `${wanted.bounds.top - origin.top}px`;
    report.frames[wanted.id] = { bounds: rectOf(frame.element), slot: rectOf(frame.slot) };
    report.areas.push(...area(frame.mode === "tab" ? "tabBar" : "frame", wanted.id, document.getElementById(frame.moveAreaId)));
  }
  for (const [id, tab] of tabs) { report.tabs[id] = { frame: tab.frame, bounds: rectOf(tab.element) }; }
  const text = JSON.stringify(report);
  if (text !== measured) {
    measured = text;
    say("layout", report);
  }
}

const sizes = new ResizeObserver(plan), changes = new MutationObserver(plan);

function pressTab(event, id) {
  if (event.button !== 0 || event.target.closest("input")) { return; }
  event.preventDefault();
  manager.externalLibraryFactory.commitEditing();
  dragged = { id, x: event.clientX, y: event.clientY, begun: false, out: false };
}

function editTab(event, id) {
  const tab = tabs.get(id);
  if (tab && tab.wanted.editable && !event.target.closest("input")) { edit("tab", id, tab.wanted.caption); }
}

// The last position of a drag inside the bar: the number of tabs whose middle is on the left of the pointer.
function indexAt(tab, x) {
  const others = [...tabs.values()].filter((one) => one.frame === tab.frame && one !== tab);
  return others.filter((one) => { const { left, width } = rectOf(one.element); return left + width / 2 < x; }).length;
}

addEventListener("mousemove", (event) => {
  const tab = dragged && tabs.get(dragged.id);
  if (!dragged) { return; }
  if (!(event.buttons & 1)) {
    // The release was not detected: nothing must stay attached to the pointer.
    drop(event);
    return;
  }
  const across = Math.abs(event.clientX - dragged.x), down = Math.abs(event.clientY - dragged.y);
  dragged.begun = dragged.begun || Math.max(across, down) >= MOVE_PX;
  if (dragged.out) {
    say("drag", {});
  } else if (dragged.begun && tab) {
    const frame = frames.get(tab.frame), alone = [...tabs.values()].filter((one) => one.frame === tab.frame).length < 2;
    const bar = rectOf(frame.header);
    if (alone || event.clientY < bar.top - TEAR_PX || event.clientY > bar.top + bar.height + TEAR_PX) {
      dragged.out = true;
      say(alone ? "grab" : "tearOut", { id: dragged.id, across: event.clientX - dragged.x, down: event.clientY - dragged.y });
    }
  }
}, true);

function drop(event) {
  const ended = dragged, tab = ended && tabs.get(ended.id);
  dragged = null;
  if (!ended) { return; }
  if (ended.out) {
    say("drop", {});
  } else if (tab && ended.begun) {
    say("reorder", { id: ended.id, index: indexAt(tab, event.clientX) });
  } else if (tab) {
    say("select", { id: ended.id });
  }
}
addEventListener("mouseup", (event) => { if (event.button === 0) { drop(event); } }, true);
addEventListener("contextmenu", (event) => {
  if (!event.target.closest("input")) {
    event.preventDefault();
    say("menu", {});
  }
});

function edit(type, id, text) {
  editing = { type, id };
  const ours = { group: header, tab: tabs.get(id), frame: (frames.get(id) || {}).caption }[type];
  if (ours && ours.isOurs) {
    editElement(ours.element || ours.bar || frames.get(id).bar, type, id, text, manager.externalLibraryFactory);
  } else {
    invoke("showCaptionEditor", type, id, text);
  }
}

const manager = {
  init(given) {
    factory = given || {};
    const ignored = NEVER_CALLED.filter((name) => typeof factory[name] === "function");
    if (ignored.length) { console.info(`webGroupsManager: the page is below the windows, so it never calls ${ignored.join(", ")}`); }
    say("init", {});
    draw();
  },
  unmount() {
    factory = null;
    for (const [id, frame] of [...frames]) { removeFrame(id, frame); }
    tabs.clear();
    if (header) { header.outer.remove(); }
    header = null;
    measured = "";
    say("unmount", {});
  },
  notifyMoveAreaChanged: plan,
  registerPopup(popup) {
    const id = `t42-popup-${++numbers}`;
    popups.set(id, popup);
    return id;
  },
  removePopup(popup) { for (const [id, one] of [...popups]) { if (one === popup) { popups.delete(id); } } },
  removePopupById(id) { popups.delete(id); },
  subscribeForWindowFocused(callback) {
    listeners.add(callback);
    return () => listeners.delete(callback);
  },
  externalLibraryFactory: {
    get groupId() { return state ? state.group.id : ""; },
    focusPage: () => say("focus", { target: "page" }),
    focusFrame: (id) => say("focus", { target: "frame", id: String(id) }),
    focusGroup: () => say("focus", { target: "group" }),
    onStandardButtonClick: (type, id, button) => say("button", { target: type, id: String(id), button }),
    onCustomButtonClick: (type, id, button) => say("customButton", { target: type, id: String(id), button: String(button) }),
    onTabCloseButtonClick: (id) => say("closeTab", { id: String(id) }),
    onTabChannelSelectorClick: (id, bounds) => say("channels", { target: "tab", id: String(id), ...bounds }),
    onFrameChannelSelectorClick: (id, bounds) => say("channels", { target: "frame", id: String(id), ...bounds }),
    onMoveAreaChanged: plan,
    onCaptionTextBoundsChanged(type, id, bounds) {
      captions.set(keyOf(type, id), bounds);
      plan();
    },
    showCaptionEditor: (type, id, text) => edit(type, id, text),
    // Move areas are covered by the window process, which moves the window itself.
    startDragMove() {},
    onCaptionEditorVisibleChanged(type, id, visible) {
      editors.set(keyOf(type, id), visible === true);
      say("editor", { visible: visible === true });
      plan();
    },
    onCaptionEditorBoundsChanged: plan,
    commitCaptionEditing(type, id, text) {
      editing = null;
      say("retitle", { target: type, id: String(id), text: String(text) });
      invoke("hideCaptionEditor", type, id);
    },
    commitEditing() {
      if (editing) { invoke("commitCaptionEditing", editing.type, editing.id); }
      if (document.activeElement && document.activeElement.tagName === "INPUT") { document.activeElement.blur(); }
    },
    updateTabHeaderStyles(options) {
      styles.header = options;
      for (const frame of frames.values()) { if (frame.header) { style(frame.header, options); } }
    },
    updateTabMoveAreaStyles(options) {
      styles.moveArea = options;
      for (const frame of frames.values()) { if (frame.area) { style(frame.area, options); } }
    },
    updateFrameStyles(options) {
      styles.frame = options;
      for (const frame of frames.values()) { style(frame.element, options); }
    },
    selectTab: (id) => say("select", { id: String(id) }),
    openTabOverflowPopup: (id, place) => say("overflow", { id: String(id), left: place.left, top: place.top }),
    resizeTabOverflowPopup() {},
    addTabContainerClass(id, name) { if (tabs.has(id)) { tabs.get(id).element.classList.add(name); } },
    removeTabContainerClass(id, name) { if (tabs.has(id)) { tabs.get(id).element.classList.remove(name); } },
  },
};
on("draw", (next) => {
  const focused = state && state.focused !== next.focused;
  state = next;
  draw();
  if (focused) { for (const callback of listeners) { callback(); } }
});
on("edit", ({ type, id, text }) => edit(type, id, text));
on("commit", () => manager.externalLibraryFactory.commitEditing());
Object.defineProperty(window, "webGroupsManager", { value: manager });
