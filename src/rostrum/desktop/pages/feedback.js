/** Feedback: sends a description to the manager. */

(() => {
  const { $, call, say } = page;

  $("#form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const description = $("#description").value.trim();
    if (!description) return;
    say("");
    $("#send").disabled = true;
    const sent = await call("Pages.SendFeedback", { description });
    $("#send").disabled = false;
    if (!sent) return;
    $("#description").value = "";
    say("The feedback was sent. Thank you.", true);
  });
})();
