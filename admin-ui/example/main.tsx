/** Example of a page that embeds the admin UI: `npm run example` builds it from the library. */

import { AdminUI, type AdminUIProps } from "@rostrum/admin-ui";
import "@rostrum/admin-ui/style.css";
import { createRoot } from "react-dom/client";

const given = new URLSearchParams(location.search);
const more: AdminUIProps = { apiURL: given.get("api") ?? "http://127.0.0.1:4356/api" };

const place = document.getElementById("admin");
if (place) {
  createRoot(place).render(<AdminUI {...more} auth="basic" theme="dark" baseName="/" />);
}

// What is spelt or meant wrongly is refused when it is built.
// @ts-expect-error there is no such theme
export const wrongTheme = <AdminUI theme="blue" />;
// @ts-expect-error it is auth_basic
export const wrongName = <AdminUI authBasic={{ useSessionCookie: true }} />;
// @ts-expect-error yes or no
export const wrongKind = <AdminUI auth_basic={{ useSessionCookie: "yes" }} />;
