/**
 * Makes hostile and broken runs: recorded text that is code for a browser or a terminal, and truncated or foreign
 * files.
 */
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { FILE, findInstructiveRollout, RUN } from "./views.ts";

/**
 * Text with scripts that would set the variable `hurt` if a browser ran them, with codes for terminals, and with
 * characters that change the reading direction.
 */
export const HOSTILE_TEXT = [
  '</script><script>window.hurt = 1</script><img src="x" onerror="window.hurt = 1">',
  '<svg onload="window.hurt = 1"></svg><iframe srcdoc="<script>parent.hurt = 1</script>"></iframe>',
  '<a href="javascript:window.hurt=1">x</a><style>* { display: none }</style>{{7*7}}',
  "\u001b[31mred\u001b]0;title\u0007\b\u0000 \u202eright to left\u2066 \u200bnothing\ufeff \ud800",
].join("\n");

/** The names of the runs that `addHostileRuns` makes. */
export const HOSTILE_RUN_NAME = '<img src=x onerror="window.hurt=1">';
export const TRUNCATED_RUN_NAME = "torn";

/** Adds a run in which all text is hostile, a truncated run and foreign folders. */
export function addHostileRuns(runs: string): { readonly task: string; readonly rollout: string } {
  const { id, task } = findInstructiveRollout(runs);
  const folder = join(runs, HOSTILE_RUN_NAME);
  cpSync(join(runs, RUN), folder, { recursive: true });
  const rollouts = join(folder, "rollouts");
  rewriteLines(join(rollouts, `${FILE}.jsonl`), withHostileText);
  cpSync(join(rollouts, `${FILE}.jsonl`), join(rollouts, '<img src=x onerror="hurt=1">.jsonl'));
  rewriteLines(join(folder, "metrics.jsonl"), (line) => ({ ...line, [HOSTILE_TEXT]: 1 }));
  rewriteRunJson(folder);
  addTruncatedRun(runs);
  addForeignRuns(runs);
  return { task: task.id, rollout: id };
}

type Json = Record<string, unknown>;

/** Replaces all free text of a rollout. Ids and fields with fixed values stay. */
function withHostileText(rollout: Json): Json {
  const { task, turns, evaluation } = rollout as {
    task: Json;
    turns: readonly (Json & { calls: readonly Json[] })[];
    evaluation?: Json & { checks: readonly Json[] };
  };
  return {
    ...rollout,
    task: { ...task, instruction: HOSTILE_TEXT, signature: HOSTILE_TEXT, scenario: HOSTILE_TEXT },
    turns: turns.map((turn) => ({
      ...turn,
      message: HOSTILE_TEXT,
      code: HOSTILE_TEXT,
      observation: HOSTILE_TEXT,
      calls: turn.calls.map((call) => ({
        ...call,
        app: HOSTILE_TEXT,
        api: HOSTILE_TEXT,
        args: { [HOSTILE_TEXT]: HOSTILE_TEXT },
        fault: { message: HOSTILE_TEXT, at: HOSTILE_TEXT },
      })),
    })),
    ...(evaluation && {
      evaluation: {
        ...evaluation,
        checks: evaluation.checks.map((check) => ({
          ...check,
          name: HOSTILE_TEXT,
          detail: HOSTILE_TEXT,
        })),
      },
    }),
  };
}

function rewriteLines(path: string, change: (line: Json) => Json): void {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  writeFileSync(
    path,
    lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join(""),
  );
}

function rewriteRunJson(folder: string): void {
  const path = join(folder, "run.json");
  const run = JSON.parse(readFileSync(path, "utf8")) as Json & { config: Json };
  const config = {
    ...run.config,
    method: HOSTILE_TEXT,
    setting: HOSTILE_TEXT,
    [HOSTILE_TEXT]: HOSTILE_TEXT,
  };
  writeFileSync(path, JSON.stringify({ ...run, config }));
}

/** Adds a run whose files end in the middle of lines, as after a power failure. */
function addTruncatedRun(runs: string): void {
  const folder = join(runs, TRUNCATED_RUN_NAME);
  cpSync(join(runs, RUN), folder, { recursive: true });
  truncateSync(join(folder, "rollouts", `${FILE}.jsonl`), 3001);
  truncateSync(join(folder, "metrics.jsonl"), 2003);
  truncateSync(join(folder, "summary.json"), 30);
  truncateSync(join(folder, "timings.jsonl"), 0);
  const bytes = Buffer.from([0, 255, 254, 10, 123, 34, 0]);
  writeFileSync(join(folder, "rollouts", "train-0009.jsonl"), bytes);
}

function addForeignRuns(runs: string): void {
  const makeRunFolder = (name: string, run: string) => {
    mkdirSync(join(runs, name));
    writeFileSync(join(runs, name, "run.json"), run);
    return join(runs, name);
  };
  makeRunFolder("empty", "");
  makeRunFolder("list", "[]");
  makeRunFolder("null", "null");
  makeRunFolder("deep", "[".repeat(200_000));
  makeRunFolder("prototype", '{"version":1,"__proto__":{"config":{}},"constructor":1}');
  writeFileSync(join(makeRunFolder("file-for-folder", '{"version":1}'), "rollouts"), "no folder");
  mkdirSync(join(runs, "folder-for-file", "run.json"), { recursive: true });
  mkdirSync(join(runs, "loop"));
  symlinkSync("..", join(runs, "loop", "up"));
  symlinkSync("/etc", join(makeRunFolder("outside", '{"version":1}'), "rollouts"));
  mkdirSync(join(runs, "line\nbreak"));
  renameSync(makeRunFolder("to-move", "{}"), join(runs, "..%2f..%2f"));
}
