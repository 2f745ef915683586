/** The reference page about the configuration: settings, methods and all fields, made from the schemas. */
import type { FieldInfo } from "../../src/core/index.ts";
import { type Method, methods } from "../../src/methods/index.ts";
import { configFields, configSections, settings } from "../../src/train/index.ts";
import { GENERATED_NOTE } from "./commands.ts";
import { escapeText, inlineCode, markdownTable } from "./markdown.ts";

export function renderConfigurationPage(): string {
  return `# Configuration

${GENERATED_NOTE}

The values of a configuration come from five sources. Later ones win: defaults, the setting, the method, values that were
tuned for this setting with this method, and what you give. On the command line a field is an option,
\`--algo.groupSize 8\` or \`--algo.group-size 8\`; in a program it is a key of \`overrides\`. A field exists only where
something reads it. \`bowline config\` shows the values of a setting with a method, and \`bowline config --json\` their
JSON Schema.

## Settings

${renderSummaries(settings)}

## Methods

${renderSummaries(methods)}

${renderSections().join("\n\n")}
`;
}

function renderSummaries(all: Readonly<Record<string, { readonly summary: string }>>): string {
  return markdownTable(
    ["name", "meaning"],
    Object.entries(all).map(([name, { summary }]) => [inlineCode(name), escapeText(summary)]),
  );
}

const ALL_METHODS = Object.values(methods) as readonly Method[];

interface FieldWithReaders {
  readonly field: FieldInfo;
  /** The names of the methods that read the field. */
  readonly readers: string[];
}

/** Renders every section once, with the fields that any method has in it. */
function renderSections(): string[] {
  const descriptions = new Map(
    ALL_METHODS.flatMap(configSections).map(({ name, description }) => [name, description]),
  );
  descriptions.set("algo", "How the method learns");
  const fields = collectFields();
  return [...descriptions].map(([name, description]) => {
    const ofSection = fields.filter(({ field }) => field.path.split(".")[0] === name);
    return `## ${name}\n\n${escapeText(description)}.\n\n${renderFieldTable(ofSection)}`;
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
  return markdownTable(
    ["field", "type", "default", "meaning"],
    found.map(({ field, readers }) => [
      inlineCode(field.path),
      escapeText(field.expected),
      field.default === undefined ? "" : inlineCode(formatDefault(field.default)),
      [escapeText(field.description), ...describeConditions(field, readers)].join("; "),
    ]),
  );
}

function describeConditions({ where }: FieldInfo, readers: readonly string[]): string[] {
  const chosen = where.map((condition) => `where ${escapeText(condition)}`);
  if (readers.length === ALL_METHODS.length) return chosen;
  return [...chosen, `read by ${readers.map(inlineCode).join(", ")}`];
}

const formatDefault = (value: unknown) =>
  typeof value === "string" ? value : JSON.stringify(value);
