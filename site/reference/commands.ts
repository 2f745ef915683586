/** `docs/reference/commands.md`: every command with its arguments, options and examples, from its own help. */
import { allHelp, type Help, type Item } from "./help.ts";
import { block, code, table, text } from "./markdown.ts";

export async function renderCommandsPage(): Promise<string> {
  const [program, ...commands] = await allHelp();
  return `# Commands

${GENERATED_NOTE}

${text(program!.description)}
With the package installed it is \`npx bowline <command>\`, in a clone \`npm run bowline -- <command>\`.
Options with a dot in their name, such as \`--algo.groupSize 8\`, are fields of the [configuration](configuration.md).

${table(
  ["command", "does"],
  commands
    .filter(({ commands }) => commands.length === 0)
    .map((help) => [`[${code(commandName(help))}](#${commandAnchor(help)})`, text(help.summary)]),
)}

${exitCodesLine(program!)}

${commands.map(renderCommand).join("\n\n")}
`;
}

/** Every generated page begins with it. */
export const GENERATED_NOTE =
  "<!-- Made by `npm run docs:reference` from the program itself; a test compares. -->";

const commandName = ({ words }: Help) => `bowline ${words.join(" ")}`;
const commandAnchor = (help: Help) => commandName(help).replaceAll(" ", "-");

function exitCodesLine({ after }: Help): string {
  return text(/^Exit codes: .*$/m.exec(after)?.[0] ?? "");
}

function renderCommand(help: Help): string {
  return [
    `${"#".repeat(Math.min(help.words.length + 1, 3))} ${commandName(help)}`,
    text(help.description),
    block("text", `Usage: ${help.usage}`),
    renderItems("argument", help.arguments),
    renderItems("option", help.options),
    remainingHelp(help),
    DIALS.test(help.after)
      ? "[Dials of the world](../how-to/everyday.md#dials) are options, too."
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const DIALS = /^Dials of the world:$/m;

/**
 * What the help says after the options, without its lists: of settings, methods and dials, which have pages of their own, and of
 * examples, which nothing runs; those of the guide are run.
 */
function remainingHelp({ after }: Help): string {
  return after
    .split(/\n{2,}/)
    .filter((paragraph) => !/^.*:\n {2}|^Recipes: |^bowline config/.test(paragraph))
    .filter((paragraph) => !/^Every command has|^Then point a client/.test(paragraph))
    .map(text)
    .join("\n\n");
}

function renderItems(head: string, items: readonly Item[]): string {
  if (items.length === 0) return "";
  return table(
    [head, ""],
    items.map((item) => [code(item.term), text(item.text)]),
  );
}
