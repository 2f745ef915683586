/**
 * MLE-Dojo (arXiv 2505.07782) in small: six competitions over synthetic tables with hidden labels. An agent reads the
 * table, tries models on a part of it, and submits predictions, as often as it likes. The score is a number, R² on the
 * hidden rows, and the reward is the share of five fixed baselines that the best submission beats.
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
  type Table,
  type Task,
  z,
} from "bowline/world";
import {
  COMPETITIONS,
  type Competition,
  drawTables,
  fitAndPredict,
  MODELS,
  type ModelName,
  type Row,
  rememberNewest,
  scorePredictions,
} from "./models.ts";

/** What a baseline reaches, as a share of the best model's score on the hidden rows. */
export const BASELINES = [0.1, 0.3, 0.5, 0.7, 0.9] as const;

type Entry = {
  readonly id: number;
  readonly competition: string;
  readonly seed: number;
  readonly submissions: number;
};
const entries = defineTable<Entry>("lab.entries", { classes: { submissions: "bookkeeping" } });

type Baseline = { readonly id: number; readonly beaten: boolean };
/** One table for each baseline, because a check is about a table: the reward then counts baselines. */
const baselines: readonly Table<Baseline>[] = BASELINES.map((_, i) =>
  defineTable<Baseline>(`lab.baseline${i + 1}`),
);

const currentEntry = (db: Reader) => {
  const { id, competition, seed, submissions } = db.all(entries)[0]!;
  return { id, submissions, competition: competition as Competition, seed };
};
const tablesOf = (db: Reader) => {
  const { competition, seed } = currentEntry(db);
  return drawTables(competition, seed);
};

/** The rows that `train` fits, and those that it scores. */
const divide = (rows: readonly Row[]) => [rows.slice(0, 120), rows.slice(120)] as const;

const round = (value: number) => Math.round(100 * value) / 100;

/** Returns a model's predictions of the hidden rows, when it is fitted to all training rows. */
const predictHidden = rememberNewest((competition: Competition, seed: number, model: ModelName) => {
  const { training, hidden } = drawTables(competition, seed);
  return fitAndPredict(model, training, hidden);
});

/** Returns the score of a model on the rows that `train` does not fit. */
const trialScore = rememberNewest((competition: Competition, seed: number, model: ModelName) => {
  const [fitted, others] = divide(drawTables(competition, seed).training);
  return scorePredictions(others, fitAndPredict(model, fitted, others));
});

/** Returns the score of a model on the hidden rows, when it is fitted to all training rows. */
export function hiddenScore(competition: Competition, seed: number, model: ModelName): number {
  const { hidden } = drawTables(competition, seed);
  return scorePredictions(hidden, predictHidden(competition, seed, model));
}

/** Returns the scores of the five baselines. They depend on the competition alone, never on what an agent does. */
export const baselineScores = rememberNewest((competition: Competition, seed: number) => {
  const best = Math.max(...MODELS.map((model) => hiddenScore(competition, seed, model)));
  return BASELINES.map((share) => share * best);
});

const model = z.enum(MODELS).describe("the kind of model");
const numbers = z.object({ a: z.number(), b: z.number(), c: z.number(), group: z.int() });

const lab = defineApp({
  name: "lab",
  summary: "A competition: predict the hidden column y of a table.",
  tables: [entries, ...baselines],
  apis: {
    info: defineApi({
      summary: "Read the name of the competition and the size of its tables.",
      params: z.strictObject({}),
      returns: z.object({ competition: z.string(), rows: z.int(), hidden: z.int() }),
      handler: ({ db }) => {
        const { training, hidden } = tablesOf(db);
        const { competition } = currentEntry(db);
        return { competition, rows: training.length, hidden: hidden.length };
      },
    }),
    rows: defineApi({
      summary: "Read twenty training rows.",
      params: z.strictObject({ page: z.int().min(0).max(7).describe("which twenty, from 0") }),
      returns: z.array(numbers.extend({ y: z.number() })),
      handler: ({ db }, { page }) => tablesOf(db).training.slice(20 * page, 20 * page + 20),
    }),
    hiddenRows: defineApi({
      summary: "Read the hidden rows without y.",
      params: z.strictObject({}),
      returns: z.array(numbers),
      handler: ({ db }) => tablesOf(db).hidden.map(({ y: _, ...row }) => row),
    }),
    train: defineApi({
      summary: "Fit a model to three quarters of the training rows. Returns R² on the others.",
      params: z.strictObject({ model }),
      returns: z.number(),
      handler: ({ db }, { model }) => {
        const { competition, seed } = currentEntry(db);
        return round(trialScore(competition, seed, model));
      },
    }),
    predict: defineApi({
      summary: "Fit a model to all training rows. Returns its predictions of the hidden rows.",
      params: z.strictObject({ model }),
      returns: z.array(z.number()),
      handler: ({ db }, { model }) => {
        const { competition, seed } = currentEntry(db);
        return predictHidden(competition, seed, model);
      },
    }),
    submit: defineApi({
      summary:
        "Submit predictions of the hidden rows. Returns the number of baselines beaten so far.",
      params: z.strictObject({
        predictions: z.array(z.number()).describe("y of each hidden row, in their order"),
      }),
      returns: z.int(),
      handler: ({ db }, { predictions }) => {
        const { id, competition, seed, submissions } = currentEntry(db);
        const { hidden } = drawTables(competition, seed);
        if (predictions.length !== hidden.length)
          throw new ApiError(
            422,
            `expected ${hidden.length} predictions, got ${predictions.length}`,
          );
        db.update(entries, id, { submissions: submissions + 1 });
        const score = scorePredictions(hidden, predictions);
        for (const [i, least] of baselineScores(competition, seed).entries())
          if (score >= least) db.update(baselines[i]!, 1, { beaten: true });
        return baselines.filter((table) => db.get(table, 1)!.beaten).length;
      },
    }),
  },
});

const submitCell = (name: string) =>
  `print(apis.lab.submit({predictions:apis.lab.predict({model:${name}})}))`;

/** Tries every model, and submits the predictions of the best. */
function* tryAll(): Generator<string, void, StepResult> {
  const models = JSON.stringify(MODELS).replaceAll('"', "'");
  yield `let s=${models}.map(m=>[apis.lab.train({model:m}),m]).sort((x,y)=>y[0]-x[0]);print(s[0])`;
  yield submitCell("s[0][1]");
  yield "apis.me.finishTask()";
}

/** Submits a model without trying it, or tries one and submits it whatever its score is. */
function* submitAny(rng: Rng): Generator<string, void, StepResult> {
  const name = rng.pick(MODELS);
  if (rng.chance(0.5)) yield `print(apis.lab.train({model:"${name}"}))`;
  yield submitCell(`"${name}"`);
  yield "apis.me.finishTask()";
}

/** Creates a task. Its tables are drawn when it is opened, because a list of tasks does not need them. */
function createTask(competition: Competition, rng: Rng): Task {
  return {
    signature: `competition.${competition}`,
    difficulty: 3,
    instruction: `predict ${competition}`,
    setup(db) {
      const seed = drawSeed(rng.child("tables"), competition);
      db.insert(entries, { competition, seed, submissions: 0 });
      for (const table of baselines) db.insert(table, { beaten: false });
    },
    goal(db) {
      for (const table of baselines) db.update(table, 1, { beaten: true });
      return undefined;
    },
    solution: ({ style, rng }) => (style === "careful" ? tryAll() : submitAny(rng)),
  };
}

/** Draws tables on which the model that is best on a part of the training rows beats all baselines. */
function drawSeed(rng: Rng, competition: Competition): number {
  for (;;) {
    const seed = rng.uint32();
    const [fitted, others] = divide(drawTables(competition, seed).training);
    const score = (name: ModelName) =>
      scorePredictions(others, fitAndPredict(name, fitted, others));
    const best = MODELS.toSorted((one, other) => score(other) - score(one))[0]!;
    if (hiddenScore(competition, seed, best) >= baselineScores(competition, seed).at(-1)!)
      return seed;
  }
}

export default defineWorld({
  name: "mle-dojo",
  version: "1",
  now: "2026-01-05T09:00:00Z",
  apps: [lab],
  scenarios: { train: 60, dev: 12, "test-normal": 20, "test-challenge": 12 },
  populate: () => ({ name: "Ida Lab", email: "ida@lab.example", phone: "555-0106" }),
  scenario({ index, rng }) {
    const competition = COMPETITIONS[index % COMPETITIONS.length]!;
    const draw = (place: number) => createTask(competition, rng.child(place));
    return [draw(1), draw(2), draw(3)];
  },
});
