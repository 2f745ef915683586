/**
 * A world around `@modelcontextprotocol/server-filesystem`: every episode has a folder of its own, which the server may
 * read and write. The agent sees `{dir}` in the place of the folder's path.
 *
 *   npm install @modelcontextprotocol/server-filesystem
 *   bowline play --world ./filesystem.ts
 */
import { defineForeignWorld, type ForeignTask, mcpApps, type Rng } from "bowline/world";
import { installedServer } from "./servers.ts";

const NAMES = ["plan", "notes", "draft", "list", "report", "letter"];
const WORDS = ["river", "stone", "maple", "cloud", "ember", "harbour"];

function drawTask(rng: Rng): ForeignTask {
  const names = rng.sample(NAMES, 3).map((name) => `${name}.txt`);
  const words = rng.sample(WORDS, 3);
  const [word] = words;
  const wanted = names[0]!;
  return {
    signature: "files.move-by-content",
    difficulty: 2,
    instruction: `Move the file that contains the word ${word} to done.txt.`,
    files: Object.fromEntries(names.map((name, i) => [name, `${words[i]}\n`])),
    check: async ({ read }) => {
      const listing = await read("files", "listDirectory", { path: "." });
      const { content } = listing as { content: string };
      const found = content.split("\n").sort();
      const expected = ["done.txt", ...names.slice(1)].map((name) => `[FILE] ${name}`).sort();
      const isMoved = JSON.stringify(found) === JSON.stringify(expected);
      const detail = `expected ${expected.join(", ")}, got ${found.join(", ")}`;
      return [{ name: `${wanted} is done.txt`, label: "progress", passed: isMoved, detail }];
    },
    *solution() {
      yield `const found = [];
for (const path of ${JSON.stringify(names.toSorted())}) {
  const { content } = await apis.files.readTextFile({ path });
  if (content.includes("${word}")) found.push(path);
}
print(found);`;
      yield `await apis.files.moveFile({ source: found[0], destination: "done.txt" });`;
      yield "await apis.me.finishTask();";
    },
  };
}

export default defineForeignWorld({
  name: "filesystem",
  apps: mcpApps({
    files: {
      ...installedServer("filesystem", ["{dir}"]),
      tools: ["read_text_file", "list_directory", "move_file", "write_file", "search_files"],
      summary: "Reads and writes the files of one folder.",
    },
  }),
  scenarios: { train: 100, dev: 20, "test-normal": 20 },
  tasks: ({ rng }) => [drawTask(rng), drawTask(rng), drawTask(rng)],
  isolation: "reset",
  probe: { app: "files", api: "listDirectory", args: { path: "." } },
  snapshot: "directory",
});
