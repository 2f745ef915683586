/** Addresses of what trains: start, resume, stop, look. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type StartRequest, startSchema } from "../../../spec/studio/index.ts";
import { bodyAs } from "../queries.ts";
import type { Records } from "../records.ts";
import type { Route } from "../routes.ts";
import { type Runs, readSmallJson } from "../runs/index.ts";
import { StudioError } from "../studio-error.ts";
import { nameOf, resumeWords, startWords } from "./command-line.ts";
import type { Trainers } from "./trainers.ts";

export interface TrainingParts {
  readonly runs: Runs;
  readonly records: Records;
  /** Undefined: this studio starts none. */
  readonly trainers: Trainers | undefined;
}

/** Why no run can be started here; undefined where it can. */
export async function cannotStart({
  runs,
  trainers,
}: Pick<TrainingParts, "runs" | "trainers">): Promise<string | undefined> {
  if (trainers === undefined) return "this studio starts no runs: `bowline studio` does";
  const isRun = (await runs.places()).some(({ directory }) => directory === runs.inside.root);
  return isRun ? "this studio was opened on one run: open it on the folder of runs" : undefined;
}

export function trainingRoutes(parts: TrainingParts): Route[] {
  const { runs, trainers } = parts;
  return [
    post("runs", async (call) => ({ run: await start(parts, await bodyAs(call, startSchema)) })),
    post("runs/:run/resume", async (call, run) => {
      await bodyAs(call, NOTHING);
      await resume(parts, run);
      return { run };
    }),
    post("runs/:run/stop", async (call, run) => {
      await bodyAs(call, NOTHING);
      const { id } = await runs.place(run);
      return (await trainersOf(parts)).stop(id);
    }),
    {
      method: "GET",
      pattern: "runs/:run/trainer",
      answer: async (_, { run = "" }) => {
        const { id } = await runs.place(run);
        return { json: trainers?.of(id) ?? { state: "none", output: [] } };
      },
    },
  ];
}

const NOTHING = z.strictObject({});

function post(
  pattern: string,
  answer: (call: Parameters<Route["answer"]>[0], run: string) => Promise<unknown>,
): Route {
  return {
    method: "POST",
    pattern,
    answer: async (call, { run = "" }) => ({ json: await answer(call, run) }),
  };
}

async function trainersOf(parts: TrainingParts): Promise<Trainers> {
  const why = await cannotStart(parts);
  if (why !== undefined || parts.trainers === undefined) throw new StudioError(409, why ?? "");
  return parts.trainers;
}

/** Names that are looked into for no run. */
const NO_NAMES = ["checkpoints", "rollouts", "journal", "node_modules"];

async function start(parts: TrainingParts, request: StartRequest): Promise<string> {
  const trainers = await trainersOf(parts);
  const name = nameOf(request);
  const directory = join(parts.runs.inside.root, name);
  if (NO_NAMES.includes(name)) throw new StudioError(400, `name: ${name} cannot be a run's`);
  const words = startWords(request, directory);
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) {
    throw new StudioError(
      409,
      `there is ${name} already: resume it on its page, or give the new run another name`,
    );
  }
  await trainers.start(name, directory, words);
  return name;
}

async function resume(parts: TrainingParts, run: string): Promise<void> {
  const { runs, records } = parts;
  const trainers = await trainersOf(parts);
  const place = await runs.place(run);
  const { status, problem } = await runs.row(place);
  if (status !== "stopped") {
    throw new StudioError(409, `${run} is ${status}${problem ? ` (${problem})` : ""}`);
  }
  // Throws where its modules came with it.
  await records.directory(run);
  const path = join(place.directory, "run.json");
  const read = readSmallJson(path, runs.inside.at(path));
  const record = "value" in read ? (read.value as { readonly config?: unknown }) : {};
  await trainers.start(run, place.directory, resumeWords(record.config, place.directory));
}
