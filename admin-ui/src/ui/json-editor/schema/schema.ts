/** The part of JSON Schema that our schemas use, and lookup of the schemas for a path. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly [word: `x-${string}`]: unknown;
}

export type Step = string | number;

/** All schemas for a path; several if the schema has variants. */
export function schemasAt(schema: Schema, path: readonly Step[]): Schema[] {
  return path.reduce<Schema[]>(
    (holders, step) => holders.flatMap((holder) => stepInto(holder, step)),
    variantsOf(schema),
  );
}

export function variantsOf(schema: Schema): Schema[] {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return variants.length > 0 ? [schema, ...variants.flatMap(variantsOf)] : [schema];
}

function stepInto(schema: Schema, step: Step): Schema[] {
  if (typeof step === "number") return schema.items ? variantsOf(schema.items) : [];
  const named = schema.properties?.[step];
  if (named) return variantsOf(named);
  return typeof schema.additionalProperties === "object" ? variantsOf(schema.additionalProperties) : [];
}

/** The documentation of a setting: description, type, default, bounds and version. */
export function explain(schema: Schema): string[] {
  const unit = schema["x-unit"] ? ` ${String(schema["x-unit"])}` : "";
  const facts = [
    schema.description ?? schema.title,
    schema.type && `Type: ${[schema.type].flat().join(" or ")}${unit && `, in${unit}`}`,
    schema.enum && `One of: ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`,
    schema.default !== undefined && `Default: ${JSON.stringify(schema.default)}${unit}`,
    schema.minimum !== undefined && `At least ${schema.minimum}${unit}`,
    schema.maximum !== undefined && `At most ${schema.maximum}${unit}`,
    schema["x-since"] && `Since version ${String(schema["x-since"])}`,
    schema["x-stream"] && `Only in the ${String(schema["x-stream"])} stream`,
    schema["x-mode"] && `Only in the ${String(schema["x-mode"])} mode`,
    schema["x-localOnly"] && "Can only be set in a local file. Desktops ignore the value set here",
    schema["x-reapplied"] && "Applied without a restart",
  ];
  return facts.filter((fact): fact is string => typeof fact === "string" && fact !== "");
}

/** Text for a new value: the default, the first choice, or an empty value of the type. */
export function starterOf(schema: Schema): string {
  if (schema.default !== undefined) return JSON.stringify(schema.default);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum?.length) return JSON.stringify(schema.enum[0]);
  const empty: Record<string, string> = {
    object: "{}",
    array: "[]",
    string: '""',
    boolean: "false",
    integer: "0",
    number: "0",
  };
  return empty[[schema.type ?? ""].flat()[0] ?? ""] ?? "null";
}
