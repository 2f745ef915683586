/**
 * The maze of LMRL-Gym (arXiv 2311.18232), fully observed: an agent reads where it is, where the goal is and which
 * walls are beside it, and moves by one cell. Every move costs 1, and the move that reaches the goal costs nothing
 * (`step-rewards.ts`).
 *
 * The layout is fixed, as in the paper. The goal is one of five cells. Tasks are pairs of a start and a goal, and no pair belongs to two splits.
 */
import {
  ApiError,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  hash32,
  type Split,
  type StepResult,
  type Task,
  z,
} from "bowline/world";

/** The layout: ten rows of thirteen cells, as large as the paper's. `#` is a wall. */
const LAYOUT = [
  "#############",
  "#.....#.....#",
  "#.###.#.###.#",
  "#.#...#...#.#",
  "#.#.##.##.#.#",
  "#...........#",
  "#.#.##.##.#.#",
  "#.#...#...#.#",
  "#.....#.....#",
  "#############",
];

/** The largest number of moves in an episode, as in the paper. */
export const MOST_MOVES = 100;

const DIRECTIONS = ["up", "down", "left", "right"] as const;
type Direction = (typeof DIRECTIONS)[number];
const STEPS: { readonly [D in Direction]: readonly [row: number, column: number] } = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
};

type Cell = readonly [row: number, column: number];
const isFree = ([row, column]: Cell) => LAYOUT[row]?.[column] === ".";
const neighbour = ([row, column]: Cell, direction: Direction): Cell => [
  row + STEPS[direction][0],
  column + STEPS[direction][1],
];
const nameOf = ([row, column]: Cell) => `${row},${column}`;
const parseCell = (name: string) => name.split(",").map(Number) as unknown as Cell;

/** All free cells, row by row. */
export const FREE_CELLS: readonly Cell[] = LAYOUT.flatMap((line, row) =>
  [...line].map((_, column): Cell => [row, column]),
).filter(isFree);

type Walker = {
  readonly id: number;
  readonly at: string;
  readonly goal: string;
  readonly moves: number;
};
const walkers = defineTable<Walker>("maze.walkers", { classes: { moves: "bookkeeping" } });

/** Describes goal and place as the agent reads them: `1,11 from 5,3 up down` has walls above and below. */
function describePlace(goal: string, cell: Cell): string {
  const walls = DIRECTIONS.filter((direction) => !isFree(neighbour(cell, direction)));
  return [goal, "from", nameOf(cell), ...walls].join(" ");
}

const maze = defineApp({
  name: "maze",
  summary: "A maze of cells. You stand in one of them.",
  tables: [walkers],
  apis: {
    go: defineApi({
      summary:
        "Move by one cell. Says where the goal is, where you are, and which walls are beside you.",
      params: z.strictObject({ to: z.enum(DIRECTIONS).describe("the direction of the move") }),
      returns: z.string(),
      handler: ({ db }, { to }) => {
        const { id, at, goal, moves } = db.all(walkers)[0]!;
        if (at === goal) throw new ApiError(409, "you are at the goal");
        if (moves >= MOST_MOVES) throw new ApiError(409, `${MOST_MOVES} moves are used up`);
        const next = neighbour(parseCell(at), to);
        const cell = isFree(next) ? next : parseCell(at);
        db.update(walkers, id, { at: nameOf(cell), moves: moves + 1 });
        return nameOf(cell) === goal ? "goal" : describePlace(goal, cell);
      },
    }),
  },
});

/** Returns the first moves of the shortest ways from every cell to the goal, and the lengths of these ways. */
function planTo(goal: Cell): ReadonlyMap<string, { readonly move: Direction; distance: number }> {
  const plan = new Map<string, { move: Direction; distance: number }>();
  const queue: { cell: Cell; distance: number }[] = [{ cell: goal, distance: 0 }];
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    for (const [i, direction] of DIRECTIONS.entries()) {
      const cell = neighbour(entry.cell, direction);
      if (!isFree(cell) || plan.has(nameOf(cell)) || nameOf(cell) === nameOf(goal)) continue;
      // The way back is the opposite direction: up and down, left and right stand side by side in the list.
      plan.set(nameOf(cell), { move: DIRECTIONS[i ^ 1]!, distance: entry.distance + 1 });
      queue.push({ cell, distance: entry.distance + 1 });
    }
  }
  return plan;
}

/** Returns the free direction that leads straight towards the goal; undefined where walls are in the way. */
function straightMove(cell: Cell, goal: Cell): Direction | undefined {
  const [down, right] = [goal[0] - cell[0], goal[1] - cell[1]];
  const wanted: Direction[] = [];
  if (down !== 0) wanted.push(down > 0 ? "down" : "up");
  if (right !== 0) wanted.push(right > 0 ? "right" : "left");
  return wanted.find((direction) => isFree(neighbour(cell, direction)));
}

const formatMove = (to: Direction) => `print(apis.maze.go({to:"${to}"}))`;

/** The lengths of the ways of the three difficulties. */
const DISTANCES = [
  [2, 4],
  [5, 7],
  [8, 11],
] as const;

/** The cells that are goals of tasks: the corners and the middle. The paper has one goal. */
const GOALS: readonly Cell[] = [
  [1, 1],
  [1, 11],
  [5, 6],
  [8, 1],
  [8, 11],
];

const SHARES: readonly [Split, number][] = [
  ["train", 0.5],
  ["dev", 0.56],
  ["test-normal", 0.93],
  ["test-challenge", 1],
];

/** Returns the split to which a pair of start and goal belongs. */
export function splitOfPair(start: string, goal: string): Split {
  const share = hash32(`${start} to ${goal}`) / 2 ** 32;
  return SHARES.find(([, end]) => share < end)![0];
}

interface Pair {
  readonly start: Cell;
  readonly goal: Cell;
  readonly difficulty: 1 | 2 | 3;
}

/** All pairs of a start and a goal with a way of 2 to 11 moves. */
const PAIRS: readonly Pair[] = GOALS.flatMap((goal) => {
  const plan = planTo(goal);
  return FREE_CELLS.flatMap((start): Pair[] => {
    const { distance = 0 } = plan.get(nameOf(start)) ?? {};
    const level = DISTANCES.findIndex(([least, most]) => distance >= least && distance <= most);
    return level < 0 ? [] : [{ start, goal, difficulty: (level + 1) as 1 | 2 | 3 }];
  });
});

const isPairOf = (split: Split, wanted: number) => (pair: Pair) =>
  pair.difficulty === wanted && splitOfPair(nameOf(pair.start), nameOf(pair.goal)) === split;

function createTask({ start, goal, difficulty }: Pair): Task {
  return {
    signature: `maze.${["near", "middle", "far"][difficulty - 1]}`,
    difficulty,
    instruction: `go to ${describePlace(nameOf(goal), start)}`,
    setup: (db) => void db.insert(walkers, { at: nameOf(start), goal: nameOf(goal), moves: 0 }),
    goal(db) {
      db.update(walkers, db.all(walkers)[0]!.id, { at: nameOf(goal) });
      return undefined;
    },
    solution: ({ style }) =>
      walk(start, goal, style === "careful" ? planned(goal) : straight(goal)),
  };
}

const planned = (goal: Cell) => {
  const plan = planTo(goal);
  return (cell: Cell) => plan.get(nameOf(cell))?.move;
};

/** The hasty rule heads straight for the goal and gives up in front of a wall. */
const straight = (goal: Cell) => (cell: Cell) => straightMove(cell, goal);

function* walk(
  start: Cell,
  goal: Cell,
  choose: (cell: Cell) => Direction | undefined,
): Generator<string, void, StepResult> {
  let cell = start;
  while (nameOf(cell) !== nameOf(goal)) {
    const move = choose(cell);
    if (move === undefined) break;
    const { stdout } = yield formatMove(move);
    cell = stdout.startsWith("goal") ? goal : parseCell(stdout.split(" ")[2]!);
  }
  yield "apis.me.finishTask()";
}

export default defineWorld({
  name: "lmrl-maze",
  version: "1",
  now: "2026-01-05T09:00:00Z",
  apps: [maze],
  scenarios: { train: 60, dev: 20, "test-normal": 20, "test-challenge": 20 },
  populate: () => ({ name: "Ida Maze", email: "ida@maze.example", phone: "555-0101" }),
  scenario({ split, index }) {
    const difficulty = ((index % 3) + 1) as 1 | 2 | 3;
    // Scenarios go through the pairs of their split in order, so that the first ones have different pairs.
    const pairs = PAIRS.filter(isPairOf(split, difficulty));
    const pairAt = (place: number) => pairs[(index - (index % 3) + place) % pairs.length]!;
    return [createTask(pairAt(0)), createTask(pairAt(1)), createTask(pairAt(2))];
  },
});
