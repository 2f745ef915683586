/** Lists the tasks of an installation: ids from its data sets, instructions from a server. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError } from "../../core/index.ts";
import type { Difficulty, Split, TaskInfo } from "../../spec/index.ts";
import type { AppWorldSettings } from "./define.ts";
import type { TaskAnswer } from "./formats.ts";
import type { AppWorldClient } from "./server-client.ts";

/** AppWorld's names of the splits. */
const DATASETS: { readonly [split in Split]?: string } = {
  train: "train",
  dev: "dev",
  "test-normal": "test_normal",
  "test-challenge": "test_challenge",
};

const TASK_ID = /^([0-9a-z]+)_([0-9]+)$/;

/** The ids of a split in AppWorld's own form, in the order of its data set. */
export function readTaskIds({ root }: AppWorldSettings, split: Split): readonly string[] {
  const dataset = DATASETS[split];
  const path = join(root, "data", "datasets", `${dataset}.txt`);
  if (dataset === undefined || !existsSync(path)) {
    throw new BowlineError(
      "config",
      `AppWorld has no tasks for the split ${split}: expected ${path}; \`appworld download data\` brings the data`,
    );
  }
  const ids = readFileSync(path, "utf8").split(/\s+/).filter(Boolean);
  const wrong = ids.find((id) => !TASK_ID.test(id));
  if (wrong === undefined && ids.length > 0) return ids;
  throw new BowlineError(
    "world",
    `${path}: expected ids such as abc1234_1, got ${JSON.stringify(wrong ?? "an empty file")}`,
  );
}

const metadataSchema = z.object({
  difficulty: z.union([z.literal(1), z.literal(2), z.literal(3)]),
});

/** Returns the difficulty that the data states; undefined for test splits, whose data does not state it. */
export function readDifficulty({ root }: AppWorldSettings, taskId: string): Difficulty | undefined {
  const path = join(root, "data", "tasks", taskId, "ground_truth", "metadata.json");
  if (!existsSync(path)) return undefined;
  const parsed = metadataSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return parsed.success ? parsed.data.difficulty : undefined;
}

/** One task of the installation, with AppWorld's id of it. */
export interface ListedTask {
  readonly taskId: string;
  readonly info: TaskInfo;
}

/** Lists the tasks of a split. A task of unknown difficulty counts as one of difficulty 2. */
export async function listTasks(
  settings: AppWorldSettings,
  split: Split,
  client: AppWorldClient,
): Promise<readonly ListedTask[]> {
  const listed: ListedTask[] = [];
  for (const taskId of readTaskIds(settings, split)) {
    const difficulty = readDifficulty(settings, taskId) ?? 2;
    if (split === "train" && !settings.trainDifficulties.includes(difficulty)) continue;
    const [, scenario = "", variant = ""] = TASK_ID.exec(taskId)!;
    const info = {
      id: `${split}/${scenario}/${variant}`,
      scenario: `${split}/${scenario}`,
      split,
      difficulty,
      signature: "appworld",
      instruction: writeInstruction(await client.readTask(taskId)),
    };
    listed.push({ taskId, info });
  }
  return listed;
}

/** Writes the task as the agent reads it: for whom it works, then what is to be done. */
function writeInstruction({ instruction, supervisor }: TaskAnswer): string {
  const { first_name, last_name, email, phone_number } = supervisor;
  return `I am ${first_name} ${last_name}, with the email address ${email} and the phone number ${phone_number}. ${instruction}`;
}
