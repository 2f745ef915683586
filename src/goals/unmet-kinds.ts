/**
 * Kinds are names by which parts of different apps are connected. An action or relation whose kind no other part
 * provides would never be used in a task, so it is refused when the world is made.
 */
import { BowlineError, didYouMean } from "../core/index.ts";
import type { Kind, Parts } from "./parts.ts";

/** Throws a `world` error for the first action or relation whose kind no collection and no relation provides. */
export function refuseUnmetKinds(brought: readonly Parts[]): void {
  const given = new Set(
    brought.flatMap(({ collections = [], relations = [] }) => [
      ...collections.map(({ kind }) => kind),
      ...relations.map(({ to }) => to),
    ]),
  );
  const requireKind = (part: string, kind: Kind) => {
    if (given.has(kind)) return;
    const known = [...given].sort().join(", ") || "none";
    throw new BowlineError(
      "world",
      `${part} starts from the kind "${kind}", which no collection or relation provides${didYouMean(kind, given)}; the kinds are: ${known}`,
    );
  };
  for (const { actions = [], relations = [] } of brought) {
    for (const { app, name, kind } of actions) requireKind(`action ${app}.${name}`, kind);
    for (const { app, name, from } of relations) requireKind(`relation ${app}.${name}`, from);
  }
}
