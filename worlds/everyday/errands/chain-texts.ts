/**
 * Draws the texts by which each step of an errand finds its thing. Each text has a right value, and a wrong value to
 * which a hasty step leads. So there are two parallel chains of things, and an agent that leaves the right chain
 * continues along the wrong one.
 *
 * The wrong value of a name is the name of a namesake, who comes first in every list. In training tasks, both people
 * are invented.
 */
import type { Rng, Writer } from "bowline/world";
import { makeHandle, people } from "../apps/index.ts";
import type { DrawContext } from "../goals/algebra.ts";
import { inventWord } from "../goals/names-in-tasks.ts";
import type { KeyKind, RightAndWrongText, Step } from "./step-types.ts";
import { drawTopics } from "./topics.ts";

export interface ChainTexts {
  /** The text that each step looks for, and at the end the text that the last step reads. */
  readonly texts: readonly RightAndWrongText[];
  /** The ids of people whom the errand does not name. */
  readonly otherPeople: readonly number[];
  /** Inserts the invented people of a training task. */
  readonly setup: (db: Writer) => void;
}

export function drawChainTexts(draw: DrawContext, chain: readonly Step[]): ChainTexts {
  const keyKinds = drawKeyKinds(draw.rng.child("last"), chain);
  const topics = drawTopics(draw.rng.child("topics"), 2 * keyKinds.length);
  const names = drawNamesakePairs(draw, keyKinds.length);
  const texts: RightAndWrongText[] = [];
  for (const [i, keyKind] of keyKinds.entries()) {
    const sameName = chain[i - 1]?.finder.name === "person.named" ? texts[i - 1] : undefined;
    const fresh =
      keyKind === "name" ? names[i]! : { right: topics[2 * i]!, wrong: topics[2 * i + 1]! };
    texts.push(sameName ?? fresh);
  }
  return {
    texts,
    otherPeople: idsOfOtherPeople(names, draw),
    setup: (db) => insertInventedPeople(db, draw, names),
  };
}

/**
 * Draws the kinds of the texts. The text that the last step reads may be a topic or a name. When a step finds a person,
 * the next text is the person's name.
 */
function drawKeyKinds(rng: Rng, chain: readonly Step[]): KeyKind[] {
  const last: KeyKind =
    chain.at(-1)!.finder.kind === "person" ? "name" : rng.pick(["topic", "name"]);
  return [...chain.map(({ finder }) => finder.keyKind), last];
}

function drawNamesakePairs(draw: DrawContext, count: number): RightAndWrongText[] {
  const { rng, split } = draw;
  const pairs =
    split === "train"
      ? inventNamesakes(rng.child("names"), draw, count)
      : rng.child("names").sample(existingNamesakes(draw), count);
  return pairs.map((pair) => {
    const [wrong, right] = pair.toSorted((a, b) => (a < b ? -1 : 1));
    return { right: right!, wrong: wrong! };
  });
}

function idsOfOtherPeople(names: readonly RightAndWrongText[], { people }: DrawContext): number[] {
  const named = names.flatMap(({ right, wrong }) => [right, wrong]);
  return people.filter(({ name }) => !named.includes(name)).map(({ id }) => id);
}

const firstName = (name: string) => name.split(" ")[0]!;

/** Returns pairs of people of the split who share a first name. Each first name belongs to two people. */
function existingNamesakes({ people }: DrawContext): string[][] {
  const names = people.map(({ name }) => name);
  const firsts = [...new Set(names.map(firstName))];
  return firsts.map((first) => names.filter((name) => firstName(name) === first));
}

/**
 * Invents pairs of names that share a first name. No other name begins with that first name, so a search for it finds
 * only these two people.
 */
function inventNamesakes(rng: Rng, { base }: DrawContext, count: number): string[][] {
  const taken = base.all(people).flatMap(({ name }) => name.toLowerCase().split(" "));
  const inventName = (): string => {
    for (;;) {
      const word = inventWord(rng);
      const lower = word.toLowerCase();
      if (taken.some((other) => other.startsWith(lower) || lower.startsWith(other))) continue;
      taken.push(lower);
      return word;
    }
  };
  return Array.from({ length: count }, () => {
    const first = inventName();
    return [`${first} ${inventName()}`, `${first} ${inventName()}`];
  });
}

function insertInventedPeople(
  db: Writer,
  { rng, split, people: known }: DrawContext,
  pairs: readonly RightAndWrongText[],
): void {
  if (split !== "train") return;
  const city = rng.child("city").pick(known).city;
  for (const name of pairs.flatMap(({ right, wrong }) => [right, wrong])) {
    const phone = `555-${2000 + db.all(people).length}`;
    db.insert(people, { name, handle: makeHandle(db, name), city, phone, blocked: false });
  }
}
