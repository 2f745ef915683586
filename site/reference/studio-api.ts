/**
 * `docs/reference/studio-api.md`: the addresses of the studio's API, from the headers of its schemas, and the schemas
 * themselves as they stand in the source.
 */
import { readFileSync } from "node:fs";
import { GENERATED_NOTE } from "./commands.ts";
import { block, code, table, text } from "./markdown.ts";

const FILES = [
  ["Runs", "runs"],
  ["Training", "training"],
  ["Rollouts", "rollouts"],
  ["Worlds and episodes", "worlds"],
  ["Results", "documents"],
] as const;

export function studioApiPage(): string {
  return `# The studio's API

${GENERATED_NOTE}

[\`bowline studio\`](commands.md#bowline-studio) serves a page, and the page reads a JSON API that scripts can read too. Ids of runs, files, tasks and
rollouts go into an address as one encoded segment each (\`a/b\` is \`a%2Fb\`). The server writes nothing into a run.

* **Token.** It is new at every start. \`bowline studio --json\` prints \`{ "url", "port", "token" }\` on a line; every request under \`/api/\` carries
  \`Authorization: Bearer <token>\`. The server listens on 127.0.0.1 alone and answers no page of another origin.
* **Errors.** \`{ "error": "a sentence" }\` with a status: 400 bad input, 401 no token or another start's, 403 another origin, 404 not there, 409 not
  possible now, 413 a body over 1 MiB, 421 another name than this machine's, 500 a bug, 503 a world has
  died and is opened anew for whoever asks again.
* **Events** are [server-sent](https://html.spec.whatwg.org/multipage/server-sent-events.html): a line \`data: <JSON>\` each, a comment now and then. The page
  reads them with \`fetch\`, because \`EventSource\` cannot carry the token. Those of a run say what changed, and what changed is fetched again.
* **Schemas.** \`bowline/studio\` exports them, with their types, and \`openStudio\`, which serves the studio from a program.

${block("ts", EXAMPLE)}

${FILES.map(([title, name]) => section(title, sourceOf(name))).join("\n\n")}
`;
}

const EXAMPLE = `
import { openStudio, runListSchema } from "bowline/studio";

await using studio = await openStudio({ root: "." });
const headers = { authorization: \`Bearer \${studio.token}\` };
const answer = await fetch(\`http://127.0.0.1:\${studio.port}/api/runs\`, { headers });
const { runs } = runListSchema.parse(await answer.json());
for (const { id, status, after } of runs) console.log(id, status, after?.["dev"]?.tgc);
`;

const sourceOf = (name: string) =>
  readFileSync(new URL(`../../src/spec/studio/${name}.ts`, import.meta.url), "utf8");

function section(title: string, source: string): string {
  const { summary, addresses, notes } = headOf(source);
  return [
    `## ${title}`,
    summary,
    table(["request", "answer"], addresses),
    notes,
    block("text", schemasOf(source)),
  ].join("\n\n");
}

const ADDRESS = /^ \* {3}(?<method>GET|POST|DELETE) +(?<path>\S+) +(?<answer>.+)$/;

/** The first comment: a sentence, lines of addresses, notes. */
function headOf(source: string) {
  const lines = source.slice(0, source.indexOf(" */")).split("\n").slice(1);
  const first = lines.findIndex((line) => ADDRESS.test(line));
  const last = lines.findLastIndex((line) => ADDRESS.test(line));
  const prose = (some: readonly string[]) => text(some.join("\n").replaceAll(/^ \* ?/gm, ""));
  return {
    summary: prose(lines.slice(0, first)),
    addresses: lines.slice(first, last + 1).flatMap((line) => {
      const { method, path, answer } = ADDRESS.exec(line)?.groups ?? {};
      return path ? [[code(`${method} ${path}`), answerText(answer!)]] : [];
    }),
    notes: prose(lines.slice(last + 1)),
  };
}

/** Names of schemas are code. */
function answerText(answer: string): string {
  return text(answer.replaceAll(/`?(\b\w+Schema\b|\{[^}]*\})`?/g, (_, name: string) => code(name)));
}

/** What stands behind the imports. */
function schemasOf(source: string): string {
  const imports = [...source.matchAll(/^(?:import .*|\}) from "[^"]+";$/gm)].at(-1)!;
  return source.slice(imports.index + imports[0].length);
}
