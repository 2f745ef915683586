/**
 * Forks that are kept. A fork of a recorded rollout gets a file beside its run once a cell was run in it or a policy has
 * continued it. Each change reads the file, changes it and writes it again, so the file is all that there is.
 */
import { randomBytes } from "node:crypto";
import { errorMessage } from "../../core/index.ts";
import {
  FORK_ID,
  type Fork,
  type ForkList,
  type ForkSet,
  forkSchema,
} from "../../spec/studio/index.ts";
import type { LiveEpisode } from "./episodes.ts";
import { listOwnFiles, readOwnFile, removeOwnFile, writeOwnFile } from "./own-files.ts";
import { requestsHiddenChecks } from "./request-parameters.ts";
import type { Route } from "./routes.ts";
import type { Runs } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";
import { hidesChecks } from "./world-views.ts";

export interface ForkStore {
  list(run: string): Promise<ForkList>;
  /** Throws 404 if there is no such fork, and 409 if its file cannot be read. */
  read(run: string, id: string): Promise<Fork>;
  remove(run: string, id: string): Promise<void>;
  /** Keeps the cells of a fork. An episode that is no fork is not kept. A problem is noted in the episode. */
  keepCells(live: LiveEpisode): Promise<void>;
  /** Adds continuations to a fork. Those of which none ended are not kept. */
  keepSet(live: LiveEpisode, set: ForkSet): Promise<void>;
  /** Throws 409 if the fork has so many continuations that no more are kept. */
  requireSpace(live: LiveEpisode): Promise<void>;
}

const FOLDER = "forks";
const MAX_SETS = 50;
const fileNames = (id: string) => [FOLDER, `${id}.json`];

export function createForkStore(runs: Runs): ForkStore {
  const readFork = async (run: string, id: string): Promise<Fork> => {
    const { directory } = await runs.locate(run);
    const read = FORK_ID.test(id)
      ? readOwnFile(directory, fileNames(id), forkSchema)
      : { value: undefined };
    if ("problem" in read) throw new StudioError(409, read.problem);
    if (read.value !== undefined) return read.value;
    throw new StudioError(404, `run ${run} has no fork ${JSON.stringify(id.slice(0, 200))}`);
  };
  const changeFork = async (live: LiveEpisode, change: (fork: Fork) => Fork) => {
    if (!live.record || !live.rollout) return;
    try {
      const { directory } = await runs.locate(live.record.run);
      const id = live.fork?.id;
      const fork = id === undefined ? beginFork(live) : await readFork(live.record.run, id);
      writeOwnFile(directory, fileNames(fork.id), { ...change(fork), changedMs: Date.now() });
      live.fork = { id: fork.id };
    } catch (error) {
      // The cell or the continuation itself has succeeded, so the page shows it together with this reason.
      live.fork = { ...live.fork, why: errorMessage(error) };
    }
  };
  return {
    read: readFork,
    async list(run) {
      const { directory } = await runs.locate(run);
      const forks: ForkList["forks"] = [];
      const problems: string[] = [];
      for (const name of listOwnFiles(directory, [FOLDER])) {
        if (!name.endsWith(".json")) continue;
        const read = readOwnFile(directory, [FOLDER, name], forkSchema);
        if ("problem" in read) problems.push(read.problem);
        else if (read.value) forks.push(summariseFork(read.value));
      }
      forks.sort((a, b) => b.changedMs - a.changedMs);
      return { forks, problems };
    },
    async remove(run, id) {
      await readFork(run, id);
      removeOwnFile((await runs.locate(run)).directory, fileNames(id));
    },
    keepCells: (live) =>
      changeFork(live, (fork) => ({
        ...fork,
        cells: listCellsByHand(live),
      })),
    async keepSet(live, set) {
      if (set.results.length === 0) return;
      await changeFork(live, (fork) => ({ ...fork, sets: [...fork.sets, set] }));
    },
    async requireSpace({ record, fork }) {
      if (!record || fork?.id === undefined) return;
      const { sets } = await readFork(record.run, fork.id);
      if (sets.length < MAX_SETS) return;
      throw new StudioError(
        409,
        `this fork has ${MAX_SETS} sets of continuations, the most that are kept: fork the rollout again`,
      );
    },
  };
}

const listCellsByHand = ({ cells }: LiveEpisode) => cells.filter(({ by }) => by === "hand");

function beginFork(live: LiveEpisode): Fork {
  const { record, rollout, task } = live;
  const { file, turn } = record!;
  const now = Date.now();
  return {
    ...{ version: 1, id: randomBytes(9).toString("base64url"), createdMs: now, changedMs: now },
    ...{ file, rollout: rollout!.id, turn, task: { ...task }, sets: [] },
    cells: listCellsByHand(live),
  };
}

function summariseFork({
  version: _,
  task,
  cells,
  sets,
  ...fork
}: Fork): ForkList["forks"][number] {
  const rows = sets.flatMap(({ results }) => results.map(({ row }) => row));
  const solved = rows.filter(({ passed }) => passed).length;
  return { ...fork, task: task.id, cells: cells.length, continuations: rows.length, solved };
}

export function forkRoutes(forks: ForkStore): Route[] {
  const pattern = "runs/:run/forks/:fork";
  return [
    {
      method: "GET",
      pattern: "runs/:run/forks",
      answer: async (_, { run }) => ({ json: await forks.list(run!) }),
    },
    {
      method: "GET",
      pattern,
      answer: async (call, { run, fork }) => ({
        json: withoutHiddenChecks(await forks.read(run!, fork!), requestsHiddenChecks(call)),
      }),
    },
    {
      method: "DELETE",
      pattern,
      answer: async (_, { run, fork }) => {
        await forks.remove(run!, fork!);
        return { json: {} };
      },
    },
  ];
}

function withoutHiddenChecks(fork: Fork, includesHidden: boolean): Fork {
  if (includesHidden || !hidesChecks(fork.task.split)) return fork;
  const hide = ({ results, ...set }: ForkSet): ForkSet => ({
    ...set,
    results: results.map((result) => ({ ...result, checks: [] })),
  });
  return { ...fork, sets: fork.sets.map(hide) };
}
