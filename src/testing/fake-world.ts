/**
 * A world of one-line tasks in memory. It keeps the contract of `World`, demonstrations and forks included, and asks for
 * little enough that the table engine learns it in a second.
 */
import { requireInteger, requireOneOf } from "../core/index.ts";
import { type Episode, SPLITS, type Split, type TaskInfo, type World } from "../spec/index.ts";
import { resolveDials } from "../world/index.ts";
import { fakeEpisode, fakeTask, stepResult } from "./fake-episode.ts";

/** Tasks ask for "yes"; "no" finishes too, and anything else does not. Half of the checks are guards. */
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
        return stepResult({ text: finished ? "done" : "what?", finished });
      },
    });
    return judged(episode, []);
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

/** Passes when the last cell was "yes". A fork remembers what was said before it. */
function judged(episode: Episode, said: readonly string[]): Episode {
  const cells = [...said];
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
    fork: async () => judged(await episode.fork(), cells),
  };
}
