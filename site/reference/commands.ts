/** The reference page about commands, made from the help of every command: its arguments and options. */
import { type CommandHelp, type HelpItem, readAllHelp } from "./help.ts";
import { codeBlock, escapeText, inlineCode, markdownTable } from "./markdown.ts";

export async function renderCommandsPage(): Promise<string> {
  const [program, ...commands] = await readAllHelp();
  return `# Commands

${GENERATED_NOTE}

${escapeText(program!.description)}
If the package is installed, run \`npx bowline <command>\`; in a clone, run \`npm run bowline -- <command>\`.
Options with a dot in their name, such as \`--algo.groupSize 8\`, are fields of the [configuration](configuration.md).

${markdownTable(
  ["command", "purpose"],
  commands
    .filter(({ commands }) => commands.length === 0)
    .map((help) => [
      `[${inlineCode(commandName(help))}](#${commandAnchor(help)})`,
      escapeText(help.summary),
    ]),
)}

${exitCodesLine(program!)}

${commands.map(renderCommand).join("\n\n")}
`;
}

/** The comment with which every generated page begins. */
export const GENERATED_NOTE = "<!-- Generated from the program by `npm run docs:build`. -->";

const commandName = ({ words }: CommandHelp) => `bowline ${words.join(" ")}`;
const commandAnchor = (help: CommandHelp) => commandName(help).replaceAll(" ", "-");

function exitCodesLine({ after }: CommandHelp): string {
  return escapeText(/^Exit codes: .*$/m.exec(after)?.[0] ?? "");
}

function renderCommand(help: CommandHelp): string {
  return [
    `${"#".repeat(Math.min(help.words.length + 1, 3))} ${commandName(help)}`,
    escapeText(help.description),
    codeBlock("text", `Usage: ${help.usage}`),
    renderItems("argument", help.arguments),
    renderItems("option", help.options),
    remainingHelp(help),
    DIALS.test(help.after)
      ? "This command also accepts the [dials of the world](../how-to/everyday.md#dials)."
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const DIALS = /^Dials of the world:$/m;

/**
 * Returns the text after the options in a command's help. It leaves out lists of settings, methods and dials, because
 * these have their own pages. It also leaves out examples, because no test runs them.
 */
function remainingHelp({ after }: CommandHelp): string {
  return after
    .split(/\n{2,}/)
    .filter((paragraph) => !/^.*:\n {2}|^Recipes: |^bowline config/.test(paragraph))
    .filter((paragraph) => !/^Every command has|^Then point a client/.test(paragraph))
    .map(escapeText)
    .join("\n\n");
}

function renderItems(head: string, items: readonly HelpItem[]): string {
  if (items.length === 0) return "";
  return markdownTable(
    [head, ""],
    items.map((item) => [inlineCode(item.term), escapeText(item.text)]),
  );
}
