/** Common functions of the platform's pages. `window.rostrum` is the bridge of the window: `call` and `on`. */

/* exported page */
const page = (() => {
  const $ = (selector) => document.querySelector(selector);

  /**
   * Create an element: `make("li", {class: "row"}, "text", otherElement)`. Members that start with "on" are listeners.
   */
  function make(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  /** Show an error or a result; an empty text shows nothing. */
  function say(text, done = false) {
    const message = $("#message");
    message.textContent = text;
    message.classList.toggle("done", done);
  }

  let waiting = 0;

  function wait(change) {
    waiting += change;
    document.body.setAttribute("aria-busy", String(waiting > 0));
  }

  /** Call the platform; a failure is shown on the page, and the result is null. */
  async function call(method, args = {}) {
    wait(1);
    try {
      return (await window.rostrum.call(method, args)) ?? {};
    } catch (error) {
      say(error?.message ?? String(error));
      return null;
    } finally {
      wait(-1);
    }
  }

  /** Show data now, and again when one of these topics changes. */
  async function show(topics, draw) {
    let running = false;
    let again = false;
    const update = async () => {
      again = true;
      if (running) return;
      running = true;
      while (again) {
        again = false;
        await draw();
      }
      running = false;
    };
    window.rostrum.on("changed", ({ topic }) => {
      if (topics.includes(topic)) update();
    });
    await update();
  }

  /** The icon of an app if it is part of the definition, otherwise the first letter of its title. */
  function icon(title, address) {
    const picture = make("span", { class: "icon", "aria-hidden": "true" });
    if (address?.startsWith("data:image/")) picture.append(make("img", { src: address, alt: "" }));
    else picture.append((title.trim()[0] ?? "?").toUpperCase());
    return picture;
  }

  /** Text in two lines: a title and a description. */
  const text = (title, about) => make("span", { class: "text" }, make("span", {}, title), about ? make("small", {}, about) : null);

  /** Show a list, or a sentence if it has no rows. */
  function fill(list, rows, empty) {
    list.replaceChildren(...(rows.length > 0 ? rows : [make("li", { class: "empty" }, empty)]));
  }

  /** Wait for a pause in typing. */
  function whenTyped(input, action) {
    let timer;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(action, 60);
    });
  }

  const applyTheme = ({ scheme }) => {
    document.documentElement.dataset.theme = scheme ?? "";
  };
  window.rostrum.on("theme", applyTheme);
  call("Pages.Theme").then((theme) => theme && applyTheme(theme));

  return { $, make, say, call, show, icon, text, fill, whenTyped };
})();
