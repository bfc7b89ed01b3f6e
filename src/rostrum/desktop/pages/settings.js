/** Settings: the effective value of each setting, and its origin. */

(() => {
  const { $, make, call, whenTyped } = page;
  const MOST = 400;
  let settings = [];

  function draw() {
    const words = $("#filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = settings.filter((one) => words.every((word) => one.about.includes(word)));
    $("#rows").replaceChildren(
      ...found
        .slice(0, MOST)
        .map(({ path, value, source }) =>
          make("tr", {}, make("td", { class: "mono" }, path), make("td", { class: "mono" }, value), make("td", {}, source)),
        ),
    );
    const more = found.length > MOST ? `, the first ${MOST} are shown` : "";
    $("#count").textContent = `${found.length} of ${settings.length} settings${more}`;
  }

  whenTyped($("#filter"), draw);
  page.show(["settings"], async () => {
    const answer = await call("Pages.Settings");
    if (!answer) return;
    settings = answer.settings.map((one) => ({ ...one, about: `${one.path} ${one.value} ${one.source}`.toLowerCase() }));
    draw();
  });
})();
