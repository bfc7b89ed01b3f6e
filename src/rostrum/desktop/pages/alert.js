/** Alert: a short message of the platform. */

(async () => {
  const { $, call } = page;

  const answer = await call("Pages.Alert");
  if (!answer) return;
  $("#text").textContent = answer.text;
  document.body.classList.toggle("rounded", answer.rounded);
})();
