/** Notification panel: notifications of apps, newest first. */

(() => {
  const { $, make, call, show, fill, text } = page;

  function row({ id, title, body, severity, source }, snooze) {
    const act = (method) => () => call(`Rostrum.Notifications.${method}`, { id });
    return make(
      "li",
      {},
      make("span", { class: `severity ${severity}`, "aria-hidden": "true" }),
      make("button", { type: "button", class: "plain text", onclick: act("Click") }, text(title, body ? `${source}: ${body}` : source)),
      snooze ? make("button", { type: "button", class: "plain", "aria-label": `Snooze ${title}`, onclick: act("Snooze") }, "Snooze") : null,
      make("button", { type: "button", class: "plain", "aria-label": `Close ${title}`, onclick: act("Close") }, "✕"),
    );
  }

  async function draw() {
    const answer = await call("Rostrum.Notifications.List");
    if (!answer) return;
    const all = [...answer.notifications].reverse();
    fill($("#list"), all.map((one) => row(one, answer.snooze)), "No notifications.");
    $("#count").textContent = all.length === 1 ? "1 notification" : `${all.length} notifications`;
    $("#clear").disabled = all.length === 0;
    document.title = all.length > 0 ? `Notifications (${all.length})` : "Notifications";
  }

  $("#clear").addEventListener("click", () => call("Pages.CloseNotifications"));
  show(["notifications"], draw);
})();
