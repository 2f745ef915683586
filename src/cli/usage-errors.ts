/**
 * Wrong usage as one line: what is wrong, what was probably meant, and which help says the rest. The parser knows that an
 * option is unknown, and not that a field of the configuration has that name; the command that was asked for does.
 */
import type { Command, CommanderError } from "commander";

/** Commands whose options may be fields of the configuration. */
const COMMANDS_WITH_FIELDS = ["train", "compare", "config"];

/** `argv`: what was asked, config fields taken out. */
export async function describeUsageError(
  error: CommanderError,
  program: Command,
  argv: readonly string[],
): Promise<string> {
  const command = findCommand(program, argv);
  const help = `see \`${command.path} --help\``;
  if (error.code === "commander.help") {
    const names = command.found.commands.map((one) => one.name()).join(", ");
    return `error: which ${command.found === program ? "command" : `${command.path} command`}? There are ${names}; ${help}`;
  }
  const message = error.message
    .replace(/\.?\s*\(Did you mean (.*)\?\)/i, " (did you mean $1?)")
    .replace(/\.$/, "");
  const hint = message.includes("did you mean")
    ? ""
    : await suggestField(error, command.found.name(), argv);
  return `${message}${hint}; ${help}`;
}

/** The command that the leading words name, and how it is called. */
function findCommand(program: Command, argv: readonly string[]) {
  let found = program;
  let path = program.name();
  for (const word of argv) {
    const next = found.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    found = next;
    path = `${path} ${word}`;
  }
  return { found, path };
}

/** `--groupSize 8` is no option, but there is a field of that name; a setting has no option at all. */
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
