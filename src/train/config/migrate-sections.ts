/**
 * Sections of a configuration of version 1 in today's fields. Only what is written there is written here, so the same
 * serves for whole configurations and for the patches of stages.
 */
import { isRaw } from "../../core/index.ts";
import type { Tree } from "./tree.ts";

type Section = Readonly<Record<string, unknown>>;
export type OldFields = { readonly [section: string]: unknown };

/** Fields under their new names; what is absent stays absent. */
function renamed(section: Section, names: Readonly<Record<string, string>>): Tree {
  return Object.fromEntries(
    Object.entries(names).flatMap(([old, now]) =>
      section[old] === undefined ? [] : [[now, section[old]]],
    ),
  );
}

function without(section: Section, ...names: readonly string[]): Tree {
  return Object.fromEntries(Object.entries(section).filter(([name]) => !names.includes(name)));
}

/** A group that is on where a number is not 0, with the fields that go with it. */
function group(section: Section, on: string, names: Readonly<Record<string, string>>): unknown {
  const value = section[on];
  const fields = renamed(section, names);
  if (value === 0 || value === null) return null;
  return value === undefined && Object.keys(fields).length === 0 ? undefined : fields;
}

const defined = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));

export function newSections(old: OldFields): Tree {
  const of = (name: string): Section => (isRaw(old[name]) ? old[name] : {});
  const same = ["run", "model", "tokenizer", "warm", "optimizer", "evaluation", "tree"];
  return defined({
    ...Object.fromEntries(same.flatMap((name) => (name in old ? [[name, old[name]]] : []))),
    world: {
      ...of("world"),
      ...renamed(of("tasks"), { minDifficulty: "minDifficulty", maxDifficulty: "maxDifficulty" }),
    },
    engine: newEngine(of("engine")),
    scaffold: newScaffold(of("scaffold")),
    budget: newBudget(of("budget")),
    algo: { ...newAlgo(of("algo")), ...renamed(of("credit"), { baselineDecay: "baselineDecay" }) },
    rewards: newRewards(of("rewards")),
    credit: without(of("credit"), "baselineDecay"),
    filter: newFilter(of("filter")),
    buffer: newBuffer(of("buffer")),
    tasks: defined({
      ...without(of("tasks"), "minDifficulty", "maxDifficulty", "pruneAbove", "pruneAfter"),
      prune: group(of("tasks"), "pruneAbove", { pruneAbove: "above", pruneAfter: "after" }),
    }),
    imitation: of("imitation"),
    critic: newCritic(of("critic")),
    preference: newPreference(of("preference")),
    collect: newCollect(of("shapes"), of("memory")),
    context: newContext(of("shapes")),
    participants: newParticipants(of("participants")),
    memory: newMemory(of("memory")),
    schedule: renamed(of("schedule"), { maxTurns: "maxTurns" }),
  });
}

function newAlgo(algo: Section): Tree {
  const MOVED = ["collect", "learner", "klCoefficient", "klEstimator", "klTurns"];
  const BANDS = ["entropyBandCoefficient", "entropyBandLow", "entropyBandHigh"];
  const CUT = ["stragglers", "stragglerShare", "stragglerGroupShare"];
  const shares = renamed(algo, { stragglerShare: "share", stragglerGroupShare: "groupShare" });
  const cut = Object.keys(shares).length > 0 || algo["stragglers"] === true ? shares : undefined;
  const isCritic = algo["baseline"] === "value";
  return defined({
    ...without(algo, ...MOVED, ...BANDS, ...CUT, ...(isCritic ? ["baseline"] : [])),
    kl: group(algo, "klCoefficient", {
      klCoefficient: "coefficient",
      klEstimator: "estimator",
      klTurns: "turns",
    }),
    entropyBand: group(algo, "entropyBandCoefficient", {
      entropyBandCoefficient: "coefficient",
      entropyBandLow: "low",
      entropyBandHigh: "high",
    }),
    stragglers: algo["stragglers"] === false ? null : cut,
  });
}

function newRewards({ terms, headRate }: Section): Tree {
  if (!Array.isArray(terms)) return {};
  const LEARNED = ["contribution", "ranking"];
  const rated = (entry: { term?: unknown }) =>
    headRate !== undefined && LEARNED.includes(String(entry.term))
      ? { ...entry, rate: headRate }
      : entry;
  return { terms: terms.map(rated) };
}

function newFilter(filter: Section): Tree {
  const bands = [
    "surpriseLow",
    "surpriseHigh",
    "covarianceShare",
    "covarianceLow",
    "covarianceHigh",
  ];
  const { surpriseLow = 0, surpriseHigh = null } = filter;
  const written = "surpriseLow" in filter || "surpriseHigh" in filter;
  const isOff = surpriseLow === 0 && surpriseHigh === null;
  return defined({
    ...without(filter, ...bands),
    surprise: written ? (isOff ? null : { low: surpriseLow, high: surpriseHigh }) : undefined,
    covariance: group(filter, "covarianceShare", {
      covarianceShare: "share",
      covarianceLow: "low",
      covarianceHigh: "high",
    }),
  });
}

function newBuffer(buffer: Section): unknown {
  if (buffer["perTask"] === 0) return null;
  const store = renamed(buffer, {
    perTask: "perTask",
    capacity: "capacity",
    maxAge: "maxAge",
    keep: "keep",
  });
  const inject = renamed(buffer, {
    injectBelow: "below",
    injectSpread: "spread",
    injectReward: "reward",
  });
  const all = defined({
    ...store,
    inject: buffer["inject"] === true ? inject : undefined,
    replay: group(buffer, "replayWeight", {
      replayWeight: "weight",
      replayQuantile: "quantile",
      replayGroups: "groups",
    }),
  });
  return Object.keys(all).length === 0 ? undefined : all;
}

function newCritic(critic: Section): Tree {
  const { adaptiveLambda, lambda } = critic;
  const rest = without(critic, "adaptiveLambda", "lambda");
  if (typeof adaptiveLambda === "number" && adaptiveLambda > 0) {
    return { ...rest, lambdaBy: "length", adaptiveLambda };
  }
  return defined({ ...rest, lambda });
}

function newPreference(preference: Section): Tree {
  const { segmentTurns, discount } = preference;
  const rest = without(preference, "segmentTurns", "discount");
  if (typeof segmentTurns === "number") return { ...rest, turns: "segment", segmentTurns };
  return defined({ ...rest, discount });
}

function newCollect(shapes: Section, memory: Section): Tree {
  const isAbove = (name: string, low: number) => Number(shapes[name] ?? low) > low;
  const attempts = isAbove("attempts", 1)
    ? renamed(shapes, { attempts: "most", feedback: "feedback" })
    : undefined;
  if (isAbove("branches", 0)) {
    const names = {
      branches: "count",
      branchAt: "at",
      branchEvery: "every",
      branchTokens: "tokens",
      sharedPrefix: "sharedPrefix",
    };
    return { kind: "branches", ...renamed(shapes, names) };
  }
  if (isAbove("restartShare", 0)) {
    return { kind: "restarts", ...renamed(shapes, { restartShare: "share", restartPool: "pool" }) };
  }
  if (isAbove("chainLength", 1)) {
    const carried = renamed(memory, { characters: "characters" });
    const chain = renamed(shapes, { chainLength: "length", carry: "carry" });
    return defined({ kind: "chains", ...chain, ...carried, attempts });
  }
  return defined({ attempts });
}

function newContext(shapes: Section): Tree {
  return renamed(shapes, {
    context: "kind",
    windowTurns: "turns",
    windowDrops: "drops",
    contextTokens: "tokens",
    maxSummaries: "most",
    chunkCharacters: "chunkCharacters",
  });
}

function newParticipants(participants: Section): Tree {
  const planner = renamed(participants, { planEvery: "every", trained: "trained" });
  const user = renamed(participants, { opposed: "opposed" });
  return defined({
    ...renamed(participants, { user: "user", judge: "judge" }),
    planner: participants["planner"] === true ? planner : undefined,
    trainedUser: participants["trainUser"] === true ? user : undefined,
  });
}

/** Where nothing is remembered, the other fields said nothing. */
function newMemory(memory: Section): Tree {
  return (memory["kind"] ?? "none") === "none" ? {} : { ...memory };
}

function newEngine(engine: Section): Tree {
  const lora: Section = isRaw(engine["lora"]) ? engine["lora"] : {};
  const isOn = Number(lora["rank"] ?? 0) > 0;
  return { ...without(engine, "lora"), ...(isOn && { lora }) };
}

function newScaffold(scaffold: Section): Tree {
  return { ...scaffold };
}

function newBudget(budget: Section): unknown {
  const isSet = Object.values(budget).some((value) => value !== 0 && value !== null);
  return isSet ? budget : undefined;
}
