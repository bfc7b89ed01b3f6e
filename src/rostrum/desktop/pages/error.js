/** Shown in the window of an app whose page crashed, could not be loaded, or does not answer. */

(() => {
  const { $, call } = page;
  const given = new URLSearchParams(location.search);
  const app = given.get("title") || "The app";
  const KINDS = {
    crashed: [`${app} has stopped working`, "Its page crashed. Reload it to continue; other apps are not affected."],
    memory: [`${app} has used too much memory`, "Its page was stopped. Reload it to continue; other apps are not affected."],
    unresponsive: [`${app} does not respond`, "Its page is busy. Wait for it, or reload it; what is not saved is lost."],
    blocked: [`${app} may not open this page`, "The address is not allowed by the settings of the platform."],
    failed: [`${app} cannot be loaded`, "Check the network connection, then reload the page."],
  };
  const [title, text] = KINDS[given.get("kind")] ?? KINDS.failed;
  $("#title").textContent = document.title = title;
  $("#text").textContent = text;
  $("#detail").textContent = [given.get("address"), given.get("reason")].filter(Boolean).join("\n");
  $("#reload").hidden = given.get("kind") === "blocked";
  $("#reload").addEventListener("click", () => call("Window.Reload"));
})();
