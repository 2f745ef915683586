/**
 * The texts that a chain hands on. Each has a right value and a wrong one, where a hasty step leads; so there are two
 * chains beside each other, and whoever leaves the right one walks on along the other.
 *
 * A name's wrong value is the namesake, who comes first in every list. In training both are invented for the task.
 */
import type { Rng, Writer } from "bowline/world";
import { makeHandle, people } from "../apps/index.ts";
import type { DrawContext } from "../goals/algebra.ts";
import { inventWord } from "../goals/names-in-tasks.ts";
import type { Fork, Key, Step } from "./parts.ts";
import { drawTopics } from "./words.ts";

export interface Cast {
  /** What each step goes by; then, once more, what the last one says. */
  readonly texts: readonly Fork[];
  /** Ids of people who play no part. */
  readonly others: readonly number[];
  /** Adds the invented people. */
  readonly setup: (db: Writer) => void;
}

export function castChain(draw: DrawContext, chain: readonly Step[]): Cast {
  const keys = keysOf(draw.rng.child("last"), chain);
  const topics = drawTopics(draw.rng.child("topics"), 2 * keys.length);
  const names = drawNamesakes(draw, keys.length);
  const texts: Fork[] = [];
  for (const [i, key] of keys.entries()) {
    const same = chain[i - 1]?.finder.name === "person.named" ? texts[i - 1] : undefined;
    const fresh = key === "name" ? names[i]! : { right: topics[2 * i]!, wrong: topics[2 * i + 1]! };
    texts.push(same ?? fresh);
  }
  return { texts, others: othersThan(names, draw), setup: (db) => addPeople(db, draw, names) };
}

/** What the last step says may be either; a person always says the own name. */
function keysOf(rng: Rng, chain: readonly Step[]): Key[] {
  const last: Key = chain.at(-1)!.finder.kind === "person" ? "name" : rng.pick(["topic", "name"]);
  return [...chain.map(({ finder }) => finder.takes), last];
}

function drawNamesakes(draw: DrawContext, count: number): Fork[] {
  const { rng, split } = draw;
  const pairs =
    split === "train"
      ? inventNamesakes(rng.child("names"), draw, count)
      : rng.child("names").sample(knownNamesakes(draw), count);
  return pairs.map((pair) => {
    const [wrong, right] = pair.toSorted((a, b) => (a < b ? -1 : 1));
    return { right: right!, wrong: wrong! };
  });
}

function othersThan(names: readonly Fork[], { people }: DrawContext): number[] {
  const cast = names.flatMap(({ right, wrong }) => [right, wrong]);
  return people.filter(({ name }) => !cast.includes(name)).map(({ id }) => id);
}

const firstOf = (name: string) => name.split(" ")[0]!;

/** The split's people by twos: each first name is borne by two. */
function knownNamesakes({ people }: DrawContext): string[][] {
  const names = people.map(({ name }) => name);
  const firsts = [...new Set(names.map(firstOf))];
  return firsts.map((first) => names.filter((name) => firstOf(name) === first));
}

/** First names that begin no other name, so that a search by first name finds the two and nobody else. */
function inventNamesakes(rng: Rng, { base }: DrawContext, count: number): string[][] {
  const taken = base.all(people).flatMap(({ name }) => name.toLowerCase().split(" "));
  const fresh = (): string => {
    for (;;) {
      const word = inventWord(rng);
      const lower = word.toLowerCase();
      if (taken.some((other) => other.startsWith(lower) || lower.startsWith(other))) continue;
      taken.push(lower);
      return word;
    }
  };
  return Array.from({ length: count }, () => {
    const first = fresh();
    return [`${first} ${fresh()}`, `${first} ${fresh()}`];
  });
}

function addPeople(
  db: Writer,
  { rng, split, people: known }: DrawContext,
  pairs: readonly Fork[],
): void {
  if (split !== "train") return;
  const city = rng.child("city").pick(known).city;
  for (const name of pairs.flatMap(({ right, wrong }) => [right, wrong])) {
    const phone = `555-${2000 + db.all(people).length}`;
    db.insert(people, { name, handle: makeHandle(db, name), city, phone, blocked: false });
  }
}
