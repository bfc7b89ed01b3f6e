/** The members of an app's definition that the form uses; others are not changed. */

export type Definition = Readonly<Record<string, unknown>>;

export const APP_TYPES = [
  "window",
  "exe",
  "node",
  "workspaces",
  "webGroup",
  "clickonce",
  "citrix",
  "childWindow",
] as const;

export interface FormField {
  readonly path: readonly string[];
  readonly label: string;
  readonly kind: "text" | "number" | "flag";
}

const GENERAL: readonly FormField[] = [
  { path: ["title"], label: "Title", kind: "text" },
  { path: ["caption"], label: "Caption", kind: "text" },
  { path: ["version"], label: "Version", kind: "text" },
];

const FLAGS: readonly FormField[] = [
  { path: ["hidden"], label: "Hidden from the launcher", kind: "flag" },
  { path: ["autoStart"], label: "Starts with the platform", kind: "flag" },
];

const SIZE: readonly FormField[] = [
  { path: ["details", "width"], label: "Width", kind: "number" },
  { path: ["details", "height"], label: "Height", kind: "number" },
];

const WEB: readonly FormField[] = [{ path: ["details", "url"], label: "Address", kind: "text" }];

const BY_TYPE: Readonly<Record<string, readonly FormField[]>> = {
  window: [...WEB, ...SIZE],
  childWindow: [...WEB, ...SIZE],
  workspaces: WEB,
  webGroup: WEB,
  clickonce: WEB,
  exe: [
    { path: ["details", "path"], label: "Folder", kind: "text" },
    { path: ["details", "command"], label: "Program", kind: "text" },
    { path: ["details", "parameters"], label: "Parameters", kind: "text" },
  ],
  node: [{ path: ["details", "path"], label: "Script", kind: "text" }],
  citrix: [{ path: ["details", "appName"], label: "Citrix name", kind: "text" }],
};

export function fieldsOf(definition: Definition): readonly FormField[] {
  return [...GENERAL, ...(BY_TYPE[textOf(definition.type)] ?? []), ...FLAGS];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export const emptyDefinition: Definition = { name: "", type: "window", title: "", details: { url: "https://" } };
