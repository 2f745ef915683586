/** How this command was called, so that the commands that it suggests can be typed as they stand. */
export function ownName(
  env: NodeJS.ProcessEnv = process.env,
  script = process.argv[1] ?? "",
): string {
  const lifecycle = env["npm_lifecycle_event"];
  if (lifecycle === "npx") return "npx bowline";
  if (lifecycle === "start" || lifecycle === "bowline") return "npm run bowline --";
  return script.endsWith("main.js")
    ? `node ${script.slice(script.lastIndexOf("dist/cli/"))}`
    : "bowline";
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
