// Verifies the build, compresses its files and lists them. The list, verified.json, is written last and only if the
// build is valid: the manager serves nothing without it. A broken bundler can end with success and leave scripts that
// do not parse, or that import names that no other script exports; both are found here.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { SourceTextModule } from "node:vm";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../../src/rostrum/manager/admin_page/build"));
const page = process.argv[3] ?? "admin UI";
const read = (name) => readFileSync(join(folder, name));
const list = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(...join(entry.parentPath, entry.name).slice(folder.length).split(/[\\/]/)))
    .sort();

try {
  await linkScripts(list().filter((name) => name.endsWith(".js")));
  checkPage(read("index.html").toString());
} catch (problem) {
  process.stderr.write(`The build of the ${page} is unusable: ${problem.message}\n`);
  process.exit(1);
}
compress(list().filter((name) => /^assets\/.*\.(js|css|svg|json)$/.test(name)));
const digests = list().map((name) => [name, createHash("sha256").update(read(name)).digest("hex")]);
writeFileSync(join(folder, "verified.json"), `${JSON.stringify({ files: Object.fromEntries(digests) }, null, 1)}\n`);

/** Parses every script, and resolves every import to a script that exports the name. Nothing is executed. */
async function linkScripts(names) {
  const modules = new Map();
  const options = { importModuleDynamically: () => {} };
  for (const name of names) {
    try {
      modules.set(name, new SourceTextModule(read(name).toString(), { ...options, identifier: name }));
    } catch (problem) {
      throw new Error(`${name} does not parse: ${problem.message}`);
    }
  }
  for (const [name, module] of modules) {
    const lazy = read(name)
      .toString()
      .matchAll(/\bimport\([`"'](\.[^`"']+)/g);
    for (const [, specifier] of lazy) target(specifier, module);
    if (module.status !== "unlinked") continue;
    await module.link(target);
  }

  function target(specifier, from) {
    const found = modules.get(posix.join(posix.dirname(from.identifier), specifier));
    if (!found) throw new Error(`${from.identifier} imports ${specifier}, which does not exist`);
    return found;
  }
}

/** Checks that the page has a start script, and that all files that it refers to exist. */
function checkPage(page) {
  const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((match) => match[1]);
  const missing = names.find((name) => !existsSync(join(folder, name)));
  if (missing) throw new Error(`index.html names ${missing}, which does not exist`);
  if (!/<script type="module"[^>]* src="/.test(page)) throw new Error("index.html starts no script");
}

/** Writes a gzip and a Brotli version of each file, so that the manager compresses nothing while serving. */
function compress(names) {
  for (const name of names) {
    const content = read(name);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
  }
}
