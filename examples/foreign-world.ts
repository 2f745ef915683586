/**
 * A world of apps that are not ours: a parking garage behind asynchronous handlers, as it could be behind a server.
 *
 *   bowline play --world ./foreign-world.ts                                lets you solve a task yourself
 *   bowline eval solution --world ./foreign-world.ts --split train         scores the solutions
 *   bowline train smoke --world ./foreign-world.ts                         trains an agent in this world
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiError,
  asyncApps,
  defineForeignWorld,
  type ForeignTask,
  type Rng,
  z,
} from "bowline/world";

const PLATES = ["KT 201", "MX 88", "RO 417", "BA 5", "ZL 930", "HD 62"];

interface Garage {
  readonly spaces: Map<string, string>;
}

const space = z.string().describe("a space, such as A1");
const parking = asyncApps<Garage>({
  // Every episode has a garage of its own. A server would be started or reset here.
  begin: ({ data }) => ({ spaces: new Map(Object.entries(data as Record<string, string>)) }),
  apps: [
    {
      name: "garage",
      summary: "The spaces of a parking garage.",
      apis: {
        find: {
          summary: "Find the space of a car.",
          params: z.strictObject({ plate: z.string().describe("the car's plate") }),
          returns: z.object({ space: z.string() }),
          readOnly: true,
          handler: async ({ spaces }, { plate }: { plate: string }) => {
            await sleep(1);
            const found = [...spaces].find(([, parked]) => parked === plate)?.[0];
            if (found === undefined) throw new ApiError(404, `there is no car ${plate}`);
            return { space: found };
          },
        },
        move: {
          summary: "Move the car in one space to another space.",
          params: z.strictObject({ from: space, to: space }),
          returns: z.object({ moved: z.boolean() }),
          handler: async ({ spaces }, { from, to }: { from: string; to: string }) => {
            await sleep(1);
            const plate = spaces.get(from);
            if (plate === undefined) throw new ApiError(404, `space ${from} is free`);
            if (spaces.has(to)) throw new ApiError(409, `space ${to} is taken`);
            spaces.delete(from);
            spaces.set(to, plate);
            return { moved: true };
          },
        },
      },
    },
  ],
});

function moveTask(rng: Rng): ForeignTask {
  const plates = rng.shuffle(PLATES).slice(0, 3);
  const data = Object.fromEntries(plates.map((plate, i) => [`A${i + 1}`, plate]));
  const [plate] = plates;
  return {
    signature: "garage.move",
    difficulty: 1,
    instruction: `Move the car ${plate} to space B1.`,
    data,
    check: async ({ read }) => {
      const found = (await read("garage", "find", { plate })) as { space: string };
      const detail = `expected B1, got ${found.space}`;
      return [
        { name: "the car is in B1", label: "progress", passed: found.space === "B1", detail },
      ];
    },
    *solution() {
      const { stdout } = yield `print(await apis.garage.find({ plate: "${plate}" }))`;
      const from = (JSON.parse(stdout) as { space: string }).space;
      yield `await apis.garage.move({ from: "${from}", to: "B1" })`;
      yield "await apis.me.finishTask({})";
    },
  };
}

export default defineForeignWorld({
  name: "garage",
  apps: parking,
  scenarios: { train: 20, dev: 10, "test-normal": 10 },
  tasks: ({ rng }) => [moveTask(rng), moveTask(rng), moveTask(rng)],
});
