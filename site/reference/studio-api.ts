/**
 * The reference page about the studio's API. The comment at the start of each schema file lists the addresses. The page
 * shows the schemas as they stand in the source.
 */
import { readFileSync } from "node:fs";
import { GENERATED_NOTE } from "./commands.ts";
import { codeBlock, escapeText, inlineCode, markdownTable } from "./markdown.ts";

const SCHEMA_FILES = [
  ["Runs", "runs"],
  ["Training", "training"],
  ["Rollouts", "rollouts"],
  ["Worlds and episodes", "worlds"],
  ["Results", "documents"],
] as const;

export function renderStudioApiPage(): string {
  return `# The studio's API

${GENERATED_NOTE}

[\`bowline studio\`](commands.md#bowline-studio) serves a web page that uses a JSON API. Scripts can use this API too. In an
address, each id of a run, file, task or rollout is one encoded segment (\`a/b\` is \`a%2Fb\`). The server never writes into a run.

* **Token.** Every start has a new token. \`bowline studio --json\` prints \`{ "url", "port", "token" }\` on one line. Every request
  under \`/api/\` needs the header \`Authorization: Bearer <token>\`. The server listens only on 127.0.0.1 and answers no page of
  another origin.
* **Errors** have the body \`{ "error": "a sentence" }\` and a status: 400 invalid input, 401 no token or one of an earlier start,
  403 another origin, 404 not found, 409 not possible now, 413 a body over 1 MiB, 421 a host name that is not this machine's,
  500 a bug, 503 a world has crashed and opens again at the next request.
* **Events** are [server-sent](https://html.spec.whatwg.org/multipage/server-sent-events.html): each is a line \`data: <JSON>\`, and
  comments come between them. The page reads events with \`fetch\`, because \`EventSource\` cannot send the token. An event of a run
  says what changed, and the page then fetches it again.
* **Schemas.** \`bowline/studio\` exports all schemas with their types, and \`openStudio\`, which serves the studio from a program.

${codeBlock("ts", EXAMPLE)}

${SCHEMA_FILES.map(([title, name]) => renderSection(title, readSchemaFile(name))).join("\n\n")}
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

const readSchemaFile = (name: string) =>
  readFileSync(new URL(`../../src/spec/studio/${name}.ts`, import.meta.url), "utf8");

function renderSection(title: string, source: string): string {
  const { summary, addresses, notes } = parseHeader(source);
  return [
    `## ${title}`,
    summary,
    markdownTable(["request", "answer"], addresses),
    notes,
    codeBlock("text", withoutImports(source)),
  ].join("\n\n");
}

const ADDRESS_LINE = /^ \* {3}(?<method>GET|POST|DELETE) +(?<path>\S+) +(?<answer>.+)$/;

/** Parses the comment at the start of a schema file: a summary, lines with addresses, and notes. */
function parseHeader(source: string) {
  const lines = source.slice(0, source.indexOf(" */")).split("\n").slice(1);
  const first = lines.findIndex((line) => ADDRESS_LINE.test(line));
  const last = lines.findLastIndex((line) => ADDRESS_LINE.test(line));
  const prose = (some: readonly string[]) => escapeText(some.join("\n").replaceAll(/^ \* ?/gm, ""));
  return {
    summary: prose(lines.slice(0, first)),
    addresses: lines.slice(first, last + 1).flatMap((line) => {
      const { method, path, answer } = ADDRESS_LINE.exec(line)?.groups ?? {};
      return path ? [[inlineCode(`${method} ${path}`), formatAnswer(answer!)]] : [];
    }),
    notes: prose(lines.slice(last + 1)),
  };
}

/** Formats the description of an API's answer, with the names of schemas as code. */
function formatAnswer(answer: string): string {
  return escapeText(
    answer.replaceAll(/`?(\b\w+Schema\b|\{[^}]*\})`?/g, (_, name: string) => inlineCode(name)),
  );
}

/** Returns the source without its imports and the comment before them. */
function withoutImports(source: string): string {
  const imports = [...source.matchAll(/^(?:import .*|\}) from "[^"]+";$/gm)].at(-1)!;
  return source.slice(imports.index + imports[0].length);
}
