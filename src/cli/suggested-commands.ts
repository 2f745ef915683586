/** Names to type: how this command was called, and the commands that it suggests, as lines that a shell takes. */
import { chooseStudioFolder, RUNS_FOLDER } from "./studio-folder.ts";

const CHECKOUT_COMMAND = "npm run bowline --";

/** How this command was called, so that the commands that it suggests can be typed as they stand. */
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

/** The studio on a run that is over, as it can be typed; a checkout's script builds the page first. */
export function studioCommand(
  directory: string,
  env: NodeJS.ProcessEnv = process.env,
  script?: string,
): string {
  const { root } = chooseStudioFolder(directory);
  const name = bowlineCommand(env, script);
  if (name !== CHECKOUT_COMMAND) return `${name} studio ${quoteForShell([root])}`;
  return root === RUNS_FOLDER ? "npm run studio" : `npm run studio -- ${quoteForShell([root])}`;
}

/** Words as one shell line, quoted where a shell needs it. */
export function quoteForShell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** Where what is finished was kept. */
export function stoppedMessage(): string {
  return `stopped; nothing is lost. To continue, run the same command again:\n  ${bowlineCommand()} ${quoteForShell(process.argv.slice(2))}`;
}
