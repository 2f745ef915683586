/**
 * Fields that only some configurations read. Where one is set to no effect, the configuration is refused instead of
 * running as if it had not been set.
 */
import { type Config, configLeaves } from "./config.ts";
import { MECHANISM_RULES, mechanismConflict, type Rule } from "./mechanism-rules.ts";
import { SCAFFOLD_RULES } from "./scaffold-rules.ts";
import { SHAPE_RULES, shapeConflict } from "./shapes/rules.ts";

const RULES: readonly Rule[] = [
  {
    fields: [
      "algo.ratio",
      "algo.lowerClip",
      "algo.aggregate",
      "algo.klCoefficient",
      "algo.entropyCoefficient",
      "algo.baseline",
      "algo.scale",
      "algo.advantageThreshold",
      "algo.maxTrajectoryKl",
      "algo.clip",
    ],
    readWhere: ({ algo }) => algo.learner === "surrogate",
    where: "algo.learner is surrogate",
  },
  {
    fields: ["algo.clip", "algo.lowerClip"],
    readWhere: ({ algo }) => algo.ratio !== "none",
    where: "algo.ratio is not none",
  },
  {
    fields: ["algo.klEstimator"],
    readWhere: ({ algo }) => algo.klCoefficient > 0,
    where: "algo.klCoefficient is above 0",
  },
  {
    fields: ["algo.scale", "algo.advantageThreshold"],
    readWhere: ({ algo }) => algo.baseline !== "value",
    where: "algo.baseline is not value (its advantages are of tokens, not of rollouts)",
  },
  {
    fields: ["algo.klCoefficient", "algo.entropyCoefficient"],
    readWhere: ({ algo }) => algo.baseline !== "value",
    where: "algo.baseline is not value",
  },
  {
    fields: ["algo.stragglerShare", "algo.stragglerGroupShare"],
    readWhere: ({ algo }) => algo.stragglers,
    where: "algo.stragglers is true",
  },
  {
    fields: ["algo.lowestTemperature"],
    readWhere: ({ algo }) => algo.learner !== "surrogate" && algo.collect === "groups",
    where:
      "algo.collect is groups and algo.learner is imitation or preference (importance ratios need one temperature)",
  },
  {
    fields: ["algo.temperature", "algo.groupSize"],
    readWhere: ({ algo }) => algo.collect !== "solutions",
    where: "algo.collect is not solutions",
  },
  {
    fields: ["preference."],
    readWhere: ({ algo }) => algo.learner === "preference",
    where: "algo.learner is preference",
  },
  {
    fields: ["preference.discount"],
    readWhere: ({ algo }) => algo.collect === "groups",
    where: "algo.collect is groups (pairs of a tree are single turns)",
  },
  {
    fields: ["tree."],
    readWhere: ({ algo }) => algo.collect === "tree",
    where: "algo.collect is tree",
  },
  {
    fields: ["engine.lora.alpha", "engine.lora.targetModules"],
    readWhere: ({ engine }) => engine.lora.rank > 0 && engine.name === "onnx",
    where: "engine.lora.rank is above 0 and engine.name is onnx (a server has its own)",
  },
  {
    fields: ["engine.url", "engine.baseModel", "engine.dialect"],
    readWhere: ({ engine }) => engine.name === "tinker",
    where: "engine.name is tinker",
  },
  {
    fields: ["engine.provider"],
    readWhere: ({ engine }) => engine.name === "onnx",
    where: "engine.name is onnx",
  },
  {
    fields: ["critic."],
    readWhere: ({ algo }) => algo.baseline === "value",
    where: "algo.baseline is value",
  },
  ...MECHANISM_RULES,
  ...SCAFFOLD_RULES,
  ...SHAPE_RULES,
];

/** The first field that differs from its default although nothing reads it, as a sentence; undefined: none. */
export function unreadField(config: Config, defaults: Config): string | undefined {
  const now = configLeaves(config);
  const standard = configLeaves(defaults);
  for (const { fields, readWhere, where } of RULES) {
    if (readWhere(config)) continue;
    for (const [path, value] of now) {
      if (
        !fields.some((field) => path === field || (field.endsWith(".") && path.startsWith(field)))
      )
        continue;
      if (value === standard.get(path)) continue;
      return `${path} is read only where ${where}, so ${shown(value)} would change nothing; leave it at ${shown(standard.get(path))}`;
    }
  }
  return undefined;
}

/** Lists are JSON already. */
function shown(value: unknown): string {
  return typeof value === "string" && /^[[{]/.test(value) ? value : JSON.stringify(value);
}

/** What no single field can tell about how methods are put together; undefined when all is well. */
export function methodConflict(config: Config): string | undefined {
  const { algo } = config;
  if (algo.collect === "tree" && algo.learner !== "preference") {
    return `algo.collect: a tree gives pairs of turns, so algo.learner must be preference, came ${algo.learner}`;
  }
  if (algo.collect === "solutions" && algo.learner !== "imitation") {
    return `algo.collect: solutions can only be imitated, so algo.learner must be imitation, came ${algo.learner}`;
  }
  if (algo.collect !== "groups" && algo.stragglers) {
    return "algo.stragglers: only groups of rollouts can be cut short; set it to false";
  }
  if (algo.lowestTemperature !== null && algo.lowestTemperature > algo.temperature) {
    return `algo.lowestTemperature: expected at most algo.temperature (${algo.temperature}), came ${algo.lowestTemperature}`;
  }
  return mechanismConflict(config) ?? shapeConflict(config);
}
