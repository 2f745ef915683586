/**
 * The Wordle of LMRL-Gym (arXiv 2311.18232): a hidden word of five letters and six guesses. Every wrong guess costs 1
 * (`step-rewards.ts`). A guess is answered by five signs: `g` for a letter in its place, `y` for a letter of the word
 * in another place, `-` for any other letter. The same guess again uses up no guess.
 *
 * The agent may look words up: `words` lists all words, `fits` the words that agree with all answers so far.
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
import { WORDS } from "./words.ts";

/** The number of guesses of a round. */
export const MOST_GUESSES = 6;

type Round = {
  readonly id: number;
  readonly secret: string;
  readonly solved: boolean;
  readonly guesses: readonly string[];
};
const rounds = defineTable<Round>("wordle.rounds", { classes: { guesses: "bookkeeping" } });

/** Returns the five signs that answer a guess. A letter of the secret colours one letter of the guess only. */
export function colourGuess(guess: string, secret: string): string {
  const signs: string[] = [...guess].map((letter, i) => (letter === secret[i] ? "g" : "-"));
  const left = [...secret].filter((_, i) => signs[i] !== "g");
  for (const [i, letter] of [...guess].entries()) {
    const at = signs[i] === "g" ? -1 : left.indexOf(letter);
    if (at < 0) continue;
    signs[i] = "y";
    left.splice(at, 1);
  }
  return signs.join("");
}

/** Returns the words that agree with the answers to all guesses. */
const fittingWords = ({ secret, guesses }: Pick<Round, "secret" | "guesses">) =>
  WORDS.filter((word) =>
    guesses.every((guess) => colourGuess(guess, word) === colourGuess(guess, secret)),
  );

const currentRound = (db: Reader) => db.all(rounds)[0]!;

const wordle = defineApp({
  name: "wordle",
  summary: "A round of Wordle: a hidden word of five letters and six guesses.",
  tables: [rounds],
  apis: {
    guess: defineApi({
      summary:
        "Guess the word. g: right letter and place, y: letter in another place, -: no letter.",
      params: z.strictObject({ word: z.string().describe("a word of the list") }),
      returns: z.string(),
      handler: ({ db }, { word }) => {
        const { id, secret, solved, guesses } = currentRound(db);
        if (solved) throw new ApiError(409, "the word is found");
        if (guesses.includes(word)) return colourGuess(word, secret);
        if (guesses.length >= MOST_GUESSES) throw new ApiError(409, "no guess is left");
        if (!WORDS.includes(word)) throw new ApiError(422, `${word} is not in the list`);
        db.update(rounds, id, { guesses: [...guesses, word], solved: word === secret });
        return colourGuess(word, secret);
      },
    }),
    fits: defineApi({
      summary: "List words that agree with the answers so far, at most five.",
      params: z.strictObject({}),
      returns: z.array(z.string()),
      handler: ({ db }) => fittingWords(currentRound(db)).slice(0, 5),
    }),
    words: defineApi({
      summary: "List twenty words of the list, whatever the answers were.",
      params: z.strictObject({
        page: z.int().min(0).max(19).describe("which twenty, counted from 0"),
      }),
      returns: z.array(z.string()),
      handler: (_, { page }) => WORDS.slice(20 * page, 20 * page + 20),
    }),
  },
});

/** Returns whether the rule "guess the first word that fits" finds the secret in six guesses. */
export function isFoundByFitting(secret: string): boolean {
  let fitting = WORDS;
  for (let guesses = 0; guesses < MOST_GUESSES; guesses++) {
    const guess = fitting[0]!;
    if (guess === secret) return true;
    const answer = colourGuess(guess, secret);
    fitting = fitting.filter((word) => word !== guess && colourGuess(guess, word) === answer);
  }
  return false;
}

const SHARES: readonly [Split, number][] = [
  ["train", 0.5],
  ["dev", 0.65],
  ["test-normal", 0.85],
  ["test-challenge", 1],
];

/** Returns the split whose tasks hide the word. */
export function splitOfWord(word: string): Split {
  const share = hash32(`word ${word}`) / 2 ** 32;
  return SHARES.find(([, end]) => share < end)![0];
}

const SECRETS = WORDS.filter(isFoundByFitting);

const FITTING_GUESS = "print(apis.wordle.guess({word:apis.wordle.fits()[0]}))";
/** A guess of any word of the list, whatever the answers were. */
const anyGuess = (rng: Rng) =>
  `print(apis.wordle.guess({word:apis.wordle.words({page:${rng.integer(0, 19)}})[0]}))`;

/** The share of the hasty guesses that do not look at the answers. */
const CARELESS_SHARE = 0.9;

function* play(isCareful: boolean, rng: Rng): Generator<string, void, StepResult> {
  for (let guesses = 0; guesses < MOST_GUESSES; guesses++) {
    const isCareless = !isCareful && rng.chance(CARELESS_SHARE);
    const { stdout } = yield isCareless ? anyGuess(rng) : FITTING_GUESS;
    if (stdout.startsWith("ggggg")) break;
  }
  yield "apis.me.finishTask()";
}

function createTask(secret: string): Task {
  return {
    signature: "wordle.round",
    difficulty: 2,
    instruction: "find the word",
    setup: (db) => void db.insert(rounds, { secret, solved: false, guesses: [] }),
    goal(db) {
      db.update(rounds, currentRound(db).id, { solved: true });
      return undefined;
    },
    solution: ({ style, rng }) => play(style === "careful", rng),
  };
}

export default defineWorld({
  name: "lmrl-wordle",
  version: "1",
  now: "2026-01-05T09:00:00Z",
  apps: [wordle],
  scenarios: { train: 100, dev: 20, "test-normal": 20, "test-challenge": 20 },
  populate: () => ({ name: "Ida Word", email: "ida@word.example", phone: "555-0102" }),
  scenario({ split, index }) {
    const secrets = SECRETS.filter((word) => splitOfWord(word) === split);
    const [first, second, third] = drawThreeInOrder(secrets, index);
    return [createTask(first), createTask(second), createTask(third)];
  },
});
