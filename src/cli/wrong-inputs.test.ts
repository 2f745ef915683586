/**
 * Tests wrong inputs of the command line, one in each row. Each is refused with one line that says what is wrong, what
 * was expected and what was probably meant, and with exit code 2 (or 1, if only running it could tell). Nothing is
 * written. The tests run in this process, which is faster. Wrong files are in tests/slow/wrong-files.test.ts, and wrong
 * arguments of the library in tests/properties/wrong-arguments.test.ts.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runRefusedCommand, TIME_LIMIT_MS } from "../../tests/support/refused-command.ts";

const startDirectory = process.cwd();
const emptyFolder = mkdtempSync(join(tmpdir(), "bowline-wrong-"));
beforeAll(() => process.chdir(emptyFolder));
afterAll(() => {
  process.chdir(startDirectory);
  rmSync(emptyFolder, { recursive: true });
});

/** The arguments, the exit code, and a pattern for the line on stderr. */
const WRONG_INPUTS: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] =
  [
    [["trian"], 2, /unknown command 'trian' \(did you mean train\?\)/],
    [["init", "world.ts"], 2, /world\.ts is the name of a module; expected a folder/],
    [["init", "new", "--agnt"], 2, /unknown option '--agnt' \(did you mean --agent\?\)/],
    [["init", "new", "--seed", "2"], 2, /unknown option '--seed'/],
    [["init", "new", "--algo.clip", "1"], 2, /takes no config fields.*algo\.clip/],
    [["init", "new", "other"], 2, /too many arguments for 'init'/],
    [
      ["serve"],
      2,
      /choose what to serve: `bowline serve --openai <policy>` for agents, `bowline serve --tinker` for training, or `bowline serve --openenv/,
    ],
    [["serve", "--openai", "nope"], 2, /unknown policy nope/],
    [["serve", "--openai", "a", "--state", "b"], 2, /--state is an option for --tinker/],
    [["serve", "--openai", "a", "--splits", "dev"], 2, /--splits is an option for --openenv/],
    [["serve", "--openenv", "toy", "--models", "2"], 2, /--models is an option for --tinker/],
    [
      ["serve", "--openenv", "toy", "--algo.groupSize", "8"],
      2,
      /takes no config fields but world\.dials/,
    ],
    [["serve", "--openenv", "nowhere"], 2, /nowhere/],
    [
      ["serve", "--openai", "a", "--run.seed", "1"],
      2,
      /takes no config fields but engine\.model, .*--run\.seed/,
    ],
    [["serve", "--tinker", "--key-from", "K"], 2, /--key-from is an option for --openai/],
    [["serve", "--openai", "x", "--key", "k"], 2, /--key: other users .*--key-from NAME/],
    [["serve", "--openai", "x", "--key-from", "NO_SUCH_KEY"], 2, /variable NO_SUCH_KEY is not set/],
    [
      ["serve", "--tinker", "--algo.group-size", "2"],
      2,
      /group-size was given; it belongs to bowline train/,
    ],
    [["serve", "--tinker", "--checkpoint", "b", "--model.layers", "2"], 2, /each name a model/],
    [["serve", "--tinker", "--model.width", "8"], 2, /model\.width/],
    [["serve", "--tinker", "--port", "70000"], 2, /expected an integer from 0 to 65535/i],
    [["studio", "nope"], 2, /there is no folder nope: give a folder of runs, or one run directory/],
    [["studio", "nope", "--port", "70000"], 2, /expected an integer from 0 to 65535/i],
    [["studio", "nope", "--algo.clip", "1"], 2, /takes no config fields/],
    [["train", "--sede", "2"], 2, /unknown option '--sede' \(did you mean --seed\?\)/],
    [
      ["train", "--groupSize", "2"],
      2,
      /unknown option '--groupSize' \(did you mean --algo\.groupSize\?\)/,
    ],
    [["train", "startr"], 2, /unknown recipe "startr" \(did you mean starter\?\)/],
    [["train", "starter", "extra"], 2, /too many arguments/],
    [["train", "--algo.groupsize", "8"], 2, /algo\.groupsize.*did you mean algo\.groupSize\?/],
    [
      ["train", "--algo.group-size", "1"],
      2,
      /algo\.groupSize: expected an integer from 2 to 1024, got 1/,
    ],
    [
      ["train", "--algo.ratio", "word"],
      2,
      /the method loop has no field algo\.ratio; methods that have it: loop-turn, .*on-policy/,
    ],
    [
      ["train", "--method", "on-policy", "--algo.ratio", "word"],
      2,
      /algo\.ratio: expected one of token, turn, trajectory, trajectory-mean, none, got "word"/,
    ],
    [
      ["train", "starter", "--method", "lop"],
      2,
      /unknown method "lop" \(did you mean loop\?\); methods: loop, .*dpo-mcts, or the path of a module/,
    ],
    [["train", "starter", "--method", "./nope.ts"], 2, /method: there is no file \S+nope\.ts/],
    [["train", "smoke/eii"], 2, /unknown method "eii" \(did you mean ei\?\)/],
    [["train", "smok/ei"], 2, /unknown recipe "smok\/ei" \(did you mean smoke\/ei\?\)/],
    [
      ["train", "smoke/ei", "--engine", "tinker"],
      2,
      /server, and recipe smoke\/ei does not name one/,
    ],
    [
      ["train", "starter", "--filter.voidTurns", "true"],
      2,
      /the method loop has no field filter\.voidTurns; methods that have it: .*on-policy, grpo/,
    ],
    [
      ["train", "starter", "--method", "on-policy", "--collect.tokens", "4"],
      2,
      /collect\.tokens exists only where collect\.kind is branches and collect\.at is entropy, but here collect\.kind is groups/,
    ],
    [
      ["train", "--method", "grpo", "--algo.kl.coef", "1"],
      2,
      /unknown field algo\.kl\.coef; fields of algo\.kl: coefficient, estimator, turns/,
    ],
    [["train", "--reward", "./nope.ts"], 2, /extensions\.rewards: there is no file \S+nope\.ts/],
    [
      ["train", "--scaffold", "reactt"],
      2,
      /scaffold\.name: expected compact, compact-tools, fenced, react, tools, agent or the path of a module, such as .\/my-scaffold.ts, got "reactt" \(did you mean react\?\)/,
    ],
    [["train", "--sampler", "uniforn"], 2, /algo\.taskSampling: .*did you mean uniform\?/],
    [["train", "--engine", "./nope.ts"], 2, /engine\.name: there is no file \S+nope\.ts/],
    [["config", "nope"], 2, /unknown section or field nope; sections: run, world, .*algo/],
    [
      ["config", "algo.grupSize"],
      2,
      /unknown .* algo\.grupSize \(did you mean algo\.groupSize\?\)/,
    ],
    [["config", "algo.klTurns"], 2, /unknown section or field algo\.klTurns/],
    [
      ["config", "filter"],
      2,
      /the method loop does not read filter; methods that do: .*on-policy, grpo.*\(--method\)/,
    ],
    [["config", "--setting", "smok"], 2, /unknown recipe "smok" \(did you mean smoke\?\)/],
    [["train", "--seed", "-1"], 2, /--seed.*'-1' is invalid.*integer from 0/],
    [["compare", "starter", "eii"], 2, /unknown recipe "eii" \(did you mean ei\?\)/],
    [["compare", "starter", "--rollouts", "100"], 2, /exactly 100 rollouts.*multiple of 240/],
    [["compare", "ei", "--seeds", "1,1"], 2, /--seeds.*Expected different seeds/],
    [
      ["compare", "ei", "--algo.clip", "0.2"],
      2,
      /recipe ei: the method ei has no field algo\.clip; methods that have it: loop, .*grpo/,
    ],
    [["compare", "smoke/lop"], 2, /unknown method "lop" \(did you mean loop\?\)/],
    [["compare", "ei", "--seeds", "1..3,2"], 2, /--seeds.*Expected different seeds/],
    [
      ["compare", "ei", "--seeds", "8..1"],
      2,
      /--seeds.*Expected a range such as 1\.\.8, got 8\.\.1/,
    ],
    [["compare", "ei", "--seeds", "1..x"], 2, /--seeds.*Expected an integer/],
    [["compare", "ei", "rloo", "--name", "x"], 2, /the name "x" is for one arm, but there are 2/],
    [["compare", "--aa", "nowhere.json"], 1, /there is no file nowhere\.json/],
    [["compare", "--aa", "--algo.clip", "0.2"], 2, /compare --aa trains nothing, and --algo\.clip/],
    [["compare", "starter", "--methods", "ei"], 2, /recipes, or methods on a setting/],
    [["compare", "--setting", "smoke", "--methods", "loop,eii"], 2, /"eii" \(did you mean ei\?\)/],
    [["compare", "--setting", "smok", "--methods", "ei"], 2, /unknown setting "smok".* smoke\?/],
    [
      ["compare", "--setting", "ei", "--methods", "loop"],
      2,
      /unknown setting "ei"; settings: starter/,
    ],
    [
      ["compare", "--setting", "smoke", "--methods", "loop,ei", "--rollouts", "100"],
      2,
      /exactly 100 rollouts.*multiple of 192/,
    ],
    [
      ["compare", "--setting", "smoke", "--methods", "loop,ei", "--algo.clip", "0.2"],
      2,
      /recipe smoke\/ei: the method ei has no field algo\.clip/,
    ],
    [
      ["compare", "smoke/ei", "starter"],
      2,
      /recipe starter cannot be compared with smoke, because its warm start differs: world\.name/,
    ],
    [["train", "--minutes", "soon"], 2, /--minutes.*'soon' is invalid.*number/],
    [
      ["train", "--engine", "onx"],
      2,
      /engine\.name: expected onnx, tinker or the path of a module, such as .\/my-engine.ts, got "onx" \(did you mean onnx\?\)/,
    ],
    [
      ["train", "--world", "everyday/startr"],
      2,
      /unknown world "everyday\/startr" \(did you mean everyday\/starter\?\)/,
    ],
    [["train", "--world", "./nowhere.ts"], 2, /no world module at .*nowhere\.ts/],
    [["train", "loop"], 2, /no warm start.*starter/],
    [["eval", "solutoin"], 2, /unknown policy solutoin \(did you mean solution\?\)/],
    [
      ["eval", "noop", "--split", "test"],
      2,
      /--split.*'test' is invalid.*train, dev, test-normal, test-challenge/,
    ],
    [["eval", "noop", "--algo.groupSize", "8"], 2, /bowline eval takes no config fields/],
    [["eval", "noop", "--world.seed", "8"], 2, /takes no config fields but world\.dials\.\*/],
    [
      ["play", "--world.dials.api-errors", "2"],
      2,
      /world\.dials\.apiErrors: expected a number from 0 to 1, got 2/,
    ],
    [
      ["world", "list", "--world.dials.apierrors", "0"],
      2,
      /unknown field world\.dials\.apierrors \(did you mean world\.dials\.apiErrors\?\)/,
    ],
    [
      ["world", "check", "--split", "al"],
      2,
      /--split.*'al' is invalid.*test-challenge, handmade, all/,
    ],
    [
      ["world", "stats", "--example", "dev/0/9", "--world", "toy"],
      2,
      /there is no task "dev\/0\/9"/,
    ],
    [
      ["eval", "noop", "--scenarios", "0"],
      2,
      /--scenarios.*'0' is invalid.*integer from 1 to 1000000/,
    ],
    [["world", "shwo"], 2, /unknown command 'shwo' \(did you mean show\?\)/],
    [["world", "show", "dev/0", "--world", "toy"], 2, /there is no task "dev\/0"/],
    [
      ["world", "show", "--world", "toy", "--api", "shelf.lst"],
      2,
      /shelf has no API "lst"; did you mean "list"\?/,
    ],
    [["world", "check", "--tasks", "many"], 2, /--tasks.*'many' is invalid/],
    [["play", "dev/0/9", "--world", "toy"], 2, /there is no task "dev\/0\/9"/],
    [["report", "runs/none-such"], 2, /run runs\/none-such does not exist/],
    // These rows have wrong commands and options.
    [
      ["world"],
      2,
      /which bowline world command\? There are list, show, .*; see `bowline world --help`/,
    ],
    [["bench", "engine", "--quick", "--engine.provider", "nope"], 2, /engine\.provider.*nope/],
    [["bench", "engine", "--quick", "--engine.base", "q5"], 2, /engine\.base.*q5/],
    [
      ["bench", "engine", "--quick", "--run.seed", "1"],
      2,
      /takes no config fields but engine\.provider and engine\.base, got run\.seed/,
    ],
    [
      ["bench", "wolrd"],
      2,
      /unknown command 'wolrd' \(did you mean world\?\); see `bowline bench --help`/,
    ],
    [["config", "algo", "extra"], 2, /too many arguments for 'config'/],
    [
      ["world", "check", "--world", "toy", "--scenarios", "3"],
      2,
      /^error: unknown option '--scenarios'; see `bowline world check --help`$/,
    ],
    [
      ["world", "show", "--world", "toy", "--app", "shelf"],
      2,
      /unknown option '--app' \(did you mean --api\?\)/,
    ],
    [
      ["train", "--setting", "smoke"],
      2,
      /unknown option '--setting' \(did you mean bowline train smoke\?\)/,
    ],
    [
      ["train", "smoke", "--recipe", "ei"],
      2,
      /unknown option '--recipe' \(did you mean bowline train SETTING\?\)/,
    ],
    [
      ["export", "runs/none"],
      2,
      /required option '--out <path>' not specified; see `bowline export --help`/,
    ],
    // These rows have wrong names.
    [["train", ""], 2, /unknown recipe ""; settings: starter/],
    [
      ["train", "smoke", "--method", ""],
      2,
      /method: expected the name of a method, or the path of a module, got ""/,
    ],
    [["train", "smoke", "--world", ""], 2, /world\.name: expected a name, got ""/],
    [["train", "smoke", "--out", ""], 2, /out: expected the path of a run directory, got ""/],
    [
      ["train", "smoke", "--algo.reward", "best"],
      2,
      /algo\.reward: expected one of fraction, strict, progress, got "best"/,
    ],
    [
      ["train", "smoke", "--engine.provider", "cudaa"],
      2,
      /engine\.provider: expected one of cpu, cuda, webgpu, coreml, got "cudaa"/,
    ],
    [["train", "smoke", "--engine.model", "./nowhere"], 1, /there is no folder .*nowhere/],
    [
      ["train", "smoke", "--engine", "tinker", "--engine.url", "ftp://x"],
      2,
      /engine\.url: expected an absolute http or https URL/,
    ],
    [
      ["train", "smoke", "--engine", "tinker", "--engine.url", "nonsense"],
      2,
      /engine\.url: expected an absolute http or https URL/,
    ],
    [
      ["train", "smoke", "--extensions.rewards", "./mine.ts,"],
      2,
      /extensions\.rewards\.1: expected string to have >=1 characters, got ""/,
    ],
    [["eval", "runs/none"], 2, /unknown policy runs\/none: expected a run directory/],
    [["eval", "noop", "--world", "toyy"], 2, /unknown world "toyy" \(did you mean toy\?\)/],
    [
      ["world", "show", "--world", "toy", "--api", "shlf.list"],
      2,
      /there is no app "shlf"; .*shelf/,
    ],
    [["play", "--world", "./nope.ts"], 2, /no world module at .*nope\.ts/],
    [["serve", "--tinker", "--checkpoint", "nope"], 2, /unknown policy nope/],
    [["export", "runs/none", "--out", "x"], 2, /unknown policy runs\/none/],
    [["config", "--json", "nope"], 2, /the method loop has no section or field nope/],
    // These rows have wrong values.
    [
      ["train", "smoke", "--seed", "1.5"],
      2,
      /'1\.5' is invalid\. Expected an integer from 0 to 4294967295/,
    ],
    [
      ["train", "smoke", "--algo.clip"],
      2,
      /algo\.clip: expected a number from 0 to 10, got no value/,
    ],
    [["train", "smoke", "--algo.clip="], 2, /algo\.clip: expected a number from 0 to 10, got ""/],
    [
      ["train", "smoke", "--algo.clip", "NaN"],
      2,
      /algo\.clip: expected a number from 0 to 10, got "NaN"/,
    ],
    [
      ["train", "smoke", "--algo.stragglers.share", "2"],
      2,
      /algo\.stragglers\.share: expected a number from 0 to 1, got 2/,
    ],
    [
      ["train", "smoke", "--engine.lora.rank", "0"],
      2,
      /engine\.lora\.rank: expected an integer from 1 to 4096, got 0/,
    ],
    [
      ["train", "smoke", "--engine.threads", "many"],
      2,
      /engine\.threads: expected an integer from 1 to 256, got "many"/,
    ],
    [
      ["eval", "noop", "--world", "toy", "--temperature", "hot"],
      2,
      /--temperature.*'hot' is invalid/,
    ],
    [["eval", "noop", "--world", "toy", "--split", "dv"], 2, /did you mean dev/],
    [
      ["eval", "noop", "--world", "toy", "--scenarios", "99999999"],
      2,
      /--scenarios.*integer from 1 to 1000000/,
    ],
    [["compare", "smoke", "--seeds", ""], 2, /--seeds.*'' is invalid/],
    // These rows have values that contradict each other.
    [
      ["train", "smoke", "--seed", "2", "--run.seed", "3"],
      2,
      /--seed and --run\.seed are the same; give one of them/,
    ],
    [
      ["train", "smoke", "--warm.demonstrations", "4", "--warm.rows", "16"],
      2,
      /warm\.demonstrations: expected 0 or at least warm\.rows \(16\), got 4/,
    ],
    [
      ["train", "smoke", "--scaffold.maxTokens", "9999", "--model.contextLength", "256"],
      2,
      /scaffold\.maxTokens: expected at most model\.contextLength \(256\), got 9999/,
    ],
    [
      ["train", "smoke", "--model.heads", "3"],
      2,
      /model\.heads: expected a divisor of half of model\.hiddenSize \(64\), .*, got 3/,
    ],
    [["train", "smoke", "--budget.ceiling", "5"], 2, /budget\.ceiling: expected a price as well/],
    [
      ["train", "smoke", "--world.difficulties", "1,4"],
      2,
      /world\.difficulties\.1: expected number to be <=3, got 4/,
    ],
  ];

test.each(WRONG_INPUTS)(
  "bowline refuses %j",
  { timeout: 12 * TIME_LIMIT_MS },
  async (args, code, message) => {
    const refused = await runRefusedCommand(args);
    expect(refused.stderr).toMatch(message);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: "" });
    expect(readdirSync(emptyFolder)).toEqual([]);
  },
);
