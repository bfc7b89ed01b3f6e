import { defineConfig } from "vite";

// The npm package: one module without dependencies.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "library",
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    reportCompressedSize: false,
    lib: { entry: "src/library/index.ts", formats: ["es"], fileName: "browser-platform" },
  },
});
