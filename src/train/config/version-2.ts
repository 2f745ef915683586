/**
 * Configurations of version 2: today's sections, with more fields. Some are constants now, or follow from other fields; a run
 * that had them so is read as if they had never been, and one that had them otherwise is refused by name.
 */
import { BowlineError, isRaw, shown } from "../../core/index.ts";
import { derivedShape, FAMILY } from "../open/model-shape.ts";
import type { Tree } from "./tree.ts";

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
};

/** What became of a field that there is no more, to complete "it is ..."; undefined: there was none of that name. */
export function fixedText(path: string): string | undefined {
  return Object.hasOwn(FIXED, path) ? FIXED[path]!.is : undefined;
}

/**
 * The same in today's fields; what is written in them already is left as it is. Throws a `config` error where a field had a
 * value that it cannot have any more, unless `isDone`: of weights that are there already, those fields say nothing.
 */
export function fromVersion2(raw: Tree, { isDone = false } = {}): Tree {
  const tree: Tree = { ...raw };
  for (const [path, { value, is }] of Object.entries(FIXED)) {
    const [name = "", field = ""] = path.split(".");
    const section = tree[name];
    if (!isRaw(section) || !(field in section)) continue;
    const { [field]: was, ...rest } = section;
    const fixed = typeof value === "function" ? value({ ...HAD[name], ...section }) : value;
    if (was !== fixed && !isDone) throw otherwise(path, was, is);
    tree[name] = rest;
  }
  return tree;
}

/** Defaults that derived fields follow from, where they are not written. */
const HAD: { readonly [section: string]: Section } = { model: { hiddenSize: 128, heads: 4 } };

function otherwise(path: string, was: unknown, is: string): BowlineError {
  return new BowlineError(
    "config",
    `${path} is ${shown(was)} there, and now it is ${is}: go on with the version of bowline that the run was begun with (run.json names it), or begin a new one`,
  );
}
