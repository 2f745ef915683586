/** `docs/reference/configuration.md`: settings, methods, and every field that any method has, from the schema. */
import type { FieldInfo } from "../../src/core/index.ts";
import { type Method, methods } from "../../src/methods/index.ts";
import { configFields, configSections, settings } from "../../src/train/index.ts";
import { GENERATED_NOTE } from "./commands.ts";
import { code, table, text } from "./markdown.ts";

export function renderConfigurationPage(): string {
  return `# Configuration

${GENERATED_NOTE}

A configuration is put together as defaults < setting < the method's own numbers < numbers that were chosen for the pair < what was
asked for. On the command line a field is an option, \`--algo.groupSize 8\` or \`--algo.group-size 8\`; in a program it is a key of
\`overrides\`. A field exists only where something reads it. \`bowline config\` shows the values of a pair of setting and method,
\`bowline config --json\` the JSON Schema.

## Settings

${renderSummaries(settings)}

## Methods

${renderSummaries(methods)}

${renderSections().join("\n\n")}
`;
}

function renderSummaries(all: Readonly<Record<string, { readonly summary: string }>>): string {
  return table(
    ["name", "is"],
    Object.entries(all).map(([name, { summary }]) => [code(name), text(summary)]),
  );
}

const ALL_METHODS = Object.values(methods) as readonly Method[];

interface FieldWithReaders {
  readonly field: FieldInfo;
  /** Names of the methods that read it. */
  readonly readers: string[];
}

/** A section once, however many methods have it, with the fields of all of them. */
function renderSections(): string[] {
  const abouts = new Map(
    ALL_METHODS.flatMap(configSections).map((about) => [about.name, about.description]),
  );
  abouts.set("algo", "How it learns");
  const found = collectFields();
  return [...abouts].map(([name, description]) => {
    const own = found.filter(({ field }) => field.path.split(".")[0] === name);
    return `## ${name}\n\n${text(description)}.\n\n${renderFieldTable(own)}`;
  });
}

function collectFields(): FieldWithReaders[] {
  const found = new Map<string, FieldWithReaders>();
  for (const method of ALL_METHODS) {
    for (const field of configFields(method)) {
      const known = found.get(field.path);
      if (known === undefined) found.set(field.path, { field, readers: [method.name] });
      else known.readers.push(method.name);
    }
  }
  return [...found.values()];
}

function renderFieldTable(found: readonly FieldWithReaders[]): string {
  return table(
    ["field", "type", "default", "is"],
    found.map(({ field, readers }) => [
      code(field.path),
      text(field.expected),
      field.default === undefined ? "" : code(shown(field.default)),
      [text(field.description), ...conditions(field, readers)].join("; "),
    ]),
  );
}

function conditions({ where }: FieldInfo, readers: readonly string[]): string[] {
  const chosen = where.map((condition) => `where ${text(condition)}`);
  if (readers.length === ALL_METHODS.length) return chosen;
  return [...chosen, `read by ${readers.map(code).join(", ")}`];
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
