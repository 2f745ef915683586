/**
 * The maze of LMRL-Gym (arXiv 2311.18232), fully observed: an agent reads where it is, where the goal is and which
 * walls are beside it, and moves by one cell. Every move costs 1, and the move that reaches the goal costs nothing
 * (`step-rewards.ts`).
 *
 * The layout and the goal are fixed, as in the paper. Tasks differ in their start, and no start belongs to two splits.
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
import { drawThreeInOrder } from "./draw-in-order.ts";

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

const formatMove = (to: Direction) => `print(apis.maze.go({to:"${to}"}))`;

/** The goal of all tasks: the middle of the maze. */
const GOAL: Cell = [5, 6];
const PLAN = planTo(GOAL);

/** Starts are at least two moves away from the goal. */
const STARTS = FREE_CELLS.filter((cell) => (PLAN.get(nameOf(cell))?.distance ?? 0) >= 2);

const SHARES: readonly [Split, number][] = [
  ["train", 0.45],
  ["dev", 0.52],
  ["test-normal", 0.95],
  ["test-challenge", 1],
];

/** Returns the split whose tasks start at a cell. */
export function splitOfStart(cell: Cell): Split {
  const share = hash32(`start ${nameOf(cell)}`) / 2 ** 32;
  return SHARES.find(([, end]) => share < end)![0];
}

function createTask(start: Cell): Task {
  return {
    signature: "maze.way",
    difficulty: 2,
    instruction: `go to ${describePlace(nameOf(GOAL), start)}`,
    setup: (db) => void db.insert(walkers, { at: nameOf(start), goal: nameOf(GOAL), moves: 0 }),
    goal(db) {
      db.update(walkers, db.all(walkers)[0]!.id, { at: nameOf(GOAL) });
      return undefined;
    },
    solution: ({ style }) =>
      style === "careful" ? walk(start, plannedMove) : walk(start, straightMove, HASTY_MOVES),
  };
}

const plannedMove = (cell: Cell) => PLAN.get(nameOf(cell))?.move;

/** The hasty rule gives up after this many moves. */
const HASTY_MOVES = 3;

/** Returns the free direction that leads straight to the goal. The hasty rule gives up where walls are in the way. */
function straightMove(cell: Cell): Direction | undefined {
  const [down, right] = [GOAL[0] - cell[0], GOAL[1] - cell[1]];
  const wanted: Direction[] = [];
  if (down !== 0) wanted.push(down > 0 ? "down" : "up");
  if (right !== 0) wanted.push(right > 0 ? "right" : "left");
  return wanted.find((direction) => isFree(neighbour(cell, direction)));
}

function* walk(
  start: Cell,
  choose: (cell: Cell) => Direction | undefined,
  most = MOST_MOVES,
): Generator<string, void, StepResult> {
  let cell = start;
  for (let moves = 0; moves < most && nameOf(cell) !== nameOf(GOAL); moves++) {
    const move = choose(cell);
    if (move === undefined) break;
    const { stdout } = yield formatMove(move);
    cell = stdout.startsWith("goal") ? GOAL : parseCell(stdout.split(" ")[2]!);
  }
  yield "apis.me.finishTask()";
}

export default defineWorld({
  name: "lmrl-maze",
  version: "1",
  now: "2026-01-05T09:00:00Z",
  apps: [maze],
  scenarios: { train: 8, dev: 1, "test-normal": 8, "test-challenge": 1 },
  populate: () => ({ name: "Ida Maze", email: "ida@maze.example", phone: "555-0101" }),
  scenario({ split, index }) {
    const starts = STARTS.filter((cell) => splitOfStart(cell) === split);
    const [first, second, third] = drawThreeInOrder(starts, index);
    return [createTask(first), createTask(second), createTask(third)];
  },
});
