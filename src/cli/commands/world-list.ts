/** `bowline world list` lists a world's apps and APIs, its splits, and the signatures of its tasks. */

import type { Command } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import { type Dials, type Difficulty, SPLITS, type Split, type World } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import {
  dialsHelpText,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Paint } from "../terminal.ts";
import { type ApiDoc, readApiDoc, readAppDocs } from "../world-docs.ts";

interface ListOptions {
  readonly world: string;
  readonly seed: number;
  readonly json?: boolean;
}

interface WorldListing {
  readonly world: string;
  readonly seed: number;
  readonly apps: readonly {
    readonly name: string;
    readonly summary: string;
    readonly apis: readonly ApiDoc[];
  }[];
  readonly splits: readonly SplitListing[];
  readonly signatures: readonly SignatureListing[];
}

interface SplitListing {
  readonly split: Split;
  readonly scenarios: number;
  readonly tasks: number;
  /** The number of tasks of each difficulty (1, 2 and 3). */
  readonly byDifficulty: { readonly [D in Difficulty]: number };
}

interface SignatureListing {
  readonly signature: string;
  readonly difficulty: Difficulty;
  /** The number of scenarios with this signature in each split. */
  readonly scenarios: { readonly [S in Split]?: number };
}

export function defineWorldListCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "List a world's apps with their APIs, its splits, and the signatures (kinds) of its tasks.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () => `\nExample:\n  bowline world list --world ./my-world.ts${dialsHelpText()}`,
    )
    .action(async (options: ListOptions, command: Command) => {
      const dials = readDialFields(command, context);
      const { out } = context.terminal;
      const listing = await listWorld(options.world, options.seed, dials);
      out.writeLine(options.json ? toVisibleJson(listing) : formatListing(listing, out.paint));
    });
}

async function listWorld(
  reference: string,
  seed: number,
  dials: Partial<Dials>,
): Promise<WorldListing> {
  const { name, url } = resolveWorld(reference);
  const world = await openWorld(url, { seed, dials });
  try {
    const splits = SPLITS.map((split) => describeSplit(world, split)).filter(
      ({ tasks }) => tasks > 0,
    );
    return {
      world: name,
      seed,
      apps: await readAppListing(world),
      splits,
      signatures: listSignatures(world),
    };
  } finally {
    await world.close();
  }
}

async function readAppListing(world: World): Promise<WorldListing["apps"]> {
  const [task] = SPLITS.flatMap((split) => world.tasks(split, undefined).slice(0, 1));
  if (task === undefined) return [];
  const episode = await world.open(task.id);
  const apps = [];
  for (const app of await readAppDocs(episode)) {
    const apis: ApiDoc[] = [];
    for (const api of app.apis) apis.push(await readApiDoc(episode, `${app.name}.${api.name}`));
    apps.push({ name: app.name, summary: app.summary, apis });
  }
  await episode.close();
  return apps;
}

function describeSplit(world: World, split: Split): SplitListing {
  const tasks = world.tasks(split);
  const count = (difficulty: Difficulty) =>
    tasks.filter((task) => task.difficulty === difficulty).length;
  const scenarios = new Set(tasks.map((task) => task.scenario)).size;
  const byDifficulty = { 1: count(1), 2: count(2), 3: count(3) };
  return { split, scenarios, tasks: tasks.length, byDifficulty };
}

function listSignatures(world: World): SignatureListing[] {
  const found = new Map<string, { difficulty: Difficulty; scenarios: { [S in Split]?: number } }>();
  for (const split of SPLITS) {
    for (const task of world.tasks(split).filter((_, i) => i % 3 === 0)) {
      const entry = found.get(task.signature) ?? { difficulty: task.difficulty, scenarios: {} };
      entry.scenarios[split] = (entry.scenarios[split] ?? 0) + 1;
      found.set(task.signature, entry);
    }
  }
  return [...found]
    .map(([signature, entry]) => ({ signature, ...entry }))
    .sort((a, b) => a.difficulty - b.difficulty || a.signature.localeCompare(b.signature));
}

function formatListing(
  { world, seed, apps, splits, signatures }: WorldListing,
  paint: Paint,
): string {
  const dim = (value: string) => paint("dim", value);
  const apis = apps.reduce((sum, app) => sum + app.apis.length, 0);
  const appLines = apps.flatMap((app) => [
    "",
    `  ${paint("bold", app.name)}  ${dim(`${app.summary} ${pluralize(app.apis.length, "API")}.`)}`,
    ...app.apis.map(
      (api) => `    ${api.call.replace(/^apis\.\w+\./, "").padEnd(58)}  ${dim(api.summary)}`,
    ),
  ]);
  const right = { align: "right" } as const;
  const splitRows = splits.map(({ split, scenarios, tasks, byDifficulty }) => [
    split,
    String(scenarios),
    String(tasks),
    ...[1, 2, 3].map((level) => String(byDifficulty[level as Difficulty])),
  ]);
  const signatureRows = signatures.map(({ signature, difficulty, scenarios }) => [
    signature,
    String(difficulty),
    ...splits.map(({ split }) => String(scenarios[split] ?? "·")),
  ]);
  return [
    `${paint("bold", world)}  ${dim(`seed ${seed} · ${pluralize(apps.length, "app")} · ${pluralize(apis, "API")} · ${pluralize(signatures.length, "signature")}`)}`,
    ...appLines,
    "",
    renderTable(
      [
        { title: "split" },
        { title: "scenarios", ...right },
        { title: "tasks", ...right },
        { title: "difficulty 1", ...right },
        { title: "2", ...right },
        { title: "3", ...right },
      ],
      splitRows,
      dim,
    ),
    "",
    renderTable(
      [
        { title: "signature (scenarios in each split)" },
        { title: "difficulty", ...right },
        ...splits.map(({ split }) => ({ title: split, ...right })),
      ],
      signatureRows,
      dim,
    ),
    "",
  ].join("\n");
}
