// Runs in the main world of the main frame, on the origins of the app only, before any script of the page.
(function () {
  "use strict";
  // ---- The connection to the window host, through the isolated world ----
  __CONNECT__
  const info = config.info;
  const NativeSocket = window.WebSocket;
  const nativeOpen = window.open;
  const answers = new Map();
  const sockets = new Map();
  let counter = 0;

  function post(op, args) {
    port.postMessage({ op, args });
  }

  function request(op, args) {
    counter += 1;
    const n = counter;
    return new Promise((resolve, reject) => {
      answers.set(n, { resolve, reject });
      port.postMessage({ n, op, args });
    });
  }

  port.onmessage = (event) => {
    const message = event.data;
    if (message.n !== undefined) {
      const answer = answers.get(message.n);
      answers.delete(message.n);
      if (answer !== undefined) {
        message.error === undefined ? answer.resolve(message.result) : answer.reject(new Error(message.error));
      }
    } else if (message.ask !== undefined) {
      askHandlers(message).then((result) => post("answer", { ask: message.ask, result }));
    } else if (message.socket !== undefined) {
      sockets.get(message.socket)?.receive(message);
    } else if (message.monitors !== undefined) {
      api.monitors = message.monitors;
    }
  };

  // ---- Handlers that are called before the window closes, reloads or navigates ----
  const handlers = { close: [], refresh: [], navigate: [] };

  function addHandler(event, callback, windowId) {
    if (typeof callback !== "function") {
      throw new Error("The handler must be a function.");
    }
    const entry = { callback, window: windowId || info.windowId };
    handlers[event].push(entry);
    const tell = (kind) => post(kind, { event, window: entry.window });
    tell("handlerAdded");
    return () => {
      const index = handlers[event].indexOf(entry);
      if (index >= 0) {
        handlers[event].splice(index, 1);
        tell("handlerRemoved");
      }
    };
  }

  async function askHandlers({ event, window: windowId, args }) {
    const asked = handlers[event].filter((entry) => entry.window === windowId);
    const answersOfAll = asked.map(
      ({ callback }) =>
        new Promise((resolve) => {
          let prevented = false;
          const done = () => resolve(prevented);
          try {
            callback(done, done, () => { prevented = true; }, args);
          } catch (error) {
            console.error(error);
            done();
          }
        }),
    );
    return { prevented: (await Promise.all(answersOfAll)).includes(true) };
  }

  // ---- A WebSocket to the gateway that does not depend on the content security policy of the page ----
  let usesChannel = false;
  let lastSocket = 0;

  class GatewaySocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;

    #handlers = {};
    #native = null;
    #id = 0;
    #buffered = 0;

    constructor(url) {
      super();
      this.url = url;
      this.protocol = "";
      this.extensions = "";
      this.binaryType = "blob";
      this.readyState = GatewaySocket.CONNECTING;
      usesChannel ? this.#openChannel() : this.#openNative();
    }

    get bufferedAmount() {
      return this.#native === null ? this.#buffered : this.#native.bufferedAmount;
    }

    send(data) {
      if (this.readyState === GatewaySocket.CONNECTING) {
        throw new DOMException("The connection is not open yet.", "InvalidStateError");
      }
      if (this.#native !== null) {
        this.#native.send(data);
      } else if (this.readyState === GatewaySocket.OPEN) {
        if (typeof data !== "string") {
          throw new DOMException("The gateway accepts text only.", "NotSupportedError");
        }
        this.#buffered += data.length;
        post("socket.send", { id: this.#id, data, length: data.length });
      }
    }

    close(code, reason) {
      if (this.readyState >= GatewaySocket.CLOSING) {
        return;
      }
      this.readyState = GatewaySocket.CLOSING;
      this.#native !== null ? this.#native.close(code, reason) : post("socket.close", { id: this.#id });
    }

    #openNative() {
      // A policy of the page that forbids the connection shows as an exception, or as an error before it is open. The
      // channel then decides whether there is a gateway.
      let socket;
      try {
        socket = new NativeSocket(this.url);
      } catch {
        this.#openChannel();
        return;
      }
      this.#native = socket;
      const fail = () => {
        if (this.#native !== null) {
          this.#native = null;
          this.#openChannel();
        }
      };
      socket.onopen = () => this.#opened();
      socket.onmessage = (event) => this.#emit(new MessageEvent("message", { data: event.data }));
      socket.onerror = () => (this.readyState === GatewaySocket.CONNECTING ? fail() : this.#emit(new Event("error")));
      socket.onclose = (event) =>
        this.readyState === GatewaySocket.CONNECTING
          ? fail()
          : this.#closed(event.code, event.reason, event.wasClean);
    }

    #openChannel() {
      lastSocket += 1;
      this.#id = lastSocket;
      sockets.set(this.#id, this);
      post("socket.open", { id: this.#id });
    }

    receive(message) {
      if (message.event === "open") {
        usesChannel = true;
        this.#opened();
      } else if (message.event === "messages") {
        post("socket.read", { id: this.#id, length: message.length });
        message.data.forEach((data) => this.#emit(new MessageEvent("message", { data })));
      } else if (message.event === "sent") {
        this.#buffered -= message.length;
      } else if (message.event === "close") {
        sockets.delete(this.#id);
        if (message.code === 1006) {
          usesChannel = false;
          this.#emit(new Event("error"));
        }
        this.#closed(message.code, message.reason, message.code !== 1006);
      }
    }

    #opened() {
      if (this.readyState === GatewaySocket.CONNECTING) {
        this.readyState = GatewaySocket.OPEN;
        this.#emit(new Event("open"));
      }
    }

    #closed(code, reason, wasClean) {
      this.readyState = GatewaySocket.CLOSED;
      this.#emit(new CloseEvent("close", { code, reason, wasClean }));
    }

    #emit(event) {
      this.dispatchEvent(event);
    }

    #handler(name, handler) {
      if (this.#handlers[name]) {
        this.removeEventListener(name, this.#handlers[name]);
      }
      this.#handlers[name] = typeof handler === "function" ? handler : null;
      if (this.#handlers[name]) {
        this.addEventListener(name, this.#handlers[name]);
      }
    }

    get onopen() { return this.#handlers.open ?? null; }
    set onopen(handler) { this.#handler("open", handler); }
    get onmessage() { return this.#handlers.message ?? null; }
    set onmessage(handler) { this.#handler("message", handler); }
    get onerror() { return this.#handlers.error ?? null; }
    set onerror(handler) { this.#handler("error", handler); }
    get onclose() { return this.#handlers.close ?? null; }
    set onclose(handler) { this.#handler("close", handler); }
  }
  for (const [name, value] of Object.entries({ CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 })) {
    Object.defineProperty(GatewaySocket.prototype, name, { value });
  }

  function isGateway(url) {
    try {
      return new URL(url, location.href).href === new URL(config.gateway).href;
    } catch {
      return false;
    }
  }

  // ---- Windows that the page opens: their names and features are sent to the host, because the engine does not report them ----
  function announce(url, name, features) {
    let address = String(url ?? "");
    try {
      address = address && new URL(address, document.baseURI).href;
    } catch {
      // The engine opens no window for it.
    }
    return { url: address, name: String(name ?? ""), features: String(features ?? "") };
  }

  addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href && node.target);
    if (link && !event.defaultPrevented && !["_self", "_parent", "_top"].includes(link.target)) {
      post("opening", announce(link.href, link.target === "_blank" ? "" : link.target, ""));
    }
  });

  function copyStyles(child) {
    for (const node of document.querySelectorAll("style, link[rel~=stylesheet]")) {
      child.document.head.append(child.document.importNode(node, true));
    }
  }

  async function createProcessWindow(options) {
    const { name = "", features = "", copyStyles: copies = true } = options ?? {};
    await request("opening", announce("", name, features));
    const child = nativeOpen.call(window, "", name, "popup, " + features);
    if (!child) {
      throw new Error("The window was not opened: the platform does not allow it (nativeWindowOpen, windowOpen).");
    }
    if (copies) {
      copyStyles(child);
    }
    return child;
  }

  // ---- The globals ----
  let ownToken = null;
  const api = {
    gwURL: config.gateway,
    async getGWToken() {
      const token = ownToken;
      ownToken = null;
      return token ?? request("token", {});
    },
    setGWToken(token) {
      ownToken = typeof token === "string" ? token : null;
    },
    windowId: info.windowId,
    windowName: info.windowName,
    appInstanceId: info.appInstanceId,
    application: info.application,
    applicationName: info.applicationName,
    appName: info.appName,
    pid: info.pid,
    env: info.env,
    user: info.user,
    consoleLogLevel: info.consoleLogLevel ?? undefined,
    initialChannel: info.initialChannel ?? undefined,
    monitors: info.monitors,
    context: info.context,
    version: info.version,
    uiVersion: info.uiVersion,
    build: info.build,
    chromium: info.chromium,
    metrics: info.metrics,
    activityInfo: undefined,
    autoInjected: undefined,
    autoInjectedFdc3: undefined,
    autoInited: undefined,
    addCloseHandler: (callback, windowId) => addHandler("close", callback, windowId),
    addRefreshHandler: (callback, windowId) => addHandler("refresh", callback, windowId),
    addWillNavigateHandler: (callback, windowId) => addHandler("navigate", callback, windowId),
    getWindowInfo: (id) =>
      id === info.windowId
        ? { applicationName: info.applicationName, activityId: undefined, activityWindowId: undefined }
        : undefined,
    createProcessWindow,
    updatePerfData() {},
    getMetricsPublishingEnabled: () => info.metricsEnabled,
    clearCache: () => request("clearCache", {}),
    clearHostResolverCache: () => request("clearHostResolverCache", {}),
  };
  const versions = { version: info.legacyVersion, versionNum: info.versionNum, build: info.build };
  Object.assign(window, {
    iodesktop: api,
    glue42gd: api,
    glueDesktop: versions,
    ioDesktopInfo: { ...versions, version: info.version },
    gdPreloadPromise: Promise.resolve(),
  });
  if (info.htmlContainer) {
    window.htmlContainer = {
      containerName: "Rostrum",
      application: info.application,
      getContext: () => ({ ...info.context }),
    };
  }
  window.WebSocket = new Proxy(NativeSocket, {
    construct(target, args, newTarget) {
      return isGateway(args[0]) ? new GatewaySocket(args[0]) : Reflect.construct(target, args, newTarget);
    },
  });
  window.open = function open(url, name, features) {
    post("opening", announce(url, name, features));
    return nativeOpen.apply(window, arguments);
  };
})();
