/** Keyboard shortcuts: those of the platform, and those that apps have registered. */

(() => {
  const { $, make, call, show, fill, text } = page;
  const OWN = [
    ["Start the selected app in the launcher", "Enter"],
    ["Move through the results in the launcher", "↑", "↓"],
    ["Clear the search in the launcher", "Escape"],
    ["Find in the page", "Ctrl F"],
    ["Zoom in, zoom out, reset the zoom", "Ctrl +", "Ctrl −", "Ctrl 0"],
    ["Drop a window without snapping: hold while dragging", "Alt"],
  ];
  $("#own").replaceChildren(
    ...OWN.map(([does, ...keys]) =>
      make("tr", {}, make("td", {}, does), make("td", {}, ...keys.flatMap((each) => [make("kbd", {}, each), " "]))),
    ),
  );

  show(["hotkeys"], async () => {
    const answer = await call("Pages.Hotkeys");
    if (!answer) return;
    const rows = answer.hotkeys.map(({ keys, hotkey, description, app }) =>
      make(
        "li",
        {},
        text(description || app || "A program", description ? app || "A program" : ""),
        make("kbd", {}, hotkey),
        make(
          "button",
          { type: "button", class: "plain", "aria-label": `Remove ${hotkey}`, onclick: () => call("Pages.RemoveHotkey", { keys }) },
          "✕",
        ),
      ),
    );
    fill($("#list"), rows, "No app has registered a keyboard shortcut.");
  });
})();
