/** What the numbers of the behaviour analysis (`src/algo/behaviour.ts`) count, in words for people. */

/** By name, in the order of the analysis. */
export const HABIT_MEANINGS: { readonly [name: string]: string } = {
  turns: "turns the agent took, mean over rollouts",
  unfinished: "share of rollouts that ended before the agent said that it had finished",
  api_calls: "API calls, mean over rollouts",
  docs_calls: "calls to the documentation, mean over rollouts",
  failed_calls: "API calls that were answered by an error, mean over rollouts",
  errors_per_turn: "share of turns whose code ended in an error or at a limit",
  give_up_rate: "share of APIs that failed in a turn and were never made to work afterwards",
  code_characters: "characters of code, mean over rollouts",
  assume_mentions: "times that the agent said it assumes something, mean over rollouts",
  dummy_mentions: "times that the agent spoke of a dummy, mean over rollouts",
  multiple_cells: "share of turns with more than one block of code",
  distinct_sequences:
    "different sequences of calls among the passed rollouts of a task, as a share of them",
};
