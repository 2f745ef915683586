/**
 * What the parts of a goal need when they draw: the people of the split, values that are literal or looked up, and
 * names of variables.
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Scratch, Writer } from "../world/index.ts";
import { type Language, lowerFirstLetter, type Person } from "./language.ts";
import type { DrawContext, Source, Value, ValuesByType } from "./parts.ts";
import { dayInWords, moneyInWords, WordingChooser } from "./words.ts";

/**
 * Everything that one attempt at drawing a task shares. Setups of parts are applied to `db` as soon as they are drawn.
 */
export interface Attempt {
  readonly rng: Rng;
  readonly split: ComposedSplit;
  /** A copy of the state that only this attempt sees. */
  readonly db: Writer;
  /** Returns another copy of the state, with all setups so far. */
  readonly fresh: () => Scratch;
  readonly people: readonly Person[];
  readonly language: Language;
  readonly wording: WordingChooser;
  readonly setups: ((db: Writer) => void)[];
  readonly names: Map<string, number>;
}

/** Starts an attempt with its own random streams for values and for words, and with a state without setups. */
export function startAttempt(
  request: Pick<Attempt, "rng" | "split" | "people" | "language"> & {
    readonly scratch: () => Scratch;
    readonly paraphrase: number;
  },
): Attempt {
  const { rng, split, people, language, scratch, paraphrase } = request;
  const setups: Attempt["setups"] = [];
  const fresh = () => {
    const db = scratch();
    for (const setup of setups) setup(db);
    return db;
  };
  const wording = new WordingChooser(rng.child("words").child(paraphrase), split);
  return {
    rng: rng.child("values"),
    split,
    db: scratch(),
    fresh,
    people,
    language,
    wording,
    setups,
    names: new Map(),
  };
}

/** Remembers a setup for the task, and applies it so that later parts see it. */
export function applySetup(attempt: Attempt, setup: ((db: Writer) => void) | undefined): void {
  if (!setup) return;
  setup(attempt.db);
  attempt.setups.push(setup);
}

export function newVariableName({ names }: Attempt, stem: string): string {
  const number = (names.get(stem) ?? 0) + 1;
  names.set(stem, number);
  return `${stem}${number}`;
}

/**
 * Makes the drawing context of a part. With a `source`, values of its type are looked up there instead of being
 * literal. `purpose` names the part, such as `mail.reply`, so that sentences suit it.
 */
export function makeDrawContext(
  attempt: Attempt,
  path: string,
  source?: Source,
  purpose = "",
): DrawContext {
  const rng = attempt.rng.child(path);
  const draw: DrawContext = {
    rng,
    split: attempt.split,
    db: attempt.db,
    people: attempt.people,
    person: (among) => drawPerson(attempt, rng, among),
    variable: (stem) => newVariableName(attempt, stem),
    value: (type) => {
      const looked = source?.type === type ? source.draw(draw) : undefined;
      if (source?.type === type && !looked) throw new NothingToDraw();
      return (looked ?? drawLiteral(attempt, rng, type, purpose)) as ValuesByType[typeof type];
    },
  };
  return draw;
}

/** Returns a function that lowers the first letter of a sentence, for when other words stand before it. */
export const lowerFirstLetterIn =
  ({ language }: Pick<Attempt, "language">) =>
  (sentence: string): string =>
    lowerFirstLetter(sentence, language);

/** Thrown when a part finds no suitable values. The attempt is then given up. */
export class NothingToDraw extends Error {}

export function requireDrawn<T>(drawn: T | undefined): T {
  if (drawn === undefined) throw new NothingToDraw();
  return drawn;
}

function drawPerson(
  attempt: Attempt,
  rng: Rng,
  among?: readonly number[],
): Value<Person> | undefined {
  const allowed = among && new Set(among);
  const candidates = attempt.people.filter(({ id }) => allowed?.has(id) ?? true);
  if (candidates.length === 0) return undefined;
  const chosen = rng.pick(candidates);
  const code = newVariableName(attempt, "h");
  return {
    value: chosen,
    words: chosen.name,
    code,
    ...attempt.language.findPerson(chosen, code),
  };
}

function drawLiteral(
  attempt: Attempt,
  rng: Rng,
  type: keyof ValuesByType,
  purpose: string,
): Value<number | string> {
  if (type === "money") {
    const cents = rng.integer(12, 190) * 50 + rng.pick([0, 0, 25, 40]);
    return {
      value: cents,
      words: moneyInWords(cents),
      code: String(cents / 100),
      cells: [],
      apps: [],
    };
  }
  if (type === "day") {
    const day = attempt.language.dayAfter(rng.integer(2, 45));
    return { value: day, words: dayInWords(day), code: JSON.stringify(day), cells: [], apps: [] };
  }
  const text = attempt.language.sentence(rng, attempt.split, purpose);
  const quoted = JSON.stringify(text);
  return { value: text, words: quoted, code: quoted, cells: [], apps: [] };
}
