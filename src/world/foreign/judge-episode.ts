/** Judges an episode of a foreign world: by the apps themselves, by the task's check, and by how the agent ended it. */
import { BowlineError, formatValue } from "../../core/index.ts";
import { type CheckResult, type Evaluation, FINISH_CHECK } from "../../spec/index.ts";
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
    return requireVerdict(info.id, "checks" in judged ? judged : { ...verdict, checks: judged });
  });
  const verdict = await withTimeout(judge, timeoutMs, `the check of ${info.id}`);
  return toEvaluation(verdict, finish, foreign.answer);
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

/** Throws a `world` error unless a check returned a judgement that can be used. */
function requireVerdict(taskId: string, verdict: ForeignVerdict): ForeignVerdict {
  const { checks, reward } = verdict;
  const fail = (what: string) => new BowlineError("world", `the check of ${taskId}: ${what}`);
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
  if (reward !== undefined && !(reward >= 0 && reward <= 1)) {
    throw fail(`reward: expected a number from 0 to 1, got ${formatValue(reward)}`);
  }
  return verdict;
}
