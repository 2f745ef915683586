/**
 * Measures luck: the share of tasks of each split that the hasty program passes, in the worlds of the study and in
 * `everyday/starter`. Writes results/luck.json.
 *
 * npx tsx bench/learning/pool/measure-luck.ts --scenarios 60
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mapConcurrently, THIS_CALL, writeJson } from "../../../src/core/index.ts";
import type { DemonstrationStyle } from "../../../src/spec/index.ts";
import { readDials, resolveConfig, resolveWorld } from "../../../src/train/index.ts";
import { openWorld } from "../../../src/world/index.ts";
import { WORLDS } from "./arms.ts";

const { values } = parseArgs({ options: { scenarios: { type: "string", default: "60" } } });
const scenarios = Number(values.scenarios);

interface LuckLine {
  readonly world: string;
  readonly split: string;
  readonly tasks: number;
  readonly hasty: number;
  readonly careful: number;
}

async function measureWorld(name: string): Promise<LuckLine[]> {
  const options = { seed: 1, workers: 2, dials: readDials(resolveConfig()), origin: THIS_CALL };
  const world = await openWorld(resolveWorld(name).url, options);
  try {
    const lines: LuckLine[] = [];
    for (const split of ["train", "dev", "test-normal"] as const) {
      const tasks = world.tasks(split, scenarios);
      const countPassed = async (style: DemonstrationStyle) => {
        const passed = await mapConcurrently([...tasks], 8, async ({ id }) => {
          const { evaluation } = await world.demonstrate(id, style, 1);
          return evaluation.passed;
        });
        return passed.filter(Boolean).length;
      };
      const [hasty, careful] = [await countPassed("hasty"), await countPassed("careful")];
      lines.push({ world: name, split, tasks: tasks.length, hasty, careful });
      console.log(`${name} ${split}: hasty ${hasty}, careful ${careful} of ${tasks.length}`);
    }
    return lines;
  } finally {
    await world.close();
  }
}

const lines: LuckLine[] = [];
for (const world of ["everyday/starter", ...Object.values(WORLDS)]) {
  lines.push(...(await measureWorld(world)));
}
writeJson(join(import.meta.dirname, "results/luck.json"), { version: 1, lines });
