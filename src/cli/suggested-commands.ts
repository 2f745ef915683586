/** Commands that Bowline suggests to the user, written so that they can be pasted into a shell. */
import { chooseStudioFolder, RUNS_FOLDER } from "./studio-folder.ts";

const CHECKOUT_COMMAND = "npm run bowline --";

/**
 * Returns the words with which the user called Bowline, such as `npx bowline`. Suggested commands begin with these
 * words.
 */
export function bowlineCommand(
  env: NodeJS.ProcessEnv = process.env,
  script = process.argv[1] ?? "",
): string {
  const lifecycle = env["npm_lifecycle_event"];
  if (lifecycle === "npx") return "npx bowline";
  if (lifecycle === "start" || lifecycle === "bowline") return CHECKOUT_COMMAND;
  return script.endsWith("main.js")
    ? `node ${script.slice(script.lastIndexOf("dist/cli/"))}`
    : "bowline";
}

/** Returns the command that opens the studio on a finished run. In a checkout it also builds the web page. */
export function studioCommand(
  directory: string,
  env: NodeJS.ProcessEnv = process.env,
  script?: string,
): string {
  const { root } = chooseStudioFolder(directory);
  const command = bowlineCommand(env, script);
  if (command !== CHECKOUT_COMMAND) return `${command} studio ${quoteForShell([root])}`;
  return root === RUNS_FOLDER ? "npm run studio" : `npm run studio -- ${quoteForShell([root])}`;
}

/** Joins words to one line for a shell, with quotes around words that need them. */
export function quoteForShell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** Returns the message about work that was stopped and that the same command continues. */
export function stoppedMessage(): string {
  return `stopped; nothing is lost. To continue, run the same command again:\n  ${bowlineCommand()} ${quoteForShell(process.argv.slice(2))}`;
}
