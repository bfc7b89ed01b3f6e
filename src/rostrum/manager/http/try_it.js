// The forms on the page that describes the API. They send requests with the session of the browser.
"use strict";

// Without this header, the browser would show its own dialog for a password.
const PROGRAM = { "X-Requested-With": "rostrum-api-page" };
const api = new URL(document.currentScript.src).pathname.replace(/\/docs\/try-it\.js$/, "");
const MOST_SHOWN = 100_000;

for (const form of document.forms) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
showCaller();

async function showCaller() {
  const caller = document.getElementById("caller");
  const answer = await fetch(`${api}/me`, { headers: PROGRAM }).catch(() => undefined);
  caller.textContent = answer?.ok
    ? `Requests from this page are sent as ${(await answer.json()).id}.`
    : "You are not signed in. Sign in to the admin UI in this browser, then reload this page to try operations.";
  caller.hidden = false;
}

async function send(form) {
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  const { url, ...options } = request(form);
  button.disabled = true;
  output.textContent = "Sending…";
  const started = performance.now();
  try {
    const answer = await fetch(url, options);
    const text = await answer.text();
    const milliseconds = Math.round(performance.now() - started);
    show(output, `${options.method} ${url}`, `${answer.status} ${answer.statusText} (${milliseconds} ms)`, text);
  } catch (problem) {
    show(output, `${options.method} ${url}`, `The request failed: ${problem.message}`, "");
  } finally {
    button.disabled = false;
  }
}

/** Returns the address and the options of the request that a form describes. */
function request(form) {
  const headers = { ...PROGRAM };
  const query = new URLSearchParams();
  let path = form.dataset.path;
  let body;
  for (const field of form.querySelectorAll("[data-in]")) {
    if (field.dataset.in === "body") {
      body = field.value;
      headers["Content-Type"] = "application/json";
    } else if (field.dataset.in === "path") {
      path = path.replace(`{${field.name}}`, () => encodeURIComponent(field.value));
    } else if (field.value !== "") {
      if (field.dataset.in === "query") query.append(field.name, field.value);
      else headers[field.name] = field.value;
    }
  }
  const url = query.size ? `${path}?${query}` : path;
  return { url, method: form.dataset.method, headers, body, credentials: "same-origin", cache: "no-store" };
}

function show(output, ...lines) {
  const [sent, status, text] = lines;
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = [sent, status, "", readable(text)].join("\n").slice(0, MOST_SHOWN);
  output.replaceChildren(pre);
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
