/** Logs: where the log files are, and the end of each. */

(() => {
  const { $, make, call } = page;

  async function showFile() {
    const file = $("#file").value;
    if (!file) {
      $("#text").textContent = "No log files yet.";
      return;
    }
    const answer = await call("Pages.LogTail", { file });
    if (!answer) return;
    $("#text").textContent = answer.text || "The file is empty.";
    const area = $("#text").parentElement;
    area.scrollTop = area.scrollHeight;
  }

  async function showFiles() {
    const answer = await call("Pages.Logs");
    if (!answer) return;
    const before = $("#file").value;
    $("#folder").textContent = answer.folder;
    $("#file").replaceChildren(...answer.files.map((name) => make("option", { value: name, selected: name === before }, name)));
    $("#file").disabled = answer.files.length === 0;
    await showFile();
  }

  $("#file").addEventListener("change", showFile);
  $("#refresh").addEventListener("click", showFiles);
  showFiles();
})();
