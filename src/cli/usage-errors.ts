/**
 * Messages for wrong usage. Each is one line that says what is wrong, what was probably meant, and which help to read.
 * The argument parser does not know the fields of the configuration, so this file adds suggestions for fields.
 */
import type { Command, CommanderError } from "commander";

/** The commands that accept fields of the configuration as options. */
const COMMANDS_WITH_FIELDS = ["train", "compare", "config"];

/** Describes a usage error in one line. `argv` are the arguments without config fields. */
export async function describeUsageError(
  error: CommanderError,
  program: Command,
  argv: readonly string[],
): Promise<string> {
  const command = findCommand(program, argv);
  const help = `see \`${command.path} --help\``;
  if (error.code === "commander.help") {
    const names = command.found.commands.map((child) => child.name()).join(", ");
    return `error: which ${command.found === program ? "command" : `${command.path} command`}? There are ${names}; ${help}`;
  }
  const message = error.message
    // The value of an unknown option may be a key.
    .replace(/(unknown option '--[^'=]+)=.*'/s, "$1'")
    .replace(/\.?\s*\(Did you mean (.*)\?\)/i, " (did you mean $1?)")
    .replace(/\.$/, "");
  const hint = message.includes("did you mean")
    ? ""
    : await suggestField(error, command.found.name(), argv);
  return `${message}${hint}; ${help}`;
}

/** Finds the command that the first arguments name, and returns it with its words, such as `bowline world check`. */
function findCommand(program: Command, argv: readonly string[]) {
  let found = program;
  let path = program.name();
  for (const word of argv) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    found = next;
    path = `${path} ${word}`;
  }
  return { found, path };
}

/**
 * Returns " (did you mean ...?)" for an unknown option that names a field without its section (`--groupSize 8`), or a
 * setting. Returns an empty text when there is nothing to suggest.
 */
async function suggestField(
  error: CommanderError,
  command: string,
  argv: readonly string[],
): Promise<string> {
  const name = /unknown option '--([^'=]+)/.exec(error.message)?.[1];
  if (error.code !== "commander.unknownOption" || name === undefined) return "";
  if (!COMMANDS_WITH_FIELDS.includes(command)) return "";
  const { configFields, settings } = await import("../train/index.ts");
  if (command === "train" && ["setting", "recipe"].includes(name)) {
    const given = argv[argv.indexOf(`--${name}`) + 1];
    const setting = given !== undefined && Object.hasOwn(settings, given) ? given : "SETTING";
    return ` (did you mean bowline train ${setting}?)`;
  }
  const { methods } = await import("../methods/index.ts");
  const { toCamelCase } = await import("../core/index.ts");
  const camel = toCamelCase(name);
  const fields = Object.values(methods).flatMap((method) => configFields(method));
  const field = fields.find(({ path }) => path.endsWith(`.${camel}`));
  return field ? ` (did you mean --${field.path}?)` : "";
}
