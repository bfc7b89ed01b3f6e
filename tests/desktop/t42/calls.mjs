// Calls of the unmodified desktop libraries, one after the other; they run in Node, and in the page of a window.
const PATIENCE = 20_000;

// Makes the calls, each of which returns what the library answered. `create` is the factory of the library, `options`
// what it is given, `pages` the address of the pages that windows show.
export function makeCalls({ create, options, mode, pages }) {
  let io, win, other, started;
  const next = (subscribe) => new Promise((resolve) => subscribe((...given) => resolve(given)));
  const bounds = (of = win) => [of.bounds.left, of.bounds.top, of.bounds.width, of.bounds.height];
  const refused = async (promise) => {
    try {
      await promise;
    } catch (trouble) {
      return trouble?.returned?.errorMsg || trouble?.message || String(trouble);
    }
    throw new Error("expected a refusal");
  };
  // A page adds handlers over the channel of its window, and calls over the gateway: wait for both.
  const settled = async () => {
    await execute("getIcon");
    await globalThis.glue42gd?.getGWToken();
  };
  const execute = (command, options = {}, more = {}) =>
    io.interop.invoke("T42.Wnd.Execute", { command, windowId: win?.id, options, ...more }).then((r) => r.returned);
  const until = (condition) =>
    new Promise((resolve) => {
      const look = () => (condition() ? resolve(true) : setTimeout(look, 5));
      look();
    });

  return {
    init: async () => {
      io = await create({ ...options, ...(mode ? { appManager: { mode } } : {}) });
      return ["windows", "appManager", "apps"].filter((name) => io[name] !== undefined);
    },
    seconds: async () => {
      const start = performance.now();
      io = await create(options);
      return (performance.now() - start) / 1000;
    },
    // Windows
    open: async () => {
      const added = next(io.windows.onWindowAdded);
      win = await io.windows.open("first", `${pages}/first`, {
        left: 10, top: 20, width: 300, height: 200, title: "First", context: { a: 1 }, mode: "flat", state: "normal",
      });
      const [one] = await added;
      return [one.id === win.id, win.name, win.title, win.url, bounds(), win.state, win.mode, win.isVisible];
    },
    openRelative: async () => {
      const options = { width: 100, height: 100, relativeTo: win, relativeDirection: "right" };
      other = await io.windows.open("second", `${pages}/second`, options);
      return bounds(other);
    },
    openHidden: async () => {
      const hidden = await io.windows.open("third", `${pages}/third`, { hidden: true });
      const found = io.windows.find("third");
      const visible = hidden.isVisible;
      await hidden.close();
      return [found.id === hidden.id, visible, io.windows.findById(hidden.id) === undefined];
    },
    list: async () => io.windows.list().map((one) => one.name).sort(),
    find: async () => [io.windows.find("first").id === win.id, io.windows.findById(win.id).name],
    my: async () => io.windows.my()?.id ?? null,
    moveResize: async () => {
      const moved = next(win.onBoundsChanged);
      await win.moveResize({ left: 50, top: 60, width: 400, height: 300 });
      await moved;
      return bounds();
    },
    moveTo: async () => (await win.moveTo(70, 80), bounds()),
    resizeTo: async () => (await win.resizeTo(410, 310), bounds()),
    center: async () => (await win.center(), bounds()),
    maximize: async () => (await win.maximize(), win.state),
    restore: async () => (await win.restore(), win.state),
    minimize: async () => (await win.minimize(), win.state),
    restoreAgain: async () => (await win.restore(), win.state),
    maximizeRestore: async () => {
      await win.maximizeRestore();
      const first = win.state;
      await win.maximizeRestore();
      return [first, win.state];
    },
    collapse: async () => {
      await win.collapse();
      const first = win.isCollapsed;
      await win.expand();
      const second = win.isCollapsed;
      await win.toggleCollapse();
      const third = win.isCollapsed;
      await win.toggleCollapse();
      return [first, second, third, win.isCollapsed];
    },
    focus: async () => {
      await other.activate();
      const got = next(io.windows.onWindowGotFocus);
      await win.focus();
      const [one] = await got;
      await other.activate();
      await until(() => !win.isFocused);
      return [one.id === win.id, win.isFocused, other.isFocused];
    },
    hide: async () => (await win.hide(), win.isVisible),
    show: async () => (await win.show(), win.isVisible),
    setVisible: async () => (await win.setVisible(false), await win.setVisible(true), win.isVisible),
    setTitle: async () => (await win.setTitle("Renamed"), [win.title, await win.getTitle()]),
    tooltip: async () => (await win.setTabTooltip("Tip"), win.getTabTooltip()),
    setStyle: async () => (await win.setStyle({ minWidth: 150, minHeight: 140, onTop: true, tabTitle: "Tab" }), win.title),
    navigate: async () => (await win.navigate(`${pages}/next`), win.url),
    getURL: async () => win.getURL(),
    refresh: async () => (await win.refresh(true), win.url),
    goBack: async () => (await win.goBack(), true),
    goForward: async () => (await win.goForward(), true),
    updateContext: async () => (await win.updateContext({ b: 2 }), win.getContext()),
    setContext: async () => (await win.setContext({ c: 3 }), win.getContext()),
    onTop: async () => (await win.setOnTop("always"), await win.setOnTop(false), true),
    constraints: async () => {
      await win.setSizeConstraints({ minWidth: 200, maxWidth: 350, minHeight: 100 });
      return [await win.getSizeConstraints(), win.bounds.width];
    },
    zoom: async () => {
      const first = win.zoomFactor;
      await win.zoomIn();
      const second = win.zoomFactor;
      await win.zoomOut();
      await win.zoomOut();
      const third = win.zoomFactor;
      await win.setZoomFactor(200);
      return [first, second, third, win.zoomFactor];
    },
    buttons: async () => {
      const added = next(win.onFrameButtonAdded);
      await win.addFrameButton({ buttonId: "b", tooltip: "B", order: 1, imageBase64: "aW1hZ2U=" });
      const [button] = await added;
      const names = win.frameButtons.map((one) => one.buttonId);
      const removed = next(win.onFrameButtonRemoved);
      await win.removeFrameButton("b");
      await removed;
      return [button.tooltip, names, win.frameButtons.length];
    },
    getButtons: async () => win.getButtons(),
    icon: async () => (await win.setIcon("data:image/png;base64,AAAA"), win.getIcon()),
    frameColor: async () => (await win.setFrameColor("#102030"), win.frameColor),
    flash: async () => (await win.flash(true), await win.flashTab(false), true),
    lock: async () => {
      await win.lock();
      const locked = win.isLocked;
      await win.unlock();
      return [locked, win.isLocked];
    },
    modal: async () => (await win.setModalState(true), true),
    loader: async () => (await win.showLoader({ loaderText: "Wait" }), await win.hideLoader(), true),
    workspaceDrop: async () => (await win.setAllowWorkspaceDrop(false), win.allowWorkspaceDrop),
    place: async () => {
      const settings = { snapped: true, verticalAlignment: "top", horizontalAlignment: "right", width: 220, height: "50%" };
      await win.place({ ...settings, display: 1 });
      await until(() => win.placementSettings.snapped);
      return bounds();
    },
    clearPlacement: async () => (await win.clearPlacement({ restoreBounds: true }), bounds()),
    print: async () => (await win.print({}), true),
    printToPDF: async () => (await win.printToPDF({})) ?? null,
    download: async () => (await win.download(`${pages}/file`, {})).url,
    devTools: async () => (await win.showDevTools(), true),
    clone: async () => {
      const copy = await win.clone({ context: { copy: true }, offset: { left: 5, top: 6 } });
      const found = [copy.bounds.left - win.bounds.left, copy.bounds.top - win.bounds.top, await copy.getContext()];
      await copy.close();
      return found;
    },
    popup: async () => {
      await other.hide();
      const targetBounds = { left: 10, top: 10, width: 20, height: 20 };
      const size = { width: 50, height: 40 };
      await win.showPopup({ windowId: other.id, targetBounds, size, targetLocation: "bottom" });
      return [other.isVisible, other.bounds.left - win.bounds.left, other.bounds.top - win.bounds.top, other.bounds.width];
    },
    dialog: async () => win.showDialog({ type: "YesNo", message: "Really?", title: "Sure" }),
    dialogOfUnknownType: async () => refused(win.showDialog({ type: "Custom", message: "x" })),
    groups: async () => io.windows.groups.list().some((group) => group.windows.some((one) => one.id === win.id)),
    groupTitle: async () => io.windows.groups.list().find((group) => group.id === win.groupId).getTitle(),
    groupMaximize: async () => {
      const group = io.windows.groups.list().find((one) => one.id === win.groupId);
      await group.maximize();
      const state = win.state;
      await group.restore();
      await group.hide();
      const visible = win.isVisible;
      await group.show();
      return [state, win.state, visible, win.isVisible];
    },
    jumpList: async () => win.jumpList.isEnabled(),
    docking: async () => [await win.getDockingPlacement(), await win.getDockingConfig()],
    configuration: async () => win.getConfiguration(),
    onClosing: async () => {
      let asked = 0;
      const stop = win.onClosing(async (prevent) => (asked++, prevent()));
      await settled();
      const closed = await win.close({ allowPrevent: true });
      stop();
      await settled();
      return [closed, asked, io.windows.findById(win.id) !== undefined];
    },
    onRefreshing: async () => {
      const stop = win.onRefreshing(async (prevent) => prevent());
      await settled();
      const message = await refused(win.refresh());
      stop();
      await settled();
      await win.refresh();
      return message;
    },
    events: async () => {
      const seen = [];
      const stop = io.windows.onEvent((event) => event.windowId === win.id && seen.push(event.type));
      await win.moveResize({ left: 1, top: 2 });
      await win.setTitle("Seen");
      stop();
      return seen;
    },
    // Each change of a window is told by an event of its own.
    windowEvents: async () => {
      const heard = [];
      const hear = (name) => () => heard.push(name);
      const stops = [
        win.onTitleChanged(hear("title")),
        win.onContextUpdated(hear("context")),
        win.onVisibilityChanged(hear("visible")),
        win.onZoomFactorChanged(hear("zoom")),
        win.onFrameColorChanged(hear("color")),
        win.onMaximized(hear("maximized")),
        win.onNormal(hear("normal")),
        win.onUrlChanged(hear("url")),
        win.onLockingChanged(hear("locked")),
      ].filter((stop) => typeof stop === "function");
      // Some events are told once at the start, some time later: only those that are expected count.
      const step = async (change, ...names) => {
        await change();
        await until(() => names.every((name) => heard.includes(name)));
        heard.splice(0);
        return names;
      };
      const found = {
        title: await step(() => win.setTitle("Other"), "title"),
        context: await step(() => win.updateContext({ e: 5 }), "context"),
        visible: await step(() => win.hide(), "visible"),
        zoom: await step(() => win.show().then(() => win.setZoomFactor(100)), "visible", "zoom"),
        color: await step(() => win.setFrameColor("#405060"), "color"),
        state: await step(() => win.maximize().then(() => win.restore()), "maximized", "normal"),
        lock: await step(() => win.lock().then(() => win.unlock()), "locked"),
        url: await step(() => win.navigate(`${pages}/first`), "url"),
      };
      stops.forEach((stop) => stop());
      return Object.values(found).map((names) => names.join());
    },
    onNavigating: async () => {
      const heard = [];
      const stop = win.onNavigating(async ({ newUrl }) => void heard.push(newUrl));
      await settled();
      await win.navigate(`${pages}/next`);
      stop();
      await settled();
      return [heard, win.url];
    },
    display: async () => (await win.getDisplay()).isPrimary,
    snap: async () => refused(win.snap(win.id, "right")),
    attachTab: async () => refused(win.attachTab(win)),
    detachTab: async () => refused(win.detachTab()),
    sticky: async () => refused(win.setSticky(false)),
    resetButtons: async () => {
      await win.resetButtons({ allowClose: false, allowMinimize: true });
      return (await win.getButtons()).allowClose;
    },
    missingButton: async () => refused(win.resetButtons({ allowCollapse: true })),
    dock: async () => {
      const before = `${bounds()}`;
      const placement = await win.dock({ position: "top", height: 100, saveBounds: true });
      const docked = bounds();
      await win.undock({ restoreBounds: true });
      return [placement, docked[0], docked[1], docked[3], `${bounds()}` === before];
    },
    dockedNowhere: async () => refused(win.dock({ position: "middle" })),
    flydown: async () => {
      const zones = [{ id: "zone", bounds: { left: 0, top: 0, width: 5, height: 5 } }];
      return refused(io.windows.createFlydown(win.id, { windowId: other.id, zones }));
    },
    jumpListUpdate: async () => refused(win.jumpList.setEnabled(true)),
    createGroups: async () => refused(io.windows.groups.create({ groups: [{ frames: [] }] })),
    executeCode: async () => execute("executeCode", { code: "1+1" }),
    capture: async () => execute("captureScreenshot", {}),
    unknownCommand: async () => execute("jump", {}, { token: "t" }),
    misspeltCommand: async () => execute("maximise", {}, { token: "t" }),
    unknownWindow: async () => execute("maximize", {}, { windowId: "nobody's", token: "t" }),
    close: async () => {
      const gone = next(win.onClose);
      await win.close();
      await gone;
      await other.close();
      return io.windows.list().filter((one) => ["first", "second"].includes(one.name)).length;
    },
    getInfo: async () => {
      const shown = io.windows.list()[0];
      const { returned } = await io.interop.invoke("T42.Wnd.GetInfo", { ids: [shown.id, "other", 7] });
      return [returned.windows.length, returned.windows[0].title === shown.title];
    },
    // App manager
    applications: async () => io.appManager.applications().map((app) => app.name).sort(),
    application: async () => {
      const app = io.appManager.application("clock");
      const { title, type, caption, keywords, userProperties, allowMultiple, mode: look } = app;
      return [title, type, caption, keywords, userProperties, app.windowSettings.width, allowMultiple, look];
    },
    getConfiguration: async () => (await io.appManager.application("clock").getConfiguration()).details.width,
    getConfigurations: async () => (await io.appManager.getConfigurations()).length,
    myApplication: async () => io.appManager.myApplication?.name ?? null,
    start: async () => {
      const options = { awaitInterop: false, waitForAGMReady: false, left: 33, top: 44, width: 250, height: 150 };
      started = await io.appManager.application("clock").start({ zone: "Oslo" }, options);
      return started.application.name;
    },
    startedContext: async () => {
      await until(() => io.windows.findById(started.id));
      return io.windows.findById(started.id).context;
    },
    startedBy: async () => started.startedBy(),
    activate: async () => {
      await started.activate();
      await until(() => io.windows.findById(started.id)?.isFocused);
      return bounds(io.windows.findById(started.id));
    },
    instances: async () => io.appManager.instances().some((one) => one.id === started.id),
    stop: async () => {
      await started.stop();
      return io.appManager.instances().some((one) => one.id === started.id);
    },
    startAndWait: async () => {
      const one = await io.appManager.application("helper").start({}, { timeout: 15 });
      const server = one.agm;
      await one.stop();
      return server ? [server.application, server.instance === one.id] : null;
    },
    startUnknown: async () => refused(io.interop.invoke("T42.ACS.StartApplication", { Name: "nobody" })),
    inMemoryImport: async () => {
      const apps = [{ name: "made", type: "window", details: { url: `${pages}/made` } }, { name: "broken", type: "window" }];
      const { imported, errors } = await io.appManager.inMemory.import(apps, "merge");
      return [imported, errors.map((one) => one.app)];
    },
    appAdded: async () => (await until(() => io.appManager.application("made")), io.appManager.application("made").title),
    inMemoryExport: async () => (await io.appManager.inMemory.export()).map((app) => app.name),
    inMemoryRemove: async () => (await io.appManager.inMemory.remove("made"), (await io.appManager.inMemory.export()).length),
    appRemoved: async () => until(() => !io.appManager.application("made")),
    inMemoryClear: async () => (await io.appManager.inMemory.clear(), (await io.appManager.inMemory.export()).length),
    region: async () => io.appManager.getRegion(),
    branch: async () => refused(io.appManager.setCurrentBranch("X")),
    setRegion: async () => refused(io.appManager.setRegion("X")),
    branches: async () => [await io.appManager.getBranches(), await io.appManager.getCurrentBranch()],
    user: async () => (await io.appManager.currentUser()).LoginName,
    canI: async () => [await io.appManager.canI("trade"), await io.appManager.getFunctionalEntitlement("trade")],
    // Apps
    appsMy: async () => [io.apps.my.appName, io.apps.my.instance.startedBy.startedBy],
    appsGet: async () => {
      const app = await io.apps.registry.get({ name: "clock", includeDefinition: true, includeInstances: true });
      return [app.name, app.type, app.title, app.definition.details.width, app.instances.length, app.isHidden];
    },
    appsGetNone: async () => io.apps.registry.get({ name: "nobody" }),
    appsGetMany: async () => {
      const names = async (filter) => (await io.apps.registry.getMany(filter)).map((app) => app.name).sort();
      return [
        await names(),
        await names({ keywords: ["time"] }),
        await names({ types: ["node"], isHidden: false }),
        await names({ customProperties: { team: "fx" } }),
        await names({ names: ["clock", "nobody"], isInMemory: false }),
      ];
    },
    appsHas: async () => [await io.apps.registry.has("clock"), await io.apps.registry.has("nobody")],
    appsStart: async () => {
      const heard = [];
      const stops = await Promise.all([
        io.apps.instances.onStarted((event) => heard.push(`started ${event.instance.appName}`)),
        io.apps.instances.onStopped((event) => heard.push(`stopped ${event.instance.appName}`)),
        io.apps.instances.onStateChanged((event) => heard.push(event.state)),
      ]);
      const one = await io.apps.instances.start({ name: "clock", context: { x: 1 } });
      const state = await io.apps.instances.getState({ id: one.id });
      const context = await io.apps.instances.getContext({ id: one.id });
      const same = await io.apps.instances.start({ name: "clock", reuseInstance: true });
      const found = await io.apps.instances.get({ id: one.id });
      const many = await io.apps.instances.getMany({ ids: [one.id], startedAfter: new Date(0) });
      const again = await io.apps.instances.restart({ id: one.id, context: { x: 2 } });
      const afterwards = await io.apps.instances.getContext({ id: again.id });
      await io.apps.instances.stop({ id: again.id });
      await until(() => heard.filter((what) => what === "stopped clock").length === 2);
      stops.forEach((stop) => stop());
      return {
        date: one.startedAt instanceof Date, by: one.startedBy.startedBy, state, context, same: same.id === one.id,
        found: found.appName, many: many.length, another: again.id !== one.id, afterwards, heard,
      };
    },
    appsWaitForReady: async () => {
      const one = await io.apps.instances.start({ name: "helper" });
      await io.apps.instances.waitForReady({ id: one.id });
      const state = await io.apps.instances.getState({ id: one.id });
      await until(() => one.interopInstance);
      await io.apps.instances.stop({ id: one.id });
      return state;
    },
    appsStartUnknown: async () => io.apps.instances.start({ name: "nobody" }).catch((trouble) => trouble.code),
    appsInMemory: async () => {
      const heard = [];
      const stops = await Promise.all([
        io.apps.registry.onAdded((event) => heard.push(`added ${event.app.name}`)),
        io.apps.registry.onUpdated((event) => heard.push(`updated ${event.app.title}`)),
        io.apps.registry.onRemoved((event) => heard.push(`removed ${event.appName}`)),
      ]);
      const app = { name: "temp", type: "window", title: "One", details: { url: `${pages}/temp` } };
      const { imported, errors } = await io.apps.registry.inMemory.import([app, { name: "bad" }], "merge");
      await io.apps.registry.inMemory.import([{ ...app, title: "Two" }], "merge");
      const has = await io.apps.registry.inMemory.has("temp");
      await io.apps.registry.inMemory.remove({ name: "temp" });
      await io.apps.registry.inMemory.clear();
      await until(() => heard.length === 3);
      stops.forEach((stop) => stop());
      return [imported, errors.map((one) => one.app), has, heard];
    },
    unknownAppsCommand: async () => refused(io.interop.invoke("apps.command", { command: "fly", args: {} })),
    // The platform
    about: async () => (await io.interop.invoke("T42.GD.GetInfo")).returned.productInfo.name,
    cookies: async () => io.cookies.get({ name: "x" }).catch((trouble) => trouble.message),
    telemetry: async () => (await io.interop.invoke("T42.Otel.GetConfig")).returned.enabled,
    registerInstance: async () => (await io.interop.invoke("T42.ACS.RegisterInstance", { appName: "clock", pid: 1 })).returned,
    log: async () => (await io.interop.invoke("T42.AppLogger.Log", { msg: "hello\nthere", level: "warn", logger: "me" })).returned,
    feedback: async () => (io.feedback({}), (await io.interop.invoke("T42.ACS.Feedback", {})).returned),
    onShuttingDown: async () => {
      const heard = [];
      io.appManager.onShuttingDown(async (args) => (heard.push(args), { prevent: true }));
      await until(() => io.interop.methods({ name: "T42.ACS.OnGDShutdown" }).length > 0);
      const message = await refused(io.appManager.exit({ showDialog: false, reason: "test" }));
      return [message, heard.map(({ restarting, reason }) => [restarting, reason])];
    },
    done: async () => (await io.done(), true),
  };
}

// Makes the calls one after the other, and reports each: its name with its value, or with an error.
export async function run(calls, names, report) {
  // One of the calls replaces init.
  for (const name of names ?? Object.keys(calls).filter((one) => one !== "seconds")) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no answer")), PATIENCE)));
    const reported = { name };
    try {
      reported.value = await Promise.race([calls[name](), late]);
    } catch (trouble) {
      reported.error = text(trouble);
    }
    clearTimeout(timer);
    report(reported);
    if (name === "init" && reported.error) return;
  }
}

export function text(trouble) {
  return trouble?.message ?? trouble?.err?.message ?? String(trouble);
}
