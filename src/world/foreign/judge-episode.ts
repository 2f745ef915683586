/** Judges an episode of a foreign world: by the apps themselves, by the task's check, and by how the agent ended it. */
import { BowlineError, formatValue } from "../../core/index.ts";
import {
  type CheckResult,
  type Evaluation,
  FINISH_CHECK,
  findUnusableNumber,
} from "../../spec/index.ts";
import { isSameAnswer } from "../checks/index.ts";
import type { Answer, Finish } from "../define.ts";
import type { TaskStart } from "../episode/index.ts";
import type { CallLog } from "./call-log.ts";
import type { ForeignEnd, ForeignVerdict } from "./define.ts";
import type { TaskWithForeignPart } from "./expand-definition.ts";
import { withTimeout } from "./timeout.ts";

/** Judges the present state. Rejects with a `world` error when the apps or the check fail. */
export async function judgeEpisode(
  { info, task }: TaskStart,
  finish: Finish | undefined,
  log: CallLog,
  timeoutMs: number,
): Promise<Evaluation> {
  const { foreign } = task as TaskWithForeignPart;
  const judge = log.use(async (lease) => {
    const read: ForeignEnd["read"] = async (app, api, args = {}) => {
      const reply = await lease.call({ app, api, args });
      if (reply.ok) return reply.value;
      throw new BowlineError(
        "world",
        `the check of ${info.id}: ${app}.${api} answered ${reply.status}: ${reply.message}`,
      );
    };
    const { directory } = lease;
    const end = { task: info, finish, calls: log.calls, directory, read };
    const verdict = await lease.evaluate(end);
    if (!foreign.check) return verdict ?? { checks: [] };
    const judged = await foreign.check({ ...end, verdict });
    return "checks" in Object(judged) ? judged : { ...verdict, checks: judged };
  });
  const verdict = await withTimeout(judge, timeoutMs, `the check of ${info.id}`);
  const where = foreign.check ? `the check of ${info.id}` : `the apps' verdict on ${info.id}`;
  return toEvaluation(requireVerdict(where, verdict), finish, foreign.answer);
}

function toEvaluation(
  { checks, reward, metrics }: ForeignVerdict,
  finish: Finish | undefined,
  answer: Answer | undefined,
): Evaluation {
  const all = [
    ...checks.map(withoutNeedlessDetail),
    ...(answer === undefined ? [] : [checkAnswer(answer, finish)]),
  ];
  const isFinished = finish !== undefined;
  all.push({
    name: FINISH_CHECK,
    label: "guard",
    passed: isFinished,
    ...(!isFinished && { detail: "me.finishTask was not called" }),
  });
  return {
    passed: all.every(({ passed }) => passed),
    finished: isFinished,
    checks: all,
    ...(reward !== undefined && { reward }),
    ...(metrics && { metrics }),
  };
}

/** Returns a check without the explanation of a failure that it does not have. */
function withoutNeedlessDetail({ name, label, passed, detail }: CheckResult): CheckResult {
  return { name, label, passed, ...(!passed && detail !== undefined && { detail }) };
}

function checkAnswer(wanted: Answer, finish: Finish | undefined): CheckResult {
  const passed = finish?.status === "done" && isSameAnswer(wanted, finish.answer);
  const detail = `expected ${JSON.stringify(wanted)}, got ${JSON.stringify(finish) ?? "nothing"}`;
  return { name: "answer", label: "progress", passed, ...(!passed && { detail }) };
}

/** Throws a `world` error unless it is a judgement that can be used. `where` says who judged. */
function requireVerdict(where: string, verdict: unknown): ForeignVerdict {
  const fail = (what: string) => new BowlineError("world", `${where}: ${what}`);
  const { checks, reward, metrics } = Object(verdict) as Partial<ForeignVerdict>;
  if (!Array.isArray(checks)) throw fail(`expected a list of checks, got ${formatValue(checks)}`);
  for (const check of checks) {
    const { name, label, passed } = (check ?? {}) as Partial<CheckResult>;
    if (
      typeof name === "string" &&
      (label === "progress" || label === "guard") &&
      typeof passed === "boolean"
    )
      continue;
    throw fail(
      `expected { name, label: "progress" | "guard", passed: true | false }, got ${formatValue(check)}`,
    );
  }
  const unusable = findUnusableNumber({ reward, metrics });
  if (!unusable) return verdict as ForeignVerdict;
  const { field, expected, value } = unusable;
  throw fail(
    `${field}: expected ${expected}, got ${formatValue(value)}; convert it in \`check\` or \`evaluate\``,
  );
}
