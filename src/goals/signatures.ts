/**
 * Enumerates the goals that can be composed of a world's parts, and assigns each to a split.
 *
 * Every set of every collection is combined with some of the actions and questions that apply to it. A hash of the
 * names decides which, so that adding a part changes little else. A signature of test-normal combines parts that
 * training uses in a way that no training task does. A signature that uses a challenge app belongs to test-challenge.
 */
import { hash32 } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Action, Collection, Parts, Relation } from "./parts.ts";
import {
  appsOfGoal,
  appsOfSet,
  type Condition,
  type GoalShape,
  kindOfSet,
  type Question,
  type SetShape,
  signatureOfCondition,
  signatureOfGoal,
  signatureOfSet,
} from "./shapes.ts";

/** Picks `count` of the items by a hash of their names, so the choice is always the same. */
function pickByHash<T>(items: readonly T[], count: number, name: (item: T) => string): T[] {
  const key = new Map(items.map((item) => [item, hash32(name(item))]));
  return items.toSorted((a, b) => key.get(a)! - key.get(b)!).slice(0, count);
}

/**
 * Picks two different items by a hash of `key`, in the order of the list. The result is empty when there are fewer than
 * two items.
 */
function pickTwoByHash<T>(items: readonly T[], key: string): [T, T][] {
  if (items.length < 2) return [];
  const hash = hash32(key);
  const i = hash % items.length;
  const j = (i + 1 + (hash32(key, hash) % (items.length - 1))) % items.length;
  return [[items[Math.min(i, j)]!, items[Math.max(i, j)]!]];
}

function allPairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [T, T] => [a, b]));
}

const clausesOfCollection = (collection: Collection) =>
  collection.clauses as unknown as CollectionClauses;
type CollectionClauses = Extract<SetShape, { type: "filtered" }>["clauses"];

function filteredSets(collection: Collection): SetShape[] {
  const clauses = clausesOfCollection(collection);
  const singles = clauses.map((clause) => [clause]);
  const pairs = allPairs(clauses).filter(
    ([a, b]) => !a.excludes?.includes(b.name) && !b.excludes?.includes(a.name),
  );
  const few = pickByHash(pairs, 8, (pair) => pair.map(({ name }) => name).join());
  return [...singles, ...few].map((chosen) => ({ type: "filtered", collection, clauses: chosen }));
}

function topSets(collection: Collection): SetShape[] {
  const fields = collection.fields.filter(({ superlatives }) => superlatives);
  const clauses = clausesOfCollection(collection);
  return fields.flatMap((field) =>
    (["most", "least"] as const).flatMap((end): SetShape[] => {
      const name = `${collection.name} ${field.name} ${end}`;
      const one = pickByHash(clauses, 2, (clause) => `${name} ${clause.name}`);
      const shape = { type: "top", collection, field: field as never, end } as const;
      return [
        ...(collection.allowsWhole ? [{ ...shape, clauses: [] }] : []),
        ...one.map((clause) => ({ ...shape, clauses: [clause] })),
      ];
    }),
  );
}

function setsOfCollection(collection: Collection): SetShape[] {
  return [
    ...(collection.allowsWhole ? [{ type: "whole", collection } as const] : []),
    ...filteredSets(collection),
    ...topSets(collection),
    ...(collection.title ? [{ type: "titled", collection } as const] : []),
  ];
}

function relatedSets(relation: Relation, sets: readonly SetShape[]): SetShape[] {
  const sources = sets.filter((set) => kindOfSet(set) === relation.from);
  const titled = sources.filter(({ type }) => type === "titled");
  const others = sources.filter(({ type }) => type === "filtered" || type === "top");
  return [
    ...titled,
    ...pickByHash(others, 4, (set) => `${relation.name} ${signatureOfSet(set)}`),
  ].map((of) => ({
    type: "related",
    relation,
    of,
  }));
}

/** The number of pairs of sets of people that are combined. */
const COMBINED_PAIRS = 40;

/** Makes sets of the people in one set who are, or are not, in another set. */
function combinedSets(sets: readonly SetShape[]): SetShape[] {
  const people = sets.filter(
    (set) => kindOfSet(set) === "people" && (set.type === "related" || set.type === "filtered"),
  );
  const pairs = Array.from({ length: COMBINED_PAIRS }, (_, k) =>
    pickTwoByHash(people, `combined ${k}`),
  ).flat();
  return pairs.flatMap(([left, right]): SetShape[] => [
    { type: "combined", how: "except", left, right },
    { type: "combined", how: "also", left, right },
  ]);
}

function actGoals(set: SetShape, parts: Required<Parts>): GoalShape[] {
  const fitting = parts.actions.filter(({ kind }) => kind === kindOfSet(set));
  const setName = signatureOfSet(set);
  const nameOfAction = (action: Action) => `${setName} ${action.app}.${action.name}`;
  const single = pickByHash(fitting, set.type === "titled" ? 8 : 4, nameOfAction);
  const double = pickTwoByHash(fitting, setName);
  const taking = single.filter(({ takes }) => takes).slice(0, 1);
  const sourced = taking.flatMap((action) =>
    pickByHash(
      parts.sources.filter(({ type }) => type === action.takes),
      2,
      (source) => `${nameOfAction(action)} ${source.app}.${source.name}`,
    ).map((source): GoalShape => ({ type: "act", set, actions: [action], source })),
  );
  return [...single.map((action) => [action]), ...double]
    .map((actions): GoalShape => ({ type: "act", set, actions }))
    .concat(sourced);
}

function questionsAbout(collection: Collection): Question[] {
  const fields = collection.fields as readonly never[] as Extract<
    Question,
    { type: "sum" }
  >["field"][];
  const [label] = fields.filter(({ unit }) => unit === "text");
  return [
    { type: "count" },
    ...fields
      .filter(({ unit }) => unit === "money" || unit === "number")
      .map((field): Question => ({ type: "sum", field })),
    ...fields
      .filter(({ unit }) => unit === "money" || unit === "number" || unit === "grade")
      .map((field): Question => ({ type: "average", field })),
    ...fields
      .filter(({ unit }) => unit === "text")
      .map((field): Question => ({ type: "list", field })),
    ...fields
      .filter(({ superlatives }) => superlatives && label)
      .flatMap((field): Question[] => [
        { type: "extreme", field, end: "most", label: label! },
        { type: "extreme", field, end: "least", label: label! },
      ]),
  ];
}

function answerGoals(set: SetShape): GoalShape[] {
  if (set.type !== "filtered" && set.type !== "whole") return [];
  const all = questionsAbout(set.collection).map(
    (question): GoalShape => ({ type: "answer", set, question }),
  );
  return pickByHash(all, 4, signatureOfGoal);
}

/** The largest number of conditions that are used. */
const MAX_CONDITIONS = 160;

function branchGoals(
  parts: Required<Parts>,
  sets: readonly SetShape[],
  easy: readonly GoalShape[],
): GoalShape[] {
  const conditions: Condition[] = [
    ...parts.facts.map((fact): Condition => ({ type: "fact", fact })),
    ...sets.flatMap((set): Condition[] => {
      if (set.type !== "filtered") return [];
      const sums = set.collection.fields.filter(({ unit }) => unit === "money");
      return [
        { type: "count", set },
        ...sums.map((field) => ({ type: "sum", set, field: field as never }) as const),
      ];
    }),
  ];
  return pickByHash(conditions, MAX_CONDITIONS, signatureOfCondition).flatMap((condition) => {
    const name = signatureOfCondition(condition);
    const [choices = []] = pickByHash(choicesAbout(condition, easy), 1, (goals) =>
      goals.map((goal) => `${name} ${signatureOfGoal(goal)}`).join(),
    );
    return pickTwoByHash(choices, `then ${name}`).map(
      ([then, otherwise]): GoalShape => ({ type: "branch", condition, then, otherwise }),
    );
  });
}

/**
 * Returns the lists of direct requests that a condition may decide between. They are about the app of the condition,
 * and either act on the same thing, or are all deeds of that app.
 */
function choicesAbout(condition: Condition, easy: readonly GoalShape[]): GoalShape[][] {
  const apps = condition.type === "fact" ? [condition.fact.app] : appsOfSet(condition.set);
  const lists = new Map<string, GoalShape[]>();
  for (const goal of easy) {
    if (goal.type !== "act" && goal.type !== "deed") continue;
    if (!appsOfGoal(goal).every((app) => apps.includes(app))) continue;
    const key = goal.type === "act" ? signatureOfSet(goal.set) : goal.deed.app;
    lists.set(key, [...(lists.get(key) ?? []), goal]);
  }
  return [...lists.values()].filter(({ length }) => length >= 2);
}

function branchGoalsOnSet(set: SetShape, actions: readonly Action[]): GoalShape[] {
  if (set.type !== "filtered") return [];
  const fitting = actions.filter(({ kind }) => kind === kindOfSet(set));
  return pickTwoByHash(fitting, `on ${signatureOfSet(set)}`).map(([then, otherwise]) => ({
    type: "branch-on",
    set,
    then,
    otherwise,
  }));
}

/** The number of pairs of two direct requests, and the number of pairs of a request and a question. */
const GOAL_PAIRS = 160;

/** Makes pairs of goals that have no app in common. */
function pairsOfGoals(easy: readonly GoalShape[], answering: readonly GoalShape[]): GoalShape[] {
  const pairs = Array.from({ length: GOAL_PAIRS }, (_, k) => [
    ...pickTwoByHash(easy, `two requests ${k}`),
    ...pickTwoByHash(easy, `request ${k}`).map(([first]): [GoalShape, GoalShape] => [
      first,
      answering[hash32(`question ${k}`) % answering.length]!,
    ]),
  ]).flat();
  return pairs.flatMap(([first, second]): GoalShape[] => {
    const apps = appsOfGoal(second);
    const share = appsOfGoal(first).some((app) => apps.includes(app));
    return share ? [] : [{ type: "both", first, second }];
  });
}

/** Returns true for direct requests, which are used in the branches of conditions and in pairs. */
function isDirectRequest(goal: GoalShape): boolean {
  if (goal.type === "deed") return !goal.source;
  return (
    goal.type === "act" && goal.set.type === "titled" && goal.actions.length === 1 && !goal.source
  );
}

/** Enumerates every composition that is used, in a fixed order. */
export function enumerateGoals(brought: readonly Parts[]): GoalShape[] {
  const parts = mergeParts(brought);
  const plain = parts.collections.flatMap(setsOfCollection);
  const joined = parts.relations.flatMap((relation) => relatedSets(relation, plain));
  const crossed = combinedSets([...plain, ...joined]);
  const actions = [...plain, ...joined, ...crossed].flatMap((set) => actGoals(set, parts));
  const asked = plain.flatMap(answerGoals);
  const deeds = parts.deeds.flatMap((deed): GoalShape[] => [
    { type: "deed", deed },
    ...parts.sources
      .filter(({ type }) => type === deed.takes)
      .slice(0, 3)
      .map((source) => ({ type: "deed", deed, source }) as const),
  ]);
  const easy = [...actions, ...deeds].filter(isDirectRequest);
  return distinctGoals([
    ...actions,
    ...asked,
    ...deeds,
    ...branchGoals(parts, plain, easy),
    ...plain.flatMap((set) => branchGoalsOnSet(set, parts.actions)),
    ...(asked.length > 0 ? pairsOfGoals(easy, asked) : []),
  ]);
}

function distinctGoals(goals: readonly GoalShape[]): GoalShape[] {
  const byName = new Map(goals.map((goal) => [signatureOfGoal(goal), goal]));
  return [...byName.values()];
}

function mergeParts(brought: readonly Parts[]): Required<Parts> {
  return {
    collections: brought.flatMap(({ collections }) => collections ?? []),
    relations: brought.flatMap(({ relations }) => relations ?? []),
    actions: brought.flatMap(({ actions }) => actions ?? []),
    sources: brought.flatMap(({ sources }) => sources ?? []),
    facts: brought.flatMap(({ facts }) => facts ?? []),
    deeds: brought.flatMap(({ deeds }) => deeds ?? []),
  };
}

/** Returns the split of a goal. `challenge` lists the apps that no other split uses. */
export function assignSplit(goal: GoalShape, challenge: readonly string[]): ComposedSplit {
  if (appsOfGoal(goal).some((app) => challenge.includes(app))) return "test-challenge";
  const place = hash32(`split ${signatureOfGoal(goal)}`) % 100;
  if (place < 20) return "test-normal";
  return place < 32 ? "dev" : "train";
}
