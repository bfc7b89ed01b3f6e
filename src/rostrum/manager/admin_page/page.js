// Log-in, and what the server takes the user for. The address ending in "gd" hands the log-in to the desktop instead.
const api = document.querySelector('meta[name="rostrum-api"]').content;
const forDesktop = location.pathname.endsWith("/gd") || location.search.replace(/^\?/, "").split("&").includes("gd");
const element = (id) => document.getElementById(id);

const basic = (user, password) => {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};

const showLogin = (message = "") => {
  element("home").hidden = true;
  element("login").hidden = false;
  element("message").textContent = message;
  element(message ? "password" : "user").focus();
};

const list = (words) => (words.length ? words.join(", ") : "none");

const showHome = async (me) => {
  element("login").hidden = true;
  element("home").hidden = false;
  element("who").textContent = me.id;
  element("groups").textContent = list(me.groups);
  element("permissions").textContent = list(me.permissions.map((name) => name.replace("PLATFORM_MANAGER:", "")));
  element("docs").href = `${api}/docs`;
  const answer = await fetch(`${api}/apps`);
  const apps = answer.ok ? (await answer.json()).applications : [];
  element("apps").textContent = list(apps.map((app) => app.title || app.name || app.appId));
};

const explain = async (answer) => {
  if (answer.status === 401) return "The user or the password is wrong.";
  try {
    return (await answer.json()).error.message;
  } catch {
    return `The server answered ${answer.status}.`;
  }
};

element("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  button.disabled = true;
  const [user, password] = [element("user").value, element("password").value];
  try {
    const authorization = basic(user, password);
    const answer = await fetch(`${api}/me`, { headers: { Authorization: authorization } });
    if (!answer.ok) return showLogin(await explain(answer));
    const me = await answer.json();
    element("password").value = "";
    if (forDesktop && typeof window.authDone === "function") {
      window.authDone({ user: me.id, headers: { Authorization: authorization } });
    }
    await showHome(me);
  } catch {
    showLogin("The server does not answer. Try again.");
  } finally {
    button.disabled = false;
  }
});

element("logout").addEventListener("click", async () => {
  await fetch(`${api}/logout`, { method: "POST" });
  showLogin();
});

const start = async () => {
  if (forDesktop) return showLogin();
  // A cookie that is not there is no error worth a red line in the console.
  try {
    const answer = await fetch(`${api}/me`);
    if (answer.ok) return showHome(await answer.json());
  } catch { /* the form will say so */ }
  return showLogin();
};
start();
