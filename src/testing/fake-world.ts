/**
 * A world of one-line tasks in memory. It keeps the contract of `World`, including demonstrations and forks. Its tasks
 * are so simple that the table engine learns them in a second.
 */
import { requireInteger, requireOneOf } from "../core/index.ts";
import { type Episode, SPLITS, type Split, type TaskInfo, type World } from "../spec/index.ts";
import { resolveDials } from "../world/index.ts";
import { fakeEpisode, fakeStepResult, fakeTask } from "./fake-episode.ts";

/** Returns a world whose tasks pass if the last cell is "yes". The cells "yes" and "no" finish a task. */
export function fakeWorld(options: { readonly hasSolutions?: boolean } = {}): World {
  const tasks = (split: Split, scenarios = 4): TaskInfo[] => {
    requireOneOf("split", split, SPLITS);
    requireInteger("scenarios", scenarios, 1, 100_000, "4");
    return Array.from({ length: scenarios * 3 }, (_, i) =>
      fakeTask({
        id: `${split}/${Math.floor(i / 3)}/${i % 3}`,
        scenario: `${split}/${Math.floor(i / 3)}`,
        split,
        signature: `say ${i % 2}`,
        instruction: `Do it ${i}.`,
      }),
    );
  };
  const open = (taskId: string) => {
    const [split, scenario, variant] = taskId.split("/");
    const task = tasks(split as Split, Number(scenario) + 1)[
      Number(scenario) * 3 + Number(variant)
    ]!;
    const episode = fakeEpisode({
      task,
      run: (code) => {
        const finished = code === "yes" || code === "no";
        return fakeStepResult({ text: finished ? "done" : "what?", finished });
      },
    });
    return judgeLastCell(episode, []);
  };
  return {
    name: "fake",
    seed: 1,
    dials: resolveDials(),
    hasSolutions: options.hasSolutions ?? true,
    tasks,
    open: async (taskId) => open(taskId),
    async demonstrate(taskId, style) {
      const episode = open(taskId);
      const code = style === "careful" ? "yes" : "no";
      const turns = [{ code, result: await episode.step(code) }];
      return { task: episode.task, style, turns, evaluation: await episode.evaluate() };
    },
    close: async () => {},
  };
}

/**
 * Returns the episode with another evaluation, which passes if the last cell is "yes". A fork knows the cells before
 * it.
 */
function judgeLastCell(episode: Episode, earlierCells: readonly string[]): Episode {
  const cells = [...earlierCells];
  return {
    ...episode,
    step: (code, signal) => {
      cells.push(code);
      return episode.step(code, signal);
    },
    evaluate: async () => {
      const { finished } = await episode.evaluate();
      const passed = cells.at(-1) === "yes";
      return {
        passed,
        finished,
        checks: [
          { name: "said yes", label: "progress", passed },
          { name: "nothing else", label: "guard", passed: true },
        ],
      };
    },
    fork: async () => judgeLastCell(await episode.fork(), cells),
  };
}
