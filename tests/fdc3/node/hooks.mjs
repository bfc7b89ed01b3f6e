// The packages of FINOS are written for bundlers: modules without the endings and the declaration that Node needs.
import { existsSync } from "node:fs";

const OURS = "/node_modules/@finos/";

export async function resolve(specifier, context, next) {
  if (specifier.startsWith(".") && context.parentURL?.includes(OURS) && !specifier.endsWith(".js")) {
    const file = new URL(`${specifier}.js`, context.parentURL);
    return next(existsSync(file) ? `${specifier}.js` : `${specifier}/index.js`, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  return next(url, url.includes(OURS) ? { ...context, format: "module" } : context);
}
