/** About: versions, and the licences of components. */

(() => {
  const { $, make, call } = page;

  call("Pages.About").then((answer) => {
    if (!answer) return;
    $("#facts").replaceChildren(...answer.facts.flatMap(({ label, value }) => [make("dt", {}, label), make("dd", {}, value)]));
    $("#licences").replaceChildren(
      ...answer.components.map(({ name, version, licence }) =>
        make("tr", {}, make("td", {}, name), make("td", {}, version), make("td", {}, licence)),
      ),
    );
  });
})();
