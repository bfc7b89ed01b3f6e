// The elements of a group that the page does not draw itself; the style sheet of the page determines their look.
function makeElement(name, classes, ...content) {
  const made = document.createElement(name);
  made.className = classes;
  made.append(...content.filter((one) => one));
  return made;
}

function makeButton(name, options, clicked) {
  const inner = makeElement("div", `t42-standard-button t42-standard-button-${name}`);
  const button = makeElement("li", `t42-skip-focus t42-button t42-caption-bar-button t42-tab-bar-button t42-caption-bar-button-${name}`, inner);
  button.title = options.tooltip;
  button.setAttribute("role", "button");
  button.setAttribute("aria-label", options.tooltip);
  button.addEventListener("click", clicked);
  return button;
}

const ORDER = ["overflow", "extract", "minimize", "restore", "maximize", "close"];

function makeButtons(options, kind, actions) {
  const click = (name) => () => actions.onStandardButtonClick(options.targetType, options.targetId, name);
  const custom = (options.customButtons || []).map((one) => {
    const picture = makeElement("div", "t42-custom-button");
    picture.style.backgroundImage = `url("${one.imageData}")`;
    const button = makeElement("li", "t42-button t42-caption-bar-button t42-tab-bar-button", picture);
    button.title = one.tooltip;
    button.addEventListener("click", () => actions.onCustomButtonClick(options.targetType, options.targetId, one.buttonId));
    return button;
  });
  const standard = ORDER.filter((name) => options[name].visible).map((name) => makeButton(name, options[name], click(name)));
  return makeElement("div", `t42-buttons-container ${kind}`, makeElement("ul", `t42-buttons ${kind}`, ...custom, ...standard));
}

function makeSelector(options, kind, clicked) {
  if (!options.channelSelectorVisible) { return null; }
  const { selectedChannels, channelRestrictions } = options;
  const content = makeElement("div", `t42-${kind}-channel-selector-content`);
  const selector = makeElement("div", `t42-buttons t42-${kind}-channel-selector`, content);
  const names = selectedChannels.map((one) => one.name).join(", ");
  selector.title = names ? `Channel: ${names}` : "Select channel";
  selector.setAttribute("role", "button");
  selector.setAttribute("aria-label", selector.title);
  if (selectedChannels.length) {
    // One stripe for each channel.
    const step = 100 / selectedChannels.length;
    const stripes = selectedChannels.map(({ color }, number) => `${color} ${number * step}% ${(number + 1) * step}%`);
    selector.style.backgroundImage = `linear-gradient(90deg, ${stripes.join(", ")})`;
    selector.classList.add("t42-channel-joined");
  }
  if (channelRestrictions && selectedChannels.length) {
    content.textContent = (channelRestrictions.read ? "↓" : "") + (channelRestrictions.write ? "↑" : "");
  }
  selector.addEventListener("mousedown", (event) => event.stopPropagation());
  selector.addEventListener("click", () => {
    const { left, top, width, height } = selector.getBoundingClientRect();
    clicked(options.targetId, { left, top, width, height });
  });
  return selector;
}

function makeCaption(options, kind, actions) {
  const caption = makeElement("div", `t42-caption ${kind}`, options.caption);
  queueMicrotask(() => {
    const { left, top, width, height } = caption.getBoundingClientRect();
    actions.onCaptionTextBoundsChanged(options.targetType, options.targetId, { left, top, width, height });
  });
  return caption;
}

// Draws one element again; `kind` is its name in functions of pages.
function drawElement(kind, options, actions) {
  const parent = options.parentElement;
  if (kind === "GroupCaptionBar" || kind === "FrameCaptionBar") {
    const place = kind === "GroupCaptionBar" ? "t42-group-caption-bar-element" : "t42-frame-caption-bar-element";
    const area = makeElement("div", `t42-move-area ${place}`, makeCaption(options, `t42-title ${place}`, actions));
    area.id = options.moveAreaId;
    const selector = kind === "FrameCaptionBar" ? makeSelector(options, "frame", actions.onFrameChannelSelectorClick) : null;
    parent.replaceChildren(makeElement("div", "t42-react-caption-bar", selector, area, makeButtons(options, place, actions)));
  } else if (kind === "Tab") {
    const chosen = options.selected ? "t42-selected-tab-caption" : "";
    const cross = makeElement("div", "t42-tab-close-button t42-tab-bar-element", makeElement("div", "t42-tab-close-button-content"));
    cross.title = "Close";
    cross.setAttribute("role", "button");
    cross.setAttribute("aria-label", `Close ${options.caption}`);
    cross.addEventListener("mousedown", (event) => event.stopPropagation());
    cross.addEventListener("click", () => actions.onTabCloseButtonClick(options.targetId));
    const selector = makeSelector(options, "tab", actions.onTabChannelSelectorClick);
    const caption = makeCaption(options, `t42-tab-caption ${chosen}`, actions);
    parent.replaceChildren(makeElement("div", "t42-react-tab", selector, caption, options.pinned ? null : cross));
  } else if (kind === "TabBarButtonsContainerElement") {
    parent.replaceChildren(makeButtons(options, "t42-tab-bar-element", actions));
  }
}

// Lets the user edit the caption inside an element.
function editElement(parent, type, id, text, actions) {
  const caption = parent.querySelector(".t42-caption");
  if (!caption) { return; }
  const editor = makeElement("input", "t42-caption-editor");
  editor.value = text;
  editor.maxLength = 500;
  let isOpen = true;
  const finish = (accepted) => {
    if (!isOpen) { return; }
    isOpen = false;
    editor.replaceWith(caption);
    actions.onCaptionEditorVisibleChanged(type, id, false);
    if (accepted) { actions.commitCaptionEditing(type, id, editor.value); }
  };
  editor.addEventListener("mousedown", (event) => event.stopPropagation());
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      finish(event.key === "Enter");
    }
  });
  editor.addEventListener("blur", () => finish(true));
  caption.replaceWith(editor);
  actions.onCaptionEditorVisibleChanged(type, id, true);
  editor.focus();
  editor.select();
}
