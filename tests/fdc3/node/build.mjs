// Bundles pages for browsers: node build.mjs '{"entryPoints": [...], "outdir": "..."}'
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const given = JSON.parse(process.argv[2]);
const nodePaths = [fileURLToPath(new URL("node_modules", import.meta.url))];
buildSync({ bundle: true, format: "esm", target: "es2022", logLevel: "warning", nodePaths, ...given });
