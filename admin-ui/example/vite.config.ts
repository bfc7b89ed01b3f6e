import { defineConfig } from "vite";

// The oldest React that the library supports; your own page may use any React 19.
export default defineConfig({
  resolve: { alias: { react: "react-oldest", "react-dom": "react-dom-oldest" } },
});
