/** The guides that are part of the admin UI. Each is loaded when it is opened. */

const FILES = import.meta.glob<string>(
  "../../../../docs/guide/{admin-ui,manager,configuration,browser-platforms,upgrade-and-backup,deployment}.md",
  { query: "?raw", import: "default" },
);

export const GUIDES: ReadonlyMap<string, () => Promise<string>> = new Map(
  Object.entries(FILES).map(([path, load]) => [path.replace(/^.*\/|\.md$/g, ""), load]),
);

/** The target of a guide's link inside the admin UI; null if the target is not part of it. */
export function placeOf(to: string, guide: string): { guide: string; section: string } | null {
  const [file = "", section = ""] = to.split("#");
  if (file === "") return { guide, section };
  const name = file.replace(/\.md$/, "");
  return GUIDES.has(name) ? { guide: name, section } : null;
}
