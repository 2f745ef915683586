/** The fields of an environment file: an environment in JSON, which a command line names with `--environment`. */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FormatTable,
  formatSchema,
  harmless,
} from "../../core/index.ts";

const text = z.string().min(1);
const seconds = z.number().positive();
const taskList = z.union([text, z.array(z.unknown())], {
  error: "expected a list of tasks, or the path of a file with a task on each line",
});

const tasksFormat = defineFormat({
  name: "Environment file: tasks",
  unknown: "refused",
  fields: {
    train: computed(taskList, "tasks for training"),
    dev: computed(taskList.optional(), "tasks that are scored before, during and after training"),
    test: computed(taskList.optional(), "tasks that are scored before and after training"),
  },
});

const environmentFormat = defineFormat({
  name: "Environment file",
  unknown: "refused",
  fields: {
    $schema: harmless("editors read it"),
    command: computed(
      z.union([text, z.array(z.string()).min(1)]).optional(),
      "the program and its arguments, or a line for the shell; it plays one episode",
    ),
    url: computed(
      z.url({ protocol: /^https?$/ }).optional(),
      "the address that gets a POST for each episode instead",
    ),
    workingDirectory: computed(
      text.optional(),
      "where the program runs, relative to this file; by default the folder of this file",
    ),
    env: computed(z.record(z.string(), z.string()).optional(), "further environment variables"),
    timeoutSeconds: computed(seconds.optional(), "a longer episode is left out of its group"),
    graceSeconds: computed(
      z.number().min(0).optional(),
      "the time between the request to end and the end of the processes",
    ),
    rewardField: computed(
      text.optional(),
      'the path of the field with the reward; by default "reward"',
    ),
    passAt: computed(
      z.number().positive().max(1).optional(),
      "the least reward that counts as solved",
    ),
    tasks: computed(
      z.union([taskList, formatSchema(tasksFormat)], {
        error: "expected a list of tasks, the path of a file, or { train, dev, test } of these",
      }),
      "any data; paths are relative to this file",
    ),
    conversations: computed(
      text.optional(),
      "a file of recorded conversations that a new model imitates first",
    ),
  },
});

/** The tables of environment files, in the order of the page that documents them. */
export const ENVIRONMENT_FORMATS: readonly FormatTable[] = [environmentFormat, tasksFormat];

export const environmentSchema = formatSchema(environmentFormat);
export type EnvironmentBody = z.output<typeof environmentSchema>;
