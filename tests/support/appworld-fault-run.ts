/**
 * Plays episodes of AppWorld's adapter on fake servers that die, hang, answer garbage and lose their world, and prints
 * what happened as JSON:
 *
 *     node --expose-gc --import tsx tests/support/appworld-fault-run.ts [EPISODES]
 *
 * Every episode counts what it put into its box, so a cell that counted twice would be noticed.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BowlineError, mapConcurrently } from "../../src/core/index.ts";
import { openAppWorld } from "../../src/world/appworld/appworld.ts";
import { resolveDials } from "../../src/world/dials/index.ts";

const episodes = Number(process.argv[2] ?? 1000);
const FAKE = fileURLToPath(new URL("./fake-appworld.mjs", import.meta.url));
const CONCURRENCY = 4;
const root = mkdtempSync(join(tmpdir(), "bowline-appworld-faults-"));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
write("data/datasets/train.txt", "aaaaaa1_1\naaaaaa1_2\naaaaaa1_3\n");
for (const id of ["aaaaaa1_1", "aaaaaa1_2", "aaaaaa1_3"]) {
  write(`data/tasks/${id}/ground_truth/metadata.json`, '{"difficulty":1}');
}

const world = await openAppWorld(
  {
    ...{ root, command: [process.execPath, FAKE], splits: ["train"], servers: CONCURRENCY },
    ...{ cellSeconds: 1, graceMs: 500 },
  },
  { seed: 1, dials: resolveDials() },
);

/** What goes wrong in the second of three cells, and what then is in the box: a cell that hangs does not count. */
const FAULTS: Readonly<Record<string, (i: number) => { cell: string; box?: string[] }>> = {
  none: () => ({ cell: 'box.append("pen")', box: ["cup", "pen", "cup"] }),
  dies: (i) => ({ cell: `die(${i})\nbox.append("pen")`, box: ["cup", "pen", "cup"] }),
  garbage: (i) => ({ cell: `garbage(${i})\nbox.append("pen")`, box: ["cup", "pen", "cup"] }),
  closed: (i) => ({ cell: `closed(${i})\nbox.append("pen")`, box: ["cup", "pen", "cup"] }),
  refused: () => ({ cell: "nonsense", box: ["cup", "cup"] }),
  alwaysDies: () => ({ cell: "always_die()" }),
  wrongShape: () => ({ cell: "wrong_shape()" }),
  hangs: () => ({ cell: 'hang()\nbox.append("pen")', box: ["cup", "cup"] }),
};
const QUICK_FAULTS = Object.keys(FAULTS).filter((name) => name !== "hangs");
const chooseFault = (i: number) =>
  i % 50 === 49 ? "hangs" : QUICK_FAULTS[i % QUICK_FAULTS.length]!;

const counts = { played: 0, passed: 0, failed: 0, lost: 0 };
const wrong: object[] = [];
const memoryMb: number[] = [];

async function play(i: number): Promise<void> {
  const fault = chooseFault(i);
  const { cell, box } = FAULTS[fault]!(i);
  const episode = await world.open(`train/aaaaaa1/${(i % 3) + 1}`);
  let outcome: unknown;
  try {
    for (const code of ['box.append("cup")', cell, 'box.append("cup")']) await episode.step(code);
    const { text } = await episode.step("print(box)");
    await episode.step("apis.supervisor.complete_task()");
    const { passed } = await episode.evaluate();
    counts[passed ? "passed" : "failed"] += 1;
    outcome = { text, passed };
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "world") throw error;
    counts.lost += 1;
    outcome = String(error);
  } finally {
    await episode.close();
  }
  const expected = box && { text: JSON.stringify(box), passed: !box.includes("pen") };
  const isRight = box
    ? JSON.stringify(outcome) === JSON.stringify(expected)
    : typeof outcome === "string";
  if (!isRight) wrong.push({ i, fault, outcome });
}

await mapConcurrently(
  Array.from({ length: episodes }, (_, i) => i),
  CONCURRENCY,
  async (i) => {
    await play(i);
    counts.played += 1;
    if (counts.played === Math.min(100, episodes / 2) || counts.played === episodes) {
      globalThis.gc?.();
      memoryMb.push(process.memoryUsage().rss / 2 ** 20);
    }
  },
);
await world.close();
const processesLeft = readdirSync("/proc").filter(isServer).length;
rmSync(root, { recursive: true, force: true });
console.log(JSON.stringify({ ...counts, wrong, memoryMb, processesLeft }));

/** Tells whether a process is a server of this script. */
function isServer(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(root);
  } catch {
    return false;
  }
}
