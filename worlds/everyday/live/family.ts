/**
 * How a family of tasks is declared, and how families become scenarios.
 *
 * A family is one kind of affair, such as a dinner for several people. It has stories (what it is about, and the split
 * to which it belongs) and twists (what comes in between). Each story with each twist is one signature. A scenario is a
 * signature with three variants, which differ in people, values and sometimes in the outcome.
 */
import type { ComposedSplit } from "bowline/goals";
import type {
  Difficulty,
  LaterSession,
  PlanEvent,
  Profile,
  Reader,
  Rng,
  ScenarioRequest,
  Solution,
  Task,
  Verdict,
  Writer,
  Wrong,
} from "bowline/world";
import { type Person, people } from "../apps/tables.ts";
import { firstName } from "../handmade/insert-rows.ts";
import { placesOfPart } from "../life/life.ts";
import { POOLS, partOfName } from "../population/name-pools.ts";

/**
 * What a task needs, or contains. `ask` means the answers of other people, `owner` those of the owner, and `notes` what
 * the agent wrote down in an earlier session. The test of the world proves all but `trap` and `impossible` by solutions
 * without them.
 */
export const TRAITS = ["wait", "ask", "prose", "owner", "notes", "trap", "impossible"] as const;
export type Trait = (typeof TRAITS)[number];

/** One variant of a scenario. */
export interface LiveTask {
  readonly traits: readonly Trait[];
  /** The instruction, as a person would write it. */
  readonly instruction: string;
  /** Inserts what the task is about, and plans what other people do. */
  readonly setup: (db: Writer, plan: PlanEvent) => void;
  /** Further sessions, which share nothing with the first but the agent's notebook. */
  readonly sessions?: readonly LaterSession[];
  /** Mistakes that the checks must reject, beside the hasty solution. */
  readonly wrongs?: readonly Wrong[];
  readonly goal: Task["goal"];
  /** Solves the task by careful work. */
  readonly solution: Solution;
  /** What somebody does who neither waits, nor asks, nor reads everything. It should fail. */
  readonly hasty: Solution;
  readonly alternatives?: readonly Solution[];
  /** Judges the final state independently of the goal. */
  readonly verdict: Verdict;
  /** By default, the family's difficulty. */
  readonly difficulty?: Difficulty;
}

/** A task of the world, with the traits that its family claims. */
export type TaskWithTraits = Task & Pick<LiveTask, "traits">;

export interface Story {
  /** A unique name in kebab-case. */
  readonly name: string;
  readonly split: ComposedSplit;
}

/** What one variant draws from. */
export interface LiveDraw<S extends Story = Story> {
  readonly story: S;
  readonly twist: string;
  /** The number of the variant: 0, 1 or 2. */
  readonly variant: number;
  /** A random stream of this variant alone. */
  readonly rng: Rng;
  /** A random stream that is the same for all three variants. */
  readonly common: Rng;
  readonly base: Reader;
  readonly owner: Profile;
  /**
   * Shuffled people of the story's split who are not blocked. No other variant has the same people, and the first five
   * have different first names.
   */
  readonly people: readonly Person[];
  /** The cities and the names of places of the story's split. */
  readonly cities: readonly string[];
  readonly places: readonly string[];
}

export interface Family<S extends Story = Story> {
  /** A unique name in kebab-case, such as `borrow-a-thing`. */
  readonly name: string;
  readonly difficulty: Difficulty;
  readonly stories: readonly S[];
  readonly twists: readonly string[];
  readonly make: (draw: LiveDraw<S>) => LiveTask;
}

/** Defines a family. Families with stories of different types may stand in one list. */
export const defineFamily = <S extends Story>(family: Family<S>): Family =>
  family as unknown as Family;

/** A family with one of its stories and one of its twists. */
export interface Signature {
  readonly name: string;
  readonly family: Family;
  readonly story: Story;
  readonly twist: string;
}

/**
 * Returns the signatures of a split. The families take turns, so that each occurs equally often, and so do the twists
 * of a family.
 */
export function listSignatures(families: readonly Family[], split: ComposedSplit): Signature[] {
  const byFamily = families.map((family) => {
    const stories = family.stories.filter((story) => story.split === split);
    return stories.flatMap((_, shift) =>
      family.twists.map((twist, i) => {
        const story = stories[(shift + i) % stories.length]!;
        return { name: `live.${family.name}.${story.name}.${twist}`, family, story, twist };
      }),
    );
  });
  const rounds = Math.max(0, ...byFamily.map(({ length }) => length));
  const takeTurn = (i: number) => byFamily.flatMap((list) => list[i % list.length] ?? []);
  return Array.from({ length: rounds }, (_, i) => takeTurn(i)).flat();
}

/** Makes the three tasks of a scenario. */
export function makeLiveTasks(
  families: readonly Family[],
  request: ScenarioRequest,
): readonly [TaskWithTraits, TaskWithTraits, TaskWithTraits] {
  const signatures = listSignatures(families, request.split as ComposedSplit);
  const signature = signatures[request.index % signatures.length]!;
  const make = (variant: number) =>
    toTask(signature, signature.family.make(makeDraw(signature, request, variant)), request);
  return [make(0), make(1), make(2)];
}

function makeDraw(
  { story, twist }: Signature,
  { base, owner, rng }: ScenarioRequest,
  variant: number,
): LiveDraw {
  const unblocked = base.where(people, { blocked: false });
  const ofSplit = unblocked.filter(({ name }) => partOfName(name) === story.split);
  const shuffled = rng.child("people").shuffle(ofSplit);
  return {
    ...{ story, twist, variant, base, owner },
    rng: rng.child(variant),
    common: rng.child("common"),
    people: putNamesakesLast(shuffled.filter((_, i) => i % 3 === variant)),
    cities: POOLS[story.split].cities,
    places: placesOfPart(story.split),
  };
}

/** Moves people behind the others whose first name another person before them has. */
function putNamesakesLast(list: readonly Person[]): readonly Person[] {
  const firstNames = list.map(firstName);
  const isNamesake = (i: number) => firstNames.indexOf(firstNames[i]!) < i;
  return [...list.filter((_, i) => !isNamesake(i)), ...list.filter((_, i) => isNamesake(i))];
}

function toTask(
  { name, family }: Signature,
  task: LiveTask,
  { dials }: ScenarioRequest,
): TaskWithTraits {
  const adapt = dials.logins ? (solution: Solution) => solution : withoutLogins;
  const { hasty, solution, alternatives = [], ...rest } = task;
  return {
    signature: name,
    difficulty: family.difficulty,
    ...rest,
    solution: adapt((context) => (context.style === "hasty" ? hasty : solution)(context)),
    alternatives: alternatives.map(adapt),
  };
}

/** Removes the logins from a solution, for worlds with the dial `logins` off, in which no app has `login`. */
function withoutLogins(solution: Solution): Solution {
  return function* (context) {
    const cells = solution(context);
    for (let cell = cells.next(); !cell.done; )
      cell = cells.next(yield cell.value.replace(/\bapis\.\w+\.login\(\{[^{}]*\}\);?/g, ""));
  };
}
