// An app of the desktop that connects with an unmodified client library and without gateway, name or credentials.
// Arguments: the folder of the libraries, and the library.
import { createRequire } from "node:module";

const [modules, library] = process.argv.slice(2);
const exported = createRequire(`${modules}/`)(library);
const io = await (exported.default ?? exported)();
const { application, instance, environment, region } = io.connection.resolvedIdentity;
const listed = await io.interop.invoke("Rostrum.Apps.List");
console.log(JSON.stringify({ application, instance, environment, region, apps: listed.returned.applications.length }));
process.exit(0);
