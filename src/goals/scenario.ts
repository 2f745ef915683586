/**
 * Makes a world's scenarios from the parts that its apps contribute. A world of composed goals needs only this
 * function.
 *
 *     export default defineWorld({
 *       ...,
 *       scenario: scenarioComposer({ parts: [clockParts], language: plainLanguage(NOW) }),
 *     });
 *
 * All possible signatures are divided among the splits and used one after another. A signature for which the population
 * has nothing suitable is skipped.
 */
import { BowlineError } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Reader, ScenarioRequest, Task } from "../world/index.ts";
import { type ComposeRequest, composeScenario } from "./compose.ts";
import type { Language, Person } from "./language.ts";
import type { Parts } from "./parts.ts";
import { SignatureSchedule } from "./schedule.ts";
import { refuseUnmetKinds } from "./unmet-kinds.ts";

/** The parts that goals are composed of, with the language and the people of their world. */
export interface ComposerOptions {
  /** The parts of each app. */
  readonly parts: readonly Parts[];
  readonly language: Language;
  /** The apps that only `test-challenge` uses. */
  readonly challenge?: readonly string[];
  /**
   * Returns true when an independent reader understands a task's instruction in another way than its goal. Such a task
   * is drawn again.
   */
  readonly isMisread?: ComposeRequest["isMisread"];
  /** Returns the people whom tasks of a split may name. Without this function, tasks name nobody. */
  readonly people?: (base: Reader, split: ComposedSplit) => readonly Person[];
}

type Scenario = (request: ScenarioRequest) => readonly [Task, Task, Task];

/**
 * Returns a world's `scenario` function. It throws a `world` error at once for a part whose kind no other part
 * provides. The returned function throws one for handmade tasks, for a split without signatures, and when the
 * population has nothing suitable for any signature of the split.
 */
export function scenarioComposer(
  options: ComposerOptions,
): Scenario & { readonly schedule: SignatureSchedule } {
  const { parts, language, challenge = [], people = () => [], isMisread } = options;
  refuseUnmetKinds(parts);
  const schedule = new SignatureSchedule(parts, challenge);
  const scenario: Scenario = (request) => {
    const { split, index, base, rng, dials, scratch } = request;
    if (split === "handmade") {
      throw new BowlineError("world", "a world of composed goals has no handmade tasks");
    }
    const common = {
      split,
      people: people(base, split),
      language,
      scratch,
      paraphrase: dials.paraphrase,
      isMisread,
      // Solutions log in before they use these apps.
      logins: request.appsWithLogin,
      shortSessions: dials.clockDriftMs > 0,
    };
    const { knownAttempts, reportAttempts } = request;
    const [suitable = 0, ...known] = knownAttempts ?? [];
    let tried = 0;
    for (const shape of schedule.candidates(split, index)) {
      const number = tried++;
      if (number < suitable) continue;
      const tasks = composeScenario({ ...common, rng: rng.child(shape.type) }, shape, {
        known: knownAttempts && known,
        onFound: (attempts) => reportAttempts?.([number, ...attempts]),
      });
      if (tasks) return tasks;
      if (knownAttempts) return scenario({ ...request, knownAttempts: undefined });
    }
    throw new BowlineError("world", explainNoTask(split, tried, schedule));
  };
  return Object.assign(scenario, { schedule });
}

function explainNoTask(
  split: ComposedSplit,
  tried: number,
  { signatures }: SignatureSchedule,
): string {
  if (tried > 0) {
    return `the population has nothing suitable for any of the ${tried} signatures of ${split}: there are too few rows, or the rows are too similar for the clauses`;
  }
  return `none of the ${signatures.length} signatures of this world belongs to ${split}; only signatures that use an app of \`challenge\` belong to test-challenge`;
}
