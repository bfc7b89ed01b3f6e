/** Diagnostics: the state of the platform, its problems, and the steps of its start. */

(() => {
  const { $, make, call, say, show, fill } = page;
  const FACTS = {
    productVersion: "Version",
    version: "Platform version",
    mode: "Mode",
    user: "User",
    environment: "Environment",
    manager: "Manager",
    connected: "Connected to the manager",
    gateway: "Gateway",
    windows: "Window host",
    apps: "Apps",
    logs: "Logs",
    updates: "Updates",
  };
  const SHOWN = { true: "Yes", false: "No" };
  let status = {};

  function draw() {
    const facts = Object.entries(FACTS).filter(([name]) => status[name] !== undefined && status[name] !== null && status[name] !== "");
    $("#facts").replaceChildren(
      ...facts.flatMap(([name, label]) => [make("dt", {}, label), make("dd", {}, SHOWN[status[name]] ?? String(status[name]))]),
    );
    fill($("#problems"), (status.problems ?? []).map((problem) => make("li", { class: "warning" }, problem)), "No problems.");
    const colours = { done: "good", skipped: "dimmed", degraded: "warning", failed: "danger" };
    $("#steps").replaceChildren(
      ...status.steps.map(({ name, state, note }) =>
        make("tr", {}, make("td", {}, name), make("td", { class: colours[state] ?? "" }, state), make("td", {}, note ?? "")),
      ),
    );
  }

  $("#copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(status, null, 2));
      say("The report is in the clipboard.", true);
    } catch {
      say("The report cannot be copied: the clipboard is not available.");
    }
  });
  document.querySelector("[data-page]").addEventListener("click", () => call("Pages.Show", { page: "logs" }));

  show(["status", "instances"], async () => {
    const answer = await call("Rostrum.Platform.Status");
    if (!answer) return;
    status = answer;
    draw();
  });
})();
