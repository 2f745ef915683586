/** Names to type: how this command was called, and the commands that it suggests, as lines that a shell takes. */
import { RUNS, studioFolder } from "./studio-folder.ts";

const CHECKOUT = "npm run bowline --";

/** How this command was called, so that the commands that it suggests can be typed as they stand. */
export function ownName(
  env: NodeJS.ProcessEnv = process.env,
  script = process.argv[1] ?? "",
): string {
  const lifecycle = env["npm_lifecycle_event"];
  if (lifecycle === "npx") return "npx bowline";
  if (lifecycle === "start" || lifecycle === "bowline") return CHECKOUT;
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
  const { root } = studioFolder(directory);
  const name = ownName(env, script);
  if (name !== CHECKOUT) return `${name} studio ${shellLine([root])}`;
  return root === RUNS ? "npm run studio" : `npm run studio -- ${shellLine([root])}`;
}

/** Words as one shell line, quoted where a shell needs it. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** Where what is finished was kept. */
export function stopped(): string {
  return `stopped; nothing is lost. To continue, run the same command again:\n  ${ownName()} ${shellLine(process.argv.slice(2))}`;
}
