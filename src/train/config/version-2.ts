/**
 * Configurations of version 2: today's sections, with more fields. Some are said by one field now. Some are constants, or
 * follow from other fields: a run that had them so is read as if they had never been, and one that had them otherwise is
 * refused by name.
 */
import { BowlineError, isRaw, shown } from "../../core/index.ts";
import { dialsSchema } from "../../spec/index.ts";
import { SCORES } from "../evaluate/scores.ts";
import { derivedShape, FAMILY } from "../open/model-shape.ts";
import { assignAt, type Tree } from "./tree.ts";

type Section = Readonly<Record<string, unknown>>;

interface Fixed {
  /** What it is in every run, or what it follows from. */
  readonly value: unknown | ((section: Section) => unknown);
  /** Completes "it is ...". */
  readonly is: string;
}

const IN_MODELS = "in every model that is made here; engine.model names one of another shape";
const derived =
  (name: keyof ReturnType<typeof derivedShape>) =>
  ({ hiddenSize, heads }: Section) =>
    derivedShape({ hiddenSize: Number(hiddenSize), heads: Number(heads) })[name];

/** Of what changed nothing that is learned, any value will do. */
const ANY = Symbol("any");

/** Fields that nothing sets any more. */
const FIXED: { readonly [path: string]: Fixed } = {
  "model.kvHeads": { value: derived("kvHeads"), is: `half of model.heads ${IN_MODELS}` },
  "model.headSize": { value: derived("headSize"), is: "model.hiddenSize / model.heads" },
  "model.intermediateSize": {
    value: derived("intermediateSize"),
    is: "8/3 of model.hiddenSize, rounded up to a multiple of 16",
  },
  "model.ropeTheta": { value: FAMILY.ropeTheta, is: `10000 ${IN_MODELS}` },
  "model.rmsNormEpsilon": { value: FAMILY.rmsNormEpsilon, is: `1e-6 ${IN_MODELS}` },
  "model.tieEmbeddings": { value: FAMILY.tieEmbeddings, is: `true ${IN_MODELS}` },
  "model.qkNorm": { value: FAMILY.qkNorm, is: `false ${IN_MODELS}` },
  "model.qkvBias": { value: FAMILY.qkvBias, is: `true ${IN_MODELS}` },
  "optimizer.epsilon": { value: 1e-8, is: "1e-8 in every run" },
  "warm.rampShare": { value: 0.05, is: "0.05 in every warm start" },
  "warm.finalRate": { value: 0.1, is: "0.1 in every warm start" },
  "warm.checkpointEvery": { value: ANY, is: "a tenth of the warm start, at most 100 steps" },
};

/** What says the same now. */
const MOVED: { readonly [path: string]: string } = {
  "world.minDifficulty": "world.difficulties",
  "world.maxDifficulty": "world.difficulties",
  "optimizer.beta1": "optimizer.betas",
  "optimizer.beta2": "optimizer.betas",
  "evaluation.test": "evaluation.scores",
  "evaluation.sampled": "evaluation.scores",
};

/** What became of a field that there is no more: "it is now optimizer.betas"; undefined: there was none of that name. */
export function whatBecameOf(path: string): string | undefined {
  if (Object.hasOwn(MOVED, path)) return `it is now ${MOVED[path]}`;
  return Object.hasOwn(FIXED, path) ? `it is ${FIXED[path]!.is}` : undefined;
}

interface Reading {
  /** Of weights that are there already, fields that only made them say nothing. */
  readonly isDone?: boolean;
  /** What a stage changes a part of, in today's fields. */
  readonly run?: Tree;
}

/**
 * The same in today's fields; what is written in them already is left as it is. Throws a `config` error where a field had a
 * value that it cannot have any more, unless it `isDone`.
 */
export function fromVersion2(raw: Tree, { isDone = false, run = {} }: Reading = {}): Tree {
  const tree: Tree = { ...raw };
  for (const [path, { value, is }] of Object.entries(FIXED)) {
    const [name = "", field = ""] = path.split(".");
    const section = tree[name];
    if (!isRaw(section) || !(field in section)) continue;
    const { [field]: was, ...rest } = section;
    const fixed = typeof value === "function" ? value({ ...HAD[name], ...section }) : value;
    if (fixed !== ANY && was !== fixed && !isDone) throw otherwise(path, was, is);
    tree[name] = rest;
  }
  for (const [name, section] of Object.entries(tree)) {
    if (isRaw(section) && Object.hasOwn(SAID_ANEW, name)) {
      tree[name] = SAID_ANEW[name]!(section, (run[name] ?? {}) as Section);
    }
  }
  return isRaw(tree["schedule"]) ? { ...tree, schedule: withStages(tree["schedule"], tree) } : tree;
}

/** Sections with fields that are said otherwise now. `run`: the run's section, where a stage changes a part of it. */
const SAID_ANEW: { readonly [section: string]: (section: Section, run: Section) => Section } = {
  world({ minDifficulty, maxDifficulty, ...world }, run) {
    const dials = "dials" in world ? { dials: turned(world["dials"]) } : {};
    if (minDifficulty === undefined && maxDifficulty === undefined) return { ...world, ...dials };
    const before = Array.isArray(run["difficulties"]) ? run["difficulties"] : [1, 2, 3];
    const [low, high] = [
      minDifficulty ?? Math.min(...before),
      maxDifficulty ?? Math.max(...before),
    ];
    const difficulties = [1, 2, 3].filter((one) => one >= Number(low) && one <= Number(high));
    return { ...world, ...dials, difficulties };
  },
  optimizer({ beta1, beta2, ...optimizer }, run) {
    if (beta1 === undefined && beta2 === undefined) return optimizer;
    const [first, second] = Array.isArray(run["betas"]) ? run["betas"] : [0.9, 0.999];
    return { ...optimizer, betas: [beta1 ?? first, beta2 ?? second] };
  },
  evaluation({ test, sampled, ...evaluation }) {
    if (test === undefined && sampled === undefined) return evaluation;
    const scores = SCORES.filter(
      (key) =>
        (test !== false || key.startsWith("dev")) && (sampled !== false || !key.endsWith("@T1")),
    );
    return { ...evaluation, scores };
  },
};

/** A world whose dials are all as it is written has none turned. */
function turned(dials: unknown): unknown {
  if (!isRaw(dials)) return dials;
  const plain: Readonly<Record<string, unknown>> = dialsSchema.parse({});
  return Object.entries(dials).every(([name, value]) => plain[name] === value) ? null : dials;
}

/** Stages have patches by the paths of fields. */
function withStages(schedule: Section, run: Tree): Section {
  const { stages } = schedule;
  if (!Array.isArray(stages)) return schedule;
  const now = stages.map((stage: { readonly patch?: Section }) =>
    isRaw(stage?.patch) ? { ...stage, patch: pathsFromVersion2(stage.patch, { run }) } : stage,
  );
  return { ...schedule, stages: now };
}

/** The same for fields by their paths. */
export function pathsFromVersion2(fields: Section, options: Reading = {}): Record<string, unknown> {
  const kept = Object.entries(fields).filter(([path]) => whatBecameOf(path) === undefined);
  const nested: Tree = {};
  for (const [path, value] of Object.entries(fields)) {
    if (whatBecameOf(path) !== undefined) assignAt(nested, path.split("."), value);
  }
  const now = Object.entries(fromVersion2(nested, options)).flatMap(([section, inner]) =>
    Object.entries(inner as Section).map(([name, value]) => [`${section}.${name}`, value] as const),
  );
  return Object.fromEntries([...kept, ...now]);
}

/** Defaults that derived fields follow from, where they are not written. */
const HAD: { readonly [section: string]: Section } = { model: { hiddenSize: 128, heads: 4 } };

function otherwise(path: string, was: unknown, is: string): BowlineError {
  return new BowlineError(
    "config",
    `${path} is ${shown(was)} there, and now it is ${is}: go on with the version of bowline that the run was begun with (run.json names it), or begin a new one`,
  );
}
