/** `bowline config` explains the configuration of a setting with a method: sections, fields and the JSON Schema. */
import type { Command } from "commander";
import {
  BowlineError,
  type FieldInfo,
  nearestWord,
  toCamelCase,
  toVisibleJson,
} from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import {
  activeFields,
  type Config,
  configFields,
  configJsonSchema,
  configLeaves,
  configSections,
  loadMethod,
  resolveConfigAndMethod,
} from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { wrapText } from "../render/text.ts";
import { jsonOption } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";

interface ConfigOptions {
  readonly setting: string;
  readonly method?: string;
  readonly json?: boolean;
}

export function defineConfigCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Explain the configuration of a setting with a method. Without a name it lists the sections; with a name it lists the fields of that section, or explains that field.",
    )
    .argument("[name]", "a section such as algo, or a field such as algo.clip")
    .option("--setting <setting>", "the setting or recipe whose values are shown", "starter")
    .option("--method <method>", "a method, or the path of a module (default: the recipe's method)")
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .action((name: string | undefined, options: ConfigOptions) =>
      explainConfig(name, options, context),
    );
}

const EXAMPLES = `
Examples:
  bowline config                          list the sections of LOOP on the starter setting
  bowline config filter --method grpo     list the fields of one section
  bowline config algo.clip                show type, default, value, and the methods that read it
  bowline config --json                   print the JSON Schema of a configuration, for editors`;

async function explainConfig(
  wantedName: string | undefined,
  { setting, method: methodName, json }: ConfigOptions,
  { terminal, fields }: CommandContext,
): Promise<void> {
  const { out } = terminal;
  const input = { recipe: setting, overrides: fields };
  const { config, method } = resolveConfigAndMethod(
    methodName === undefined ? input : { ...input, method: await loadMethod(methodName) },
  );
  const name = wantedName && toCamelCase(wantedName);
  if (json) return out.writeLine(toVisibleJson(configJsonSchema(method, name), 2));
  if (name === undefined) return out.writeLine(formatSectionList(method, config, out));
  const all = configFields(method);
  const field = all.find(({ path }) => path === name);
  if (field !== undefined && !field.isGroup)
    return out.writeLine(formatField(field, method, config, out));
  const inSection = all.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  if (inSection.length === 0) throw unknownNameError(name, method);
  out.writeLine(formatSection(name, inSection, method, config, out));
}

function formatSectionList(method: Method, config: Config, { paint, columns }: Channel): string {
  const sections = configSections(method);
  const present = activeFields(config, method);
  const others = configFields(method).length - present.length;
  const counts = new Map<string, number>();
  for (const { path } of present) {
    const [name = ""] = path.split(".");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const width = Math.max(...sections.map(({ name }) => name.length));
  const lines = sections.flatMap(({ name, description, isFromMethod }) => {
    const text = `${description}${isFromMethod ? ` (${method.name})` : ""}; ${formatFieldCount(counts.get(name) ?? 0)}`;
    return wrapText(text, Math.min(columns, 100) - width - 4).map(
      (line, i) => `  ${(i === 0 ? name : "").padEnd(width)}  ${line}`,
    );
  });
  return [
    `${paint("bold", `setting ${config.setting}, method ${method.name}`)}: ${present.length} fields`,
    "",
    ...lines,
    "",
    "bowline config SECTION shows its fields, bowline config SECTION.FIELD explains one of them.",
    ...(others > 0
      ? [
          `${formatFieldCount(others)} more exist with other choices; bowline config SECTION lists them.`,
        ]
      : []),
  ].join("\n");
}

function formatSection(
  name: string,
  fields: readonly FieldInfo[],
  method: Method,
  config: Config,
  channel: Channel,
): string {
  const section = configSections(method).find((candidate) => candidate.name === name);
  const values = configLeaves(config);
  const active = activeFields(config, method);
  const rows = fields
    .filter((field) => active.includes(field))
    .map((field) => [field.path, formatFieldValue(field, values), field.description]);
  const width = Math.min(channel.columns, 120);
  const [first, second] = [0, 1].map((i) => Math.max(...rows.map((row) => row[i]!.length)));
  const lines = rows.flatMap(([path = "", value = "", text = ""]) =>
    wrapText(text, Math.max(width - first! - second! - 6, 30)).map(
      (line, i) =>
        `  ${(i === 0 ? path : "").padEnd(first!)}  ${(i === 0 ? value : "").padEnd(second!)}  ${line}`,
    ),
  );
  const heading = section ? `${name}: ${section.description}` : name;
  const inactive = groupByChoice(fields.filter((field) => !active.includes(field)));
  const further = inactive.flatMap((text) => wrapText(text, width - 2).map((line) => `  ${line}`));
  if (further.length > 0)
    further.unshift("", "Further fields, which exist with other choices:", "");
  return [channel.paint("bold", heading), "", ...lines, ...further].join("\n");
}

/** Groups fields by the choice that they depend on: `engine.name is tinker: engine.url, engine.dialect`. */
function groupByChoice(fields: readonly FieldInfo[]): string[] {
  const byChoice = new Map<string, string[]>();
  for (const { path, where } of fields) {
    const choice = where.join(" and ");
    byChoice.set(choice, [...(byChoice.get(choice) ?? []), path]);
  }
  return [...byChoice].map(([choice, paths]) => `${choice}: ${paths.join(", ")}`);
}

function formatFieldValue({ path, isGroup }: FieldInfo, values: ReadonlyMap<string, unknown>) {
  if (!isGroup) return formatValue(values.get(path));
  return [...values.keys()].some((name) => name.startsWith(`${path}.`)) ? "on" : "off";
}

function formatField(field: FieldInfo, method: Method, config: Config, { paint }: Channel): string {
  const value = configLeaves(config).get(field.path);
  const readers = Object.values(methods).filter((other) =>
    configFields(other).some(({ path }) => path === field.path),
  );
  const isOfAll = readers.length === Object.keys(methods).length;
  const rows = [
    ["type", field.expected],
    ["default", formatValue(field.default)],
    [`on ${config.setting} by ${method.name}`, formatValue(value)],
    ...(field.where.length > 0 ? [["exists where", field.where.join(" and ")]] : []),
    ["read by", isOfAll ? "every method" : readers.map(({ name }) => name).join(", ")],
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  return [
    paint("bold", field.path),
    `  ${field.description}`,
    "",
    ...rows.map(([name, text]) => `  ${name!.padEnd(width)}  ${text}`),
  ].join("\n");
}

const formatFieldCount = (fields: number) => `${fields} ${fields === 1 ? "field" : "fields"}`;

function formatValue(value: unknown): string {
  if (value === undefined) return "-";
  if (value === null) return "null";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function unknownNameError(name: string, method: Method): BowlineError {
  const readers = Object.values(methods).filter((other) =>
    configFields(other).some(({ path }) => path === name || path.startsWith(`${name}.`)),
  );
  if (readers.length > 0) {
    return new BowlineError(
      "config",
      `the method ${method.name} does not read ${name}; methods that do: ${readers.map((other) => other.name).join(", ")} (--method)`,
    );
  }
  const sections = configSections(method).map((section) => section.name);
  const known = [...sections, ...configFields(method).map(({ path }) => path)];
  const near = known.find((path) => path.endsWith(`.${name}`)) ?? nearestWord(name, known);
  const instead = near ? ` (did you mean ${near}?)` : "";
  return new BowlineError(
    "config",
    `unknown section or field ${name}${instead}; sections: ${sections.join(", ")}`,
  );
}
