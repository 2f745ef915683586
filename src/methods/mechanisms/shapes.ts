/** Counters for the shapes of rollouts, for participants and for memory. They look at the rollouts' records. */
import type { Rollout, Turn } from "../../spec/index.ts";
import {
  countActed,
  type Evidence,
  type FiringCount,
  isFieldOneOf,
  isFieldSet,
  type Mechanism,
  readField,
} from "./mechanism.ts";

/** Returns the agent's rollouts that were evaluated. */
const scoredAgentRollouts = ({ rollouts }: Evidence) =>
  rollouts.filter(({ evaluation, role }) => evaluation !== undefined && role === undefined);
const agentTurns = ({ turns }: Rollout) => turns.filter(({ part }) => part === undefined);
const turnsOfPart = ({ turns }: Rollout, name: Turn["part"]) =>
  turns.filter(({ part }) => part === name);

/** Returns the turns that another turn follows. */
const turnsBeforeLast = (evidence: Evidence) =>
  scoredAgentRollouts(evidence).flatMap((r) => agentTurns(r).slice(0, -1));

/** Returns whether a turn's message has text and ended with a stop token. */
function isCompletePart(rollout: Rollout, turn: Turn, { renderer }: Evidence): boolean {
  const { span, segment = 0, message } = turn;
  if (message.trim() === "" || span === undefined) return false;
  const row = segment === 0 ? rollout.tokens : rollout.segments?.[segment - 1];
  return renderer.stopIds.includes(row?.ids[span[1] - 1] ?? -1);
}

function countWrittenParts(
  evidence: Evidence,
  name: Turn["part"],
  among: readonly Rollout[],
): FiringCount {
  return countActed(among, (rollout) => {
    const written = turnsOfPart(rollout, name);
    return written.length > 0 && written.every((turn) => isCompletePart(rollout, turn, evidence));
  });
}

/** Returns the text of a rollout's prompt, which is everything in its first row before its first turn. */
function readPrompt({ tokens, turns }: Rollout, { renderer }: Evidence): string {
  const first = turns.find(({ span, segment }) => span !== undefined && segment === undefined);
  return tokens && first ? renderer.text(tokens.ids.slice(0, first.span![0])) : "";
}

/** Counts rollouts that are longer than their context, and how many of them have more than one row. */
function countSegmentedRollouts(evidence: Evidence): FiringCount {
  const kind = readField(evidence.config, "context.kind");
  const turns = kind === "window" ? Number(readField(evidence.config, "context.turns")) : 0;
  const long = scoredAgentRollouts(evidence).filter(
    (rollout) => agentTurns(rollout).length > turns + 1,
  );
  return countActed(long, ({ segments = [] }) => segments.length > 0);
}

function countChunkedObservations(evidence: Evidence): FiringCount {
  const length = Number(readField(evidence.config, "context.chunkCharacters") ?? Infinity);
  const long = scoredAgentRollouts(evidence).flatMap((rollout) =>
    rollout.turns.flatMap((turn, j) =>
      turn.part === undefined && turn.observation.length > length
        ? [rollout.turns.slice(j + 1)]
        : [],
    ),
  );
  return countActed(
    long.filter((after) => after.length > 0),
    ([first, second]) => first?.part === "state" && second?.part === "state",
  );
}

const countRolloutsWithCarriedText = (evidence: Evidence) =>
  countActed(
    scoredAgentRollouts(evidence).filter(({ chain }) => (chain?.position ?? 0) > 0),
    (rollout) => readPrompt(rollout, evidence).includes("From before:"),
  );

function countBranchedRollouts(evidence: Evidence): FiringCount {
  const { rollouts, config } = evidence;
  const tasks = new Set(rollouts.map(({ task }) => task.id)).size;
  const fired = rollouts.filter(({ branch }) => branch !== undefined).length;
  return { meant: tasks * Number(readField(config, "collect.count") ?? 1), fired };
}

function countRestartedRollouts({ rollouts, config, before }: Evidence): FiringCount {
  if ((before.prefixes ?? []).length === 0) return { meant: 0, fired: 0 };
  const fired = rollouts.filter(({ prefix }) => prefix !== undefined).length;
  return {
    meant: Math.round(Number(readField(config, "collect.share") ?? 1) * rollouts.length),
    fired,
  };
}

/** Counts rollouts whose first attempt failed, and how many of them tried again. */
function countRetriedRollouts(evidence: Evidence): FiringCount {
  const endedAttempts = (rollout: Rollout) =>
    rollout.turns.filter(({ grades }) => grades?.attempt !== undefined);
  const failed = scoredAgentRollouts(evidence).filter((rollout) => {
    const [first] = endedAttempts(rollout);
    return first !== undefined && first.grades!.attempt! < 1;
  });
  return countActed(failed, (rollout) => {
    const [first] = endedAttempts(rollout);
    return rollout.turns.at(-1) !== first;
  });
}

/**
 * Counts memory items that were in prompts of the iteration, and how many of them changed their value or number of
 * uses.
 */
function countChangedMemoryItems(
  { before, after, rollouts }: Evidence,
  changed: (key: "value" | "uses") => boolean,
): FiringCount {
  const used = new Set(rollouts.flatMap(({ memory = [] }) => memory));
  const now = new Map(after.memory?.items.items.map((item) => [item.id, item]));
  const items = (before.memory?.items.items ?? []).filter(({ id }) => used.has(id));
  return countActed(items, (item) => {
    const later = now.get(item.id);
    return (["value", "uses"] as const).some((key) => changed(key) && later?.[key] !== item[key]);
  });
}

const hasMemoryKind = (kinds: readonly string[]) => isFieldOneOf("memory.kind", ...kinds);

export const SHAPE_MECHANISMS = {
  forks: {
    isOn: isFieldOneOf("collect.kind", "branches"),
    unit: "rollouts that should be forked",
    count: countBranchedRollouts,
  },
  restarts: {
    isOn: isFieldOneOf("collect.kind", "restarts"),
    unit: "rollouts that should begin in the middle",
    count: countRestartedRollouts,
  },
  segments: {
    isOn: isFieldOneOf("context.kind", "window", "summary", "state"),
    unit: "rollouts longer than their context",
    count: countSegmentedRollouts,
  },
  window: {
    isOn: isFieldOneOf("context.kind", "window"),
    unit: "rollouts longer than their context",
    count: countSegmentedRollouts,
  },
  summaries: {
    isOn: isFieldOneOf("context.kind", "summary"),
    unit: "rollouts that were summed up",
    count: (evidence) =>
      countWrittenParts(
        evidence,
        "summary",
        scoredAgentRollouts(evidence).filter(({ segments = [] }) => segments.length > 0),
      ),
  },
  states: {
    isOn: isFieldOneOf("context.kind", "state"),
    unit: "rollouts of several turns",
    count: (evidence) =>
      countWrittenParts(
        evidence,
        "state",
        scoredAgentRollouts(evidence).filter((rollout) => agentTurns(rollout).length > 1),
      ),
  },
  chunks: {
    isOn: isFieldSet("context.chunkCharacters"),
    unit: "long observations",
    count: countChunkedObservations,
  },
  chains: {
    isOn: isFieldOneOf("collect.kind", "chains"),
    unit: "chains",
    count: ({ rollouts }) => {
      const links = rollouts.filter(({ chain }) => chain !== undefined);
      const first = links.filter(({ chain }) => chain!.position === 0).length;
      return { meant: Math.max(first, links.length - first), fired: links.length - first };
    },
  },
  "carried skills": {
    isOn: isFieldOneOf("collect.carry", "skills"),
    unit: "chain tasks after the first",
    count: countRolloutsWithCarriedText,
  },
  attempts: {
    isOn: isFieldSet("collect.attempts"),
    unit: "rollouts whose first attempt failed",
    count: countRetriedRollouts,
  },
  user: {
    isOn: isFieldSet("participants.user"),
    unit: "turns that are not the last",
    count: (evidence) =>
      countActed(
        isFieldOneOf("participants.user", "errors")(evidence.config)
          ? turnsBeforeLast(evidence).filter(({ status }) => status !== "ok")
          : turnsBeforeLast(evidence),
        ({ heard = [] }) => heard.length > 0,
      ),
  },
  "errors repeated": {
    isOn: isFieldOneOf("participants.user", "errors"),
    unit: "failed turns that are not the last",
    count: (evidence) =>
      countActed(
        turnsBeforeLast(evidence).filter(({ status }) => status !== "ok"),
        ({ heard = [] }) => heard.length > 0,
      ),
  },
  "trained user": {
    isOn: isFieldSet("participants.trainedUser"),
    unit: "rollouts of several turns",
    count: (evidence) => {
      const learned = new Set(
        evidence.graded
          .filter(({ rollout }) => rollout.role === "user")
          .map(({ rollout }) => rollout.id),
      );
      return countActed(
        scoredAgentRollouts(evidence).filter((rollout) => agentTurns(rollout).length > 1),
        ({ id }) => learned.has(`${id}/user`),
      );
    },
  },
  planner: {
    isOn: isFieldSet("participants.planner"),
    unit: "rollouts",
    count: (evidence) => countWrittenParts(evidence, "plan", scoredAgentRollouts(evidence)),
  },
  judge: {
    isOn: isFieldSet("participants.judge"),
    unit: "turns",
    count: (evidence) =>
      countActed(
        scoredAgentRollouts(evidence).flatMap((rollout) => agentTurns(rollout)),
        ({ grades }) => grades?.judge !== undefined,
      ),
  },
  "memory of items": {
    isOn: hasMemoryKind(["q-values", "success-counts"]),
    unit: "rollouts when memory has items",
    count: (evidence) =>
      countActed(
        (evidence.before.memory?.items.items ?? []).length > 0 ? scoredAgentRollouts(evidence) : [],
        ({ memory = [] }) => memory.length > 0,
      ),
  },
  "learned utility": {
    isOn: hasMemoryKind(["q-values"]),
    unit: "items in prompts",
    count: (evidence) => countChangedMemoryItems(evidence, (key) => key === "value"),
  },
  "success counts": {
    isOn: hasMemoryKind(["success-counts"]),
    unit: "items in prompts",
    count: (evidence) => countChangedMemoryItems(evidence, (key) => key === "uses"),
  },
  "memory of texts": {
    isOn: hasMemoryKind(["texts"]),
    unit: "rollouts when memory has texts",
    count: (evidence) =>
      countActed(evidence.before.memory ? scoredAgentRollouts(evidence) : [], (rollout) =>
        /Your (rules|playbook): \S/.test(readPrompt(rollout, evidence)),
      ),
  },
  notes: {
    isOn: isFieldOneOf("memory.author", "policy"),
    unit: "rollouts that the agent finished",
    count: (evidence) =>
      countWrittenParts(
        evidence,
        "note",
        scoredAgentRollouts(evidence).filter(({ outcome }) => outcome === "finished"),
      ),
  },
} satisfies Record<string, Mechanism>;
