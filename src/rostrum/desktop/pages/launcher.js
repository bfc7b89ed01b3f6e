/** Launcher: starts apps, restores layouts, and shows running apps with their channels. */

(() => {
  const { $, make, call, say, show, icon, text, fill, whenTyped } = page;
  const search = $("#search");
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  let listbox = $("#apps");
  let count = 0;

  // Options: one is active at a time, the keyboard focus stays in the search field.

  function option(title, about, picture, act) {
    const made = make(
      "div",
      { class: "option", role: "option", id: `option-${++count}`, "aria-selected": "false" },
      picture,
      text(title, about),
    );
    made.addEventListener("click", act);
    return made;
  }

  function fillOptions(list, options, empty) {
    const before = list.querySelector('[aria-selected="true"]')?.textContent;
    list.replaceChildren(...options);
    if (options.length === 0) list.replaceChildren(make("div", { class: "empty", role: "option", "aria-disabled": "true", "aria-selected": "false" }, empty));
    if (list === listbox) activate(options.find((each) => each.textContent === before) ?? options[0]);
  }

  function activate(chosen) {
    listbox.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    if (!chosen) return search.removeAttribute("aria-activedescendant");
    chosen.setAttribute("aria-selected", "true");
    chosen.scrollIntoView({ block: "nearest" });
    search.setAttribute("aria-activedescendant", chosen.id);
  }

  search.addEventListener("keydown", (event) => {
    const options = [...listbox.querySelectorAll('.option[role="option"]')];
    const at = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key];
    if (event.key === "Enter") options[at]?.click();
    else if (event.key === "Escape") {
      search.value = "";
      find();
    } else if (to !== undefined && (event.key.startsWith("Arrow") || search.value === "")) {
      activate(options[Math.max(0, Math.min(options.length - 1, to))]);
    } else return;
    event.preventDefault();
  });

  // Tabs

  function select(tab) {
    for (const each of tabs) {
      const chosen = each === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
      $(`#${each.getAttribute("aria-controls")}`).hidden = !chosen || search.value.trim() !== "";
    }
    listbox = search.value.trim() !== "" ? $("#found") : ($(`#${tab.getAttribute("aria-controls")} [role="listbox"]`) ?? $("#apps"));
    search.setAttribute("aria-controls", listbox.id);
    activate(listbox.querySelector(".option"));
  }

  const selectedTab = () => tabs.find((tab) => tab.getAttribute("aria-selected") === "true");

  $("#tabs").addEventListener("click", ({ target }) => {
    search.value = "";
    $("#panel-found").hidden = true;
    select(target);
  });
  $("#tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });

  // Search

  async function find() {
    const typed = search.value.trim();
    $("#panel-found").hidden = typed === "";
    select(selectedTab());
    if (typed === "") return;
    const answer = await call("Rostrum.Search.Find", { text: typed, limit: 30 });
    if (!answer || search.value.trim() !== typed) return;
    const kinds = { application: "App", layout: "Layout", workspace: "Workspace", action: "Action" };
    const options = answer.results
      .filter(({ type }) => type in acts)
      .map(({ type, id, title, description }) =>
        option(title, description || kinds[type], icon(title, icons.get(id)), () => acts[type](id, title)),
      );
    fillOptions($("#found"), options, "Nothing found.");
  }
  whenTyped(search, find);

  // Actions of the options

  const icons = new Map();

  async function startApp(name, title) {
    say("");
    if (await call("Rostrum.Apps.Start", { name })) say(`${title} is starting.`, true);
  }

  async function restore(name, type = "Global") {
    say("");
    const answer = await call("Rostrum.Layouts.Restore", { name, type });
    if (answer?.notes?.length) say(answer.notes.join(" "));
  }

  const acts = {
    application: startApp,
    layout: (name) => restore(name),
    workspace: (name) => restore(name, "Workspace"),
    action: (id) => call("Pages.Leave", { restart: id === "restart" }),
  };

  async function drawApps() {
    const answer = await call("Rostrum.Apps.List");
    if (!answer) return;
    const apps = answer.applications.filter((app) => !app.hidden);
    apps.sort((a, b) => (a.sortOrder ?? 1e6) - (b.sortOrder ?? 1e6) || (a.title ?? a.name).localeCompare(b.title ?? b.name));
    for (const app of apps) icons.set(app.name, app.icon);
    const options = apps.map((app) => {
      const title = app.title ?? app.name;
      return option(title, app.caption, icon(title, app.icon), () => startApp(app.name, title));
    });
    fillOptions($("#apps"), options, "No apps are assigned to you.");
  }

  async function drawLayouts() {
    const answer = await call("Rostrum.Layouts.List", { type: "Global" });
    if (!answer) return;
    const options = answer.layouts.map(({ name, default: isDefault }) =>
      option(name, isDefault ? "Default" : "", icon(name), () => restore(name)),
    );
    fillOptions($("#layouts"), options, "No layouts yet. Arrange windows, then save them on the page Layouts.");
  }

  async function drawRunning() {
    const answer = await call("Pages.Running");
    if (!answer) return;
    $("#tab-running").textContent = `Running (${answer.instances.length})`;
    fill(
      $("#running"),
      answer.instances.map(({ id, title, channels: [channel] }) => {
        const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.setProperty("--channel", answer.channels.find(({ name }) => name === channel)?.color ?? "transparent");
        const selector = make(
          "select",
          { "aria-label": `Channel of ${title}`, onchange: ({ target }) => call("Pages.SetChannel", { instance: id, channel: target.value }) },
          make("option", { value: "" }, "No channel"),
          ...answer.channels.map(({ name }) => make("option", { value: name, selected: name === channel }, name)),
        );
        return make(
          "li",
          {},
          make("button", { type: "button", class: "plain text", "aria-label": `Show ${title}`, onclick: () => call("Pages.Focus", { instance: id }) }, title),
          ...(answer.channels.length > 0 ? [swatch, selector] : []),
          make("button", { type: "button", class: "plain", "aria-label": `Close ${title}`, onclick: () => call("Rostrum.Instances.Stop", { instance: id }) }, "✕"),
        );
      }),
      "No apps are running.",
    );
  }

  async function drawStatus() {
    const [status, notifications] = await Promise.all([call("Pages.Summary"), call("Rostrum.Notifications.List")]);
    if (status) $("#status").textContent = [status.user, status.environment, status.offline ? "Offline" : ""].filter(Boolean).join(" · ");
    const badge = notifications?.badge;
    $("#badge").textContent = badge ? ` ${badge}` : "";
    $("#badge").className = badge ? "badge" : "";
  }

  document.querySelector("footer").addEventListener("click", ({ target }) => {
    const name = target.closest("button")?.dataset.page;
    if (name) call("Pages.Show", { page: name });
  });

  show(["apps"], drawApps);
  show(["layouts"], drawLayouts);
  show(["instances", "channels"], drawRunning);
  show(["status", "notifications"], drawStatus);
})();
