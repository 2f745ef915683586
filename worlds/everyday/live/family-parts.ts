/**
 * Divides a family into short functions. `draw` draws everything that differs between tasks, and this affair is what
 * all other functions read: the instruction, the setup, the goal, the solutions and the verdict.
 */
import type {
  Finish,
  GoalOutcome,
  GoalTime,
  HistoryEntry,
  LaterSession,
  PlanEvent,
  Reader,
  Writer,
  Wrong,
} from "bowline/world";
import type { LiveDraw, LiveTask, Story, Trait } from "./family.ts";
import { OwnDeeds } from "./steps/verdict.ts";

/** What a hand-written verdict judges. */
export interface Judged {
  readonly end: Reader;
  readonly start: Reader;
  readonly finish: Finish | undefined;
  readonly history: readonly HistoryEntry[];
  readonly own: OwnDeeds;
}

/** The parts of a family's tasks. `A` is the affair: all that was drawn. */
export interface FamilyParts<S extends Story, A> {
  readonly draw: (draw: LiveDraw<S>) => A;
  readonly traits: (affair: A) => readonly Trait[];
  /** The sentences of the instruction. */
  readonly instruction: (affair: A) => readonly string[];
  readonly sessions?: (affair: A) => readonly LaterSession[];
  readonly setup: (affair: A, db: Writer, plan: PlanEvent) => void;
  readonly goal: (affair: A, db: Writer, time: GoalTime) => GoalOutcome;
  /** The cells of the careful solution. A cell that finishes a session is followed by a cell of the next one. */
  readonly solution: (affair: A) => readonly string[];
  readonly hasty: (affair: A) => readonly string[];
  readonly wrongs?: (affair: A) => readonly Wrong[];
  readonly verdict: (affair: A, judged: Judged) => boolean;
}

/** Returns the function `make` of a family that is declared in parts. */
export function makeFromParts<S extends Story, A>(
  parts: FamilyParts<S, A>,
): (draw: LiveDraw<S>) => LiveTask {
  return (draw) => {
    const affair = parts.draw(draw);
    return {
      traits: parts.traits(affair),
      instruction: parts.instruction(affair).join(" "),
      ...(parts.sessions ? { sessions: parts.sessions(affair) } : {}),
      ...(parts.wrongs ? { wrongs: parts.wrongs(affair) } : {}),
      setup: (db, plan) => parts.setup(affair, db, plan),
      goal: (db, time) => parts.goal(affair, db, time),
      *solution() {
        yield* parts.solution(affair);
      },
      *hasty() {
        yield* parts.hasty(affair);
      },
      verdict: (end, start, finish, history) => {
        const own = new OwnDeeds(start, end);
        return parts.verdict(affair, { end, start, finish, history, own });
      },
    };
  };
}
