/** Placeholder: replaces an app of a layout that could not be started, and retries the start. */

(() => {
  const { $, say, call } = page;

  async function draw() {
    const answer = await call("Pages.Placeholder");
    if (!answer) return;
    $("#title").textContent = `${answer.title} could not be started`;
    $("#reason").textContent = answer.reason;
  }

  async function retry() {
    const button = $("#retry");
    button.disabled = true;
    say("");
    // When the start succeeds, the platform closes this window.
    await call("Pages.Retry");
    button.disabled = false;
    button.focus();
  }

  $("#retry").addEventListener("click", retry);
  $("#close").addEventListener("click", () => call("Pages.ClosePlaceholder"));
  $("#retry").focus();
  draw();
})();
