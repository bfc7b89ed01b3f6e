/** Layouts: saves the current windows, and restores, renames and deletes saved layouts. */

(() => {
  const { $, make, call, say, show, fill, text } = page;
  const name = $("#name");

  async function act(method, args, done) {
    say("");
    const answer = await call(`Rostrum.Layouts.${method}`, args);
    if (!answer) return;
    if (answer.notes?.length) say(answer.notes.join(" "));
    else if (done) say(done, true);
  }

  /** Confirm a destructive action: the button shows what it does until it is pressed again. */
  function confirmed(button, question, action) {
    const before = button.textContent;
    const reset = () => {
      button.textContent = before;
      button.classList.remove("danger");
    };
    button.addEventListener("click", () => {
      if (button.textContent === question) return action();
      button.textContent = question;
      button.classList.add("danger");
      button.addEventListener("blur", reset, { once: true });
    });
    return button;
  }

  function row({ name: layout, default: isDefault }) {
    const args = { name: layout, type: "Global" };
    const button = (label, action) => make("button", { type: "button", "aria-label": `${label} ${layout}`, onclick: action }, label);
    const remove = make("button", { type: "button", "aria-label": `Delete ${layout}` }, "Delete");
    return make(
      "li",
      {},
      text(layout),
      isDefault ? make("span", { class: "badge" }, "Default") : null,
      button("Restore", () => act("Restore", args)),
      isDefault
        ? button("Clear default", () => act("SetDefault", {}))
        : button("Set as default", () => act("SetDefault", args)),
      confirmed(remove, "Delete?", () => act("Remove", args, `${layout} is deleted.`)),
    );
  }

  $("#save").addEventListener("submit", async (event) => {
    event.preventDefault();
    const layout = name.value.trim();
    if (!layout) return;
    await act("Save", { name: layout }, `${layout} is saved.`);
    name.value = "";
  });

  show(["layouts"], async () => {
    const answer = await call("Rostrum.Layouts.List", { type: "Global" });
    if (answer) fill($("#list"), answer.layouts.map(row), "No layouts yet.");
  });
})();
