/** A world around a resources server of NeMo Gym, whose rows are the lines of a file beside this one. */
import { readFileSync } from "node:fs";
import { defineForeignWorld, type ForeignTask, type NemoRow, nemoApps } from "bowline/world";

const rows = readFileSync(new URL("example.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as NemoRow & { readonly instruction: string });
const takeRow = (index: number) => rows[index % rows.length]!;

const createTask = (index: number): ForeignTask => ({
  signature: "row",
  difficulty: 2,
  instruction: takeRow(index).instruction,
  data: takeRow(index),
});

export default defineForeignWorld({
  name: "gym",
  apps: nemoApps({
    url: "http://127.0.0.1:8132",
    tools: takeRow(0).responses_create_params.tools ?? [],
  }),
  scenarios: { train: 20 },
  tasks: ({ index }) => [
    createTask(3 * index),
    createTask(3 * index + 1),
    createTask(3 * index + 2),
  ],
});
