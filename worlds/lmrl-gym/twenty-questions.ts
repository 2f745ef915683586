/**
 * Twenty questions of LMRL-Gym (arXiv 2311.18232): the agent asks about traits of a hidden thing and guesses it. The
 * answerer is a table of traits instead of a language model. Every question and every wrong guess costs 1
 * (`step-rewards.ts`), so good questions pay. The same question again uses up none of the
 * twenty.
 */
import {
  ApiError,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  hash32,
  type Reader,
  type Rng,
  type Split,
  type StepResult,
  type Task,
  z,
} from "bowline/world";
import { drawThreeInOrder } from "./draw-in-order.ts";
import { hasTrait, THINGS, type Thing, TRAITS, type Trait } from "./things.ts";

/** The number of questions and guesses of a round. */
export const MOST_QUESTIONS = 20;

type Round = {
  readonly id: number;
  readonly secret: string;
  readonly solved: boolean;
  /** The traits that were asked about. */
  readonly asked: readonly string[];
  /** The things that were guessed wrongly. */
  readonly wrong: readonly string[];
};
const rounds = defineTable<Round>("twenty.rounds", {
  classes: { asked: "bookkeeping", wrong: "bookkeeping" },
});

const currentRound = (db: Reader) => db.all(rounds)[0]!;

/** Returns the round, unless it is over. */
function requireOpenRound(db: Reader): Round {
  const round = currentRound(db);
  if (round.solved) throw new ApiError(409, "the thing is found");
  if (round.asked.length + round.wrong.length >= MOST_QUESTIONS)
    throw new ApiError(409, "no question is left");
  return round;
}

/** Returns the things that agree with all answers. */
const fittingThings = ({ secret, asked, wrong }: Round): readonly Thing[] =>
  THINGS.filter(
    ({ name, traits }) =>
      !wrong.includes(name) &&
      asked.every((trait) => traits.has(trait as Trait) === hasTrait(secret, trait as Trait)),
  );

const twenty = defineApp({
  name: "twenty",
  summary: "Twenty questions: somebody thinks of a thing.",
  tables: [rounds],
  apis: {
    ask: defineApi({
      summary: "Ask whether the thing has a trait.",
      params: z.strictObject({ about: z.enum(TRAITS).describe("the trait") }),
      returns: z.enum(["yes", "no"]),
      handler: ({ db }, { about }) => {
        const { id, secret, asked } = requireOpenRound(db);
        if (asked.includes(about)) return hasTrait(secret, about) ? "yes" : "no";
        db.update(rounds, id, { asked: [...asked, about] });
        return hasTrait(secret, about) ? "yes" : "no";
      },
    }),
    guess: defineApi({
      summary: "Guess the thing.",
      params: z.strictObject({ thing: z.string().describe("the name of a thing") }),
      returns: z.enum(["right", "wrong"]),
      handler: ({ db }, { thing }) => {
        const { id, secret, wrong } = requireOpenRound(db);
        if (wrong.includes(thing)) return "wrong";
        if (thing === secret) db.update(rounds, id, { solved: true });
        else db.update(rounds, id, { wrong: [...wrong, thing] });
        return thing === secret ? "right" : "wrong";
      },
    }),
    fits: defineApi({
      summary: "List things that agree with the answers so far, at most five.",
      params: z.strictObject({}),
      returns: z.array(z.string()),
      handler: ({ db }) =>
        fittingThings(currentRound(db))
          .slice(0, 5)
          .map(({ name }) => name),
    }),
  },
});

/** Returns the trait that divides the things most evenly; undefined when none divides them. */
export function bestTrait(things: readonly Thing[]): Trait | undefined {
  const imbalance = (trait: Trait) =>
    Math.abs(2 * things.filter(({ traits }) => traits.has(trait)).length - things.length);
  const [best] = TRAITS.toSorted((a, b) => imbalance(a) - imbalance(b));
  return best !== undefined && imbalance(best) < things.length ? best : undefined;
}

const formatQuestion = (trait: Trait) => `print(apis.twenty.ask({about:"${trait}"}))`;
const GUESS = "print(apis.twenty.guess({thing:apis.twenty.fits()[0]}))";

/** The number of things that are left when the careful solution stops asking and guesses one after the other. */
const FEW = 3;

/** Asks the most dividing questions until few things are left, and guesses them one after the other. */
function* askCarefully(): Generator<string, void, StepResult> {
  let things: readonly Thing[] = THINGS;
  for (let best = bestTrait(things); things.length > FEW && best; best = bestTrait(things)) {
    const trait = best;
    const { stdout } = yield formatQuestion(trait);
    const answer = stdout.startsWith("yes");
    things = things.filter(({ traits }) => traits.has(trait) === answer);
  }
  for (let wrong = 0; wrong < FEW; wrong++) {
    const { stdout } = yield GUESS;
    if (stdout.startsWith("right")) break;
  }
  yield "apis.me.finishTask()";
}

/** Asks a few random questions, guesses once, and gives up. */
function* askHastily(rng: Rng): Generator<string, void, StepResult> {
  for (const trait of rng.sample(TRAITS, rng.integer(1, 4))) yield formatQuestion(trait);
  yield GUESS;
  yield "apis.me.finishTask()";
}

const SHARES: readonly [Split, number][] = [
  ["train", 0.5],
  ["dev", 0.57],
  ["test-normal", 0.93],
  ["test-challenge", 1],
];

/** Returns the split whose tasks hide the thing. */
export function splitOfThing(name: string): Split {
  const share = hash32(`thing ${name}`) / 2 ** 32;
  return SHARES.find(([, end]) => share < end)![0];
}

function createTask(secret: string): Task {
  return {
    signature: "twenty.round",
    difficulty: 2,
    instruction: "find the thing",
    setup: (db) => void db.insert(rounds, { secret, solved: false, asked: [], wrong: [] }),
    goal(db) {
      db.update(rounds, currentRound(db).id, { solved: true });
      return undefined;
    },
    solution: ({ style, rng }) => (style === "careful" ? askCarefully() : askHastily(rng)),
  };
}

export default defineWorld({
  name: "lmrl-twenty-questions",
  version: "1",
  now: "2026-01-05T09:00:00Z",
  apps: [twenty],
  scenarios: { train: 60, dev: 20, "test-normal": 18, "test-challenge": 20 },
  populate: () => ({ name: "Ida Twenty", email: "ida@twenty.example", phone: "555-0103" }),
  scenario({ split, index }) {
    const secrets = THINGS.filter(({ name }) => splitOfThing(name) === split);
    const [first, second, third] = drawThreeInOrder(secrets, index);
    return [createTask(first.name), createTask(second.name), createTask(third.name)];
  },
});
