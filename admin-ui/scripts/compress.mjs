// Puts a gzip and a Brotli form beside each file of the build, so that nobody compresses while serving.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = join(import.meta.dirname, "../../src/rostrum/manager/admin_page/build/assets");
const worth = /\.(js|css|svg|json)$/;

for (const name of readdirSync(folder).filter((each) => worth.test(each))) {
  const content = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, options));
}
