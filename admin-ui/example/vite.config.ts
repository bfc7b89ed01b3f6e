import { defineConfig } from "vite";

// The oldest React that the library works with; a page of your own may have any React 19.
export default defineConfig({
  resolve: { alias: { react: "react-oldest", "react-dom": "react-dom-oldest" } },
});
