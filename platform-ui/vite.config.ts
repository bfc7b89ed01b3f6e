import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { stableIds } from "../admin-ui/scripts/stable-ids.ts";

// The page is written into the Python package that serves it. `node_modules` here is a link to that of `admin-ui`.
export default defineConfig({
  base: "./",
  plugins: [react(), stableIds()],
  html: { cspNonce: "%nonce%" },
  build: {
    outDir: "../src/rostrum/manager/platform_page/build",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://127.0.0.1:4356" }, fs: { allow: [".."] } },
});
