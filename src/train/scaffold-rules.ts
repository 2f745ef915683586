/** Which fields of the sections `scaffold` and `algo.staleness` are read where, and what contradicts them. */
import type { Rule } from "./mechanism-rules.ts";

export const SCAFFOLD_RULES: readonly Rule[] = [
  {
    fields: ["scaffold.maxObservationCharacters", "scaffold.maxObservationLines"],
    readWhere: ({ scaffold }) => scaffold.name === "compact",
    where: "scaffold.name is compact",
  },
  {
    fields: ["scaffold.maxObservationTokens", "scaffold.thinking"],
    readWhere: ({ scaffold }) => scaffold.name === "react",
    where: "scaffold.name is react",
  },
  {
    fields: ["algo.staleness"],
    readWhere: ({ algo }) =>
      algo.collect === "groups" &&
      algo.baseline !== "value" &&
      (algo.learner === "imitation" || (algo.learner === "surrogate" && algo.ratio !== "none")),
    where:
      "algo.collect is groups, algo.baseline is not value, and the learner forgives it: imitation, or surrogate with an importance ratio",
  },
];
