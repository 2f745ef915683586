/** Routes that start, resume, stop and show runs in training. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type StartRunRequest, startRunSchema } from "../../../spec/studio/index.ts";
import { parseBody } from "../request-parameters.ts";
import type { Route } from "../routes.ts";
import type { RunRecords } from "../run-records.ts";
import type { Runs } from "../runs/index.ts";
import { StudioError } from "../studio-error.ts";
import { buildResumeArguments, buildStartArguments, chooseRunName } from "./command-line.ts";
import type { Trainers } from "./trainers.ts";

export interface TrainingServices {
  readonly runs: Runs;
  readonly records: RunRecords;
  /** Undefined if this studio cannot start runs. */
  readonly trainers: Trainers | undefined;
}

/** Returns why no run can be started from this studio, or undefined if it can. */
export async function explainCannotStart({
  runs,
  trainers,
}: Pick<TrainingServices, "runs" | "trainers">): Promise<string | undefined> {
  if (trainers === undefined)
    return "this studio cannot start runs: open one with `bowline studio`";
  const isRun = (await runs.locateAll()).some(({ directory }) => directory === runs.folder.root);
  return isRun ? "this studio was opened on one run: open it on the folder of runs" : undefined;
}

export function trainingRoutes(services: TrainingServices): Route[] {
  const { runs, trainers } = services;
  return [
    postRoute("runs", async (call) => ({
      run: await startRun(services, await parseBody(call, startRunSchema)),
    })),
    postRoute("runs/:run/resume", async (call, run) => {
      await parseBody(call, EMPTY_BODY);
      await resumeRun(services, run);
      return { run };
    }),
    postRoute("runs/:run/stop", async (call, run) => {
      await parseBody(call, EMPTY_BODY);
      const { id } = await runs.locate(run);
      return (await requireTrainers(services)).stop(id);
    }),
    {
      method: "GET",
      pattern: "runs/:run/trainer",
      answer: async (_, { run = "" }) => {
        const trainer = trainers?.status(run) ?? { state: "none", output: [] };
        // A run that was refused after its demonstrations has left nothing but the output of its process.
        if (trainer.state === "none") await runs.locate(run);
        return { json: trainer };
      },
    },
  ];
}

const EMPTY_BODY = z.strictObject({});

function postRoute(
  pattern: string,
  answer: (call: Parameters<Route["answer"]>[0], run: string) => Promise<unknown>,
): Route {
  return {
    method: "POST",
    pattern,
    answer: async (call, { run = "" }) => ({ json: await answer(call, run) }),
  };
}

async function requireTrainers(services: TrainingServices): Promise<Trainers> {
  const why = await explainCannotStart(services);
  if (why !== undefined || services.trainers === undefined) throw new StudioError(409, why ?? "");
  return services.trainers;
}

/** Folder names that are never searched for runs, so a run cannot have them. */
const RESERVED_NAMES = ["checkpoints", "rollouts", "journal", "node_modules"];

async function startRun(services: TrainingServices, request: StartRunRequest): Promise<string> {
  const trainers = await requireTrainers(services);
  const name = chooseRunName(request);
  const directory = join(services.runs.folder.root, name);
  if (RESERVED_NAMES.includes(name))
    throw new StudioError(400, `name: a run cannot be named ${name}`);
  const words = buildStartArguments(request, directory);
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) {
    throw new StudioError(
      409,
      `${name} exists already: resume it on its page, or give the new run another name`,
    );
  }
  await trainers.start(name, directory, words);
  return name;
}

async function resumeRun(services: TrainingServices, run: string): Promise<void> {
  const { runs, records } = services;
  const trainers = await requireTrainers(services);
  const location = await runs.locate(run);
  const { status, problem } = await runs.readRow(location);
  if (status !== "stopped") {
    throw new StudioError(
      409,
      `run ${run} is ${status}${problem ? ` (${problem})` : ""}: only a stopped run can be resumed`,
    );
  }
  // The fields of the run become those of a command, so this throws if one names a module that is not trusted.
  const config = await records.readTrustedConfig(run);
  await trainers.start(run, location.directory, buildResumeArguments(config, location.directory));
}
