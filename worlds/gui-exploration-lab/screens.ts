/**
 * Screens of GUI Exploration Lab (arXiv 2512.02423) as text: a graph of screens whose icons lead to other screens. An
 * agent reads the screen that it is on, taps an icon or goes back. All of the graph is known to the world, so the
 * shortest way is known, and unseen tasks have unseen graphs.
 *
 * `makeScreensWorld` makes worlds whose tasks are whole searches (`search.ts`) or single taps (`one-turn.ts`).
 */
import {
  ApiError,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Reader,
  type Rng,
  type StepResult,
  type Task,
  type WorldDefinition,
  z,
} from "bowline/world";

const HOME = "home";
const NAMES =
  "mail maps shop news photos music files notes clock games books bank sports travel weather health help chat".split(
    " ",
  );

/** The icons of a screen are the names of the screens that they open. */
export interface ScreenGraph {
  readonly icons: ReadonlyMap<string, readonly string[]>;
}

/** The size of a graph: how many icons a screen has, and how many taps the farthest screens are away. */
export interface GraphSize {
  readonly branching: number;
  readonly depth: number;
}

/** Draws a graph: a tree of screens from `home`, and a few icons that lead back to a screen near home. */
export function drawGraph(rng: Rng, { branching, depth }: GraphSize): ScreenGraph {
  const names = rng.shuffle(NAMES);
  const icons = new Map<string, readonly string[]>();
  let level: readonly string[] = [HOME];
  for (let i = 0; i < depth; i++) {
    for (const screen of level) icons.set(screen, names.splice(0, branching));
    level = level.flatMap((screen) => icons.get(screen)!);
  }
  for (const screen of level) icons.set(screen, rng.chance(0.2) ? [HOME] : []);
  return { icons };
}

/** Returns the screens of the shortest way from home to a screen, without home itself. */
export function shortestWay({ icons }: ScreenGraph, target: string): readonly string[] {
  const ways = new Map<string, readonly string[]>([[HOME, []]]);
  for (const [screen, way] of ways) {
    if (screen === target) return way;
    for (const next of icons.get(screen) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  throw new Error(`no way leads to the screen ${target}`);
}

type Screen = { readonly id: number; readonly name: string; readonly icons: readonly string[] };
const screens = defineTable<Screen>("gui.screens", { indexes: ["name"] });
type Place = {
  readonly id: number;
  readonly at: string;
  /** The screens that `back` returns to, the newest last. */
  readonly history: readonly string[];
  readonly taps: number;
};
const places = defineTable<Place>("gui.places", {
  classes: { history: "derived", taps: "derived" },
});

const currentPlace = (db: Reader) => db.all(places)[0]!;
const describeScreen = (name: string, icons: readonly string[]) =>
  `${name} ${JSON.stringify(icons)}`;
const readScreen = (db: Reader, name: string) => {
  const { icons } = db.where(screens, { name })[0]!;
  return describeScreen(name, icons);
};

const gui = defineApp({
  name: "gui",
  summary: "A device with screens. Icons lead from one screen to another.",
  tables: [screens, places],
  apis: {
    look: defineApi({
      summary: "Read the name of the screen and its icons.",
      params: z.strictObject({}),
      returns: z.string(),
      handler: ({ db }) => readScreen(db, currentPlace(db).at),
    }),
    tap: defineApi({
      summary: "Tap an icon, by its name or its place, and read the screen that it opens.",
      params: z.strictObject({
        icon: z.string().optional().describe("the name of an icon of the screen"),
        place: z.int().min(1).optional().describe("the place of the icon, from 1"),
      }),
      returns: z.string(),
      handler: ({ db }, { icon, place }) => {
        const { id, at, history, taps } = currentPlace(db);
        const { icons } = db.where(screens, { name: at })[0]!;
        const named = icon ?? icons[(place ?? 0) - 1];
        if (named === undefined || !icons.includes(named))
          throw new ApiError(404, `${at} has no icon ${icon ?? place}`);
        db.update(places, id, { at: named, history: [...history, at], taps: taps + 1 });
        return readScreen(db, named);
      },
    }),
    back: defineApi({
      summary: "Go back to the screen before, and read it.",
      params: z.strictObject({}),
      returns: z.string(),
      handler: ({ db }) => {
        const { id, history, taps } = currentPlace(db);
        const before = history.at(-1);
        if (before === undefined) throw new ApiError(409, "there is no screen before");
        db.update(places, id, { at: before, history: history.slice(0, -1), taps: taps + 1 });
        return readScreen(db, before);
      },
    }),
  },
});

const formatTap = (icon: string) => `print(apis.gui.tap({icon:"${icon}"}))`;
const formatPlaceTap = (place: number) => `print(apis.gui.tap({place:${place}}))`;
const BACK = "print(apis.gui.back())";

/** Reads the name of a screen and its icons from what the agent's code printed. */
function parseScreen(text: string): { readonly name: string; readonly icons: readonly string[] } {
  const [name = "", icons = "[]"] = text.trim().split(" ");
  return { name, icons: JSON.parse(icons) as readonly string[] };
}

/**
 * Follows the shortest way, which the demonstrator knows, as in the paper. Icons on the way are tapped by their places,
 * and the target by its name. It never has to go back.
 */
function* followShortestWay(
  graph: ScreenGraph,
  from: string,
  way: readonly string[],
  target: string,
): Generator<string, void, StepResult> {
  let screen = from;
  for (const icon of way) {
    const place = graph.icons.get(screen)!.indexOf(icon) + 1;
    yield icon === target ? formatTap(icon) : formatPlaceTap(place);
    screen = icon;
  }
  yield "apis.me.finishTask()";
}

/** The largest number of moves of a demonstrator who wanders. */
const MOST_WANDERED = 8;

/**
 * Wanders: tries the target on any screen, taps any icon, goes back from a screen without icons and sometimes from
 * others, and gives up at last.
 */
function* wander(start: string, target: string, rng: Rng): Generator<string, void, StepResult> {
  let screen = parseScreen(start);
  const most = rng.integer(1, MOST_WANDERED);
  for (let moves = 0; moves < most && screen.name !== target; moves++) {
    const goesBack = screen.icons.length === 0 || (screen.name !== HOME && rng.chance(0.4));
    const tap = rng.chance(0.5) ? formatTap(target) : formatPlaceTap(rng.integer(1, 3));
    const { status, stdout } = yield goesBack ? BACK : tap;
    if (status === "ok") screen = parseScreen(stdout);
  }
  yield "apis.me.finishTask()";
}

interface Position {
  readonly graph: ScreenGraph;
  /** The screens from home to where the task starts, without home. */
  readonly way: readonly string[];
  readonly target: string;
  /** The screen where the agent has to be in the end. */
  readonly end: string;
}

function createTask({ graph, way, target, end }: Position): Task {
  const at = way.at(-1) ?? HOME;
  const start = describeScreen(at, graph.icons.get(at)!);
  const taps = shortestWay(graph, target).length - way.length;
  return {
    signature: `screens.${taps}-taps`,
    difficulty: taps > 2 ? 3 : taps > 1 ? 2 : 1,
    instruction: `open "${target}"\n${start}`,
    setup(db) {
      for (const [name, icons] of graph.icons) db.insert(screens, { name, icons });
      db.insert(places, { at, history: [HOME, ...way].slice(0, -1), taps: 0 });
    },
    goal(db) {
      db.update(places, currentPlace(db).id, { at: end });
      return undefined;
    },
    solution: ({ style, rng }) => {
      if (style === "hasty") return wander(start, target, rng);
      const whole = end === target ? shortestWay(graph, target).slice(way.length) : [end];
      return followShortestWay(graph, at, whole, target);
    },
  };
}

/** Returns three screens of a graph. All three need the same number of taps from the first screen. */
function drawTargets(graph: ScreenGraph, rng: Rng, taps: number): string[] {
  const far = [...graph.icons.keys()].filter((name) => shortestWay(graph, name).length === taps);
  return rng.sample(far, 3);
}

/**
 * Makes a world of searches from home. With `trainsOneTurn`, tasks of the split `train` are single taps instead: they
 * start somewhere on the shortest way, and the next tap of this way is right.
 */
export function makeScreensWorld(
  name: string,
  size: GraphSize,
  trainsOneTurn = false,
): WorldDefinition {
  return defineWorld({
    name,
    version: "1",
    now: "2026-01-05T09:00:00Z",
    apps: [gui],
    scenarios: { train: 200, dev: 20, "test-normal": 30, "test-challenge": 20 },
    populate: () => ({ name: "Ida Screen", email: "ida@screen.example", phone: "555-0104" }),
    scenario({ split, index, rng }) {
      const graph = drawGraph(rng, size);
      // Every fourth scenario is about screens beside home, the others about the farthest ones.
      const targets = drawTargets(graph, rng, index % 4 === 0 ? 1 : size.depth);
      const [first, second, third] = targets.map((target) => {
        const whole = shortestWay(graph, target);
        if (!trainsOneTurn || split !== "train")
          return createTask({ graph, way: [], target, end: target });
        const way = whole.slice(0, index % whole.length);
        return createTask({ graph, way, target, end: whole[way.length]! });
      });
      return [first!, second!, third!];
    },
  });
}
