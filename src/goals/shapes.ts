/**
 * Shapes of goals: which parts a task consists of, before any value is drawn.
 *
 * A shape is a small tree. Its name is the task's signature, and it determines the task's apps and difficulty. Two
 * tasks of one shape differ only in people and values. Everything random about a task is decided later, in
 * `drawn-set.ts` and `draw-goal.ts`.
 */
import type { Difficulty } from "../spec/index.ts";
import type { Action, Clause, Collection, Deed, Fact, Field, Relation, Source } from "./parts.ts";

/** The set of things that a goal is about. */
export type SetShape =
  | { readonly type: "whole"; readonly collection: Collection }
  | {
      readonly type: "filtered";
      readonly collection: Collection;
      readonly clauses: readonly Clause<never>[];
    }
  | {
      readonly type: "top";
      readonly collection: Collection;
      readonly clauses: readonly Clause<never>[];
      readonly field: Field<never>;
      readonly end: "most" | "least";
    }
  | { readonly type: "titled"; readonly collection: Collection }
  | {
      readonly type: "related";
      readonly relation: Relation;
      readonly of: SetShape;
      /** True for what belongs to each of the things, false for what belongs to any of them. */
      readonly each?: boolean;
    }
  | {
      readonly type: "combined";
      readonly how: "except" | "also";
      readonly left: SetShape;
      readonly right: SetShape;
    };

/** What is asked about a set. */
export type Question =
  | { readonly type: "count" }
  | { readonly type: "sum" | "average"; readonly field: Field<never> }
  | { readonly type: "list"; readonly field: Field<never> }
  | {
      readonly type: "extreme";
      readonly field: Field<never>;
      readonly end: "most" | "least";
      readonly label: Field<never>;
    };

/** What decides which of two goals is done. */
export type Condition =
  | { readonly type: "fact"; readonly fact: Fact }
  | { readonly type: "count"; readonly set: SetShape }
  | { readonly type: "sum"; readonly set: SetShape; readonly field: Field<never> };

/**
 * What is asked for: an action on a set, a deed, an answer, one of two goals depending on a condition, or two goals.
 */
export type GoalShape =
  | {
      readonly type: "act";
      readonly set: SetShape;
      readonly actions: readonly Action[];
      readonly source?: Source;
    }
  | { readonly type: "deed"; readonly deed: Deed; readonly source?: Source }
  | { readonly type: "answer"; readonly set: SetShape; readonly question: Question }
  | {
      readonly type: "branch";
      readonly condition: Condition;
      readonly then: GoalShape;
      readonly otherwise: GoalShape;
      /** True when both branches act on one and the same thing. */
      readonly sameThing?: boolean;
    }
  /** The condition and both branches are about the same set. */
  | {
      readonly type: "branch-on";
      readonly set: SetShape;
      readonly then: Action;
      readonly otherwise: Action;
    }
  | { readonly type: "both"; readonly first: GoalShape; readonly second: GoalShape };

export function signatureOfSet(set: SetShape): string {
  switch (set.type) {
    case "whole":
      return set.collection.name;
    case "titled":
      return `${set.collection.name}[titled]`;
    case "filtered":
      return `${set.collection.name}[${joinClauseNames(set.clauses)}]`;
    case "top":
      return `${set.collection.name}[${[joinClauseNames(set.clauses), `${set.end} ${set.field.name}`].filter(Boolean).join(",")}]`;
    case "related":
      return `${set.relation.name}${set.each ? "-of-each" : ""}(${signatureOfSet(set.of)})`;
    case "combined":
      return `${signatureOfSet(set.left)} ${set.how} ${signatureOfSet(set.right)}`;
  }
}

const joinClauseNames = (clauses: readonly Clause<never>[]) =>
  clauses.map(({ name }) => name).join();

/** Returns the signature of the tasks of this shape. */
export function signatureOfGoal(goal: GoalShape): string {
  switch (goal.type) {
    case "act":
      return `${signatureOfSet(goal.set)} > ${goal.actions.map(qualifiedActionName).join(" + ")}${sourceSuffix(goal.source)}`;
    case "deed":
      return `${goal.deed.app}.${goal.deed.name}${sourceSuffix(goal.source)}`;
    case "answer":
      return `${signatureOfSet(goal.set)} ? ${signatureOfQuestion(goal.question)}`;
    case "branch":
      return `if ${signatureOfCondition(goal.condition)} then ${signatureOfGoal(goal.then)} else ${signatureOfGoal(goal.otherwise)}`;
    case "branch-on":
      return `if count(${signatureOfSet(goal.set)}) then ${qualifiedActionName(goal.then)} else ${qualifiedActionName(goal.otherwise)}`;
    case "both":
      return `${signatureOfGoal(goal.first)} & ${signatureOfGoal(goal.second)}`;
  }
}

const qualifiedActionName = ({ app, name }: Action) => `${app}.${name}`;
const sourceSuffix = (source: Source | undefined) =>
  source ? ` from ${source.app}.${source.name}` : "";

function signatureOfQuestion(question: Question): string {
  switch (question.type) {
    case "count":
      return "count";
    case "extreme":
      return `${question.label.name} of ${question.end} ${question.field.name}`;
    case "sum":
    case "average":
    case "list":
      return `${question.type} ${question.field.name}`;
  }
}

export function signatureOfCondition(condition: Condition): string {
  if (condition.type === "fact") return `${condition.fact.app}.${condition.fact.name}`;
  const field = condition.type === "sum" ? ` ${condition.field.name}` : "";
  return `${condition.type}${field}(${signatureOfSet(condition.set)})`;
}

export function appsOfSet(set: SetShape): string[] {
  if (set.type === "related") return [set.relation.app, ...appsOfSet(set.of)];
  if (set.type === "combined") return [...appsOfSet(set.left), ...appsOfSet(set.right)];
  return [set.collection.app];
}

/** Returns every app that tasks of this shape use; an app may occur more than once. */
export function appsOfGoal(goal: GoalShape): string[] {
  switch (goal.type) {
    case "act":
      return [
        ...appsOfSet(goal.set),
        ...goal.actions.map(({ app }) => app),
        ...appOfSource(goal.source),
      ];
    case "deed":
      return [goal.deed.app, ...appOfSource(goal.source)];
    case "answer":
      return appsOfSet(goal.set);
    case "branch":
      return [
        ...(goal.condition.type === "fact"
          ? [goal.condition.fact.app]
          : appsOfSet(goal.condition.set)),
        ...appsOfGoal(goal.then),
        ...appsOfGoal(goal.otherwise),
      ];
    case "branch-on":
      return [...appsOfSet(goal.set), goal.then.app, goal.otherwise.app];
    case "both":
      return [...appsOfGoal(goal.first), ...appsOfGoal(goal.second)];
  }
}

const appOfSource = (source: Source | undefined) => (source ? [source.app] : []);

export function kindOfSet(set: SetShape): string {
  if (set.type === "related") return set.relation.to;
  if (set.type === "combined") return kindOfSet(set.left);
  return set.collection.kind;
}

/**
 * Returns the difficulty. 1: a direct request. 2: it needs a filter, paging or a loop. 3: it needs a join, a condition
 * or values from other apps.
 */
export function goalDifficulty(goal: GoalShape): Difficulty {
  switch (goal.type) {
    case "deed":
      return goal.source ? 3 : 1;
    case "answer":
      return isJoin(goal.set)
        ? 3
        : goal.question.type === "count" && goal.set.type === "whole"
          ? 1
          : 2;
    case "act":
      if (goal.source || isJoin(goal.set)) return 3;
      return goal.set.type === "titled" && goal.actions.length === 1
        ? goal.actions[0]!.difficulty
        : 2;
    case "branch":
    case "branch-on":
      return 3;
    case "both":
      return goalDifficulty(goal.first) === 1 && goalDifficulty(goal.second) === 1 ? 2 : 3;
  }
}

function isJoin(set: SetShape): boolean {
  if (set.type === "combined") return true;
  return set.type === "related" && set.of.type !== "titled";
}
