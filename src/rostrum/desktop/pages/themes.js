/** Themes: selects the colours of all windows. */

(() => {
  const { $, make, call, show } = page;

  show(["themes"], async () => {
    const answer = await call("Rostrum.Themes.List");
    if (!answer) return;
    const focused = document.activeElement?.value;
    const choices = answer.all.map(({ name, displayName }) =>
      make(
        "label",
        { class: "choice" },
        make("input", { type: "radio", name: "theme", value: name, checked: name === answer.selected, onchange: () => call("Rostrum.Themes.Select", { name }) }),
        displayName,
      ),
    );
    $("#list").replaceChildren(...(choices.length ? choices : [make("p", { class: "empty" }, "No themes are configured. The windows follow the system.")]));
    document.querySelector(`input[value="${CSS.escape(focused ?? "")}"]`)?.focus();
  });
})();
