/** Explains the numbers of the behaviour analysis (`src/algo/behaviour.ts`) in words. */

/** The meaning of each number, by the name of the number, in the order of the analysis. */
export const BEHAVIOUR_MEANINGS: { readonly [name: string]: string } = {
  turns: "turns of the agent, mean over rollouts",
  unfinished: "share of rollouts that ended before the agent said that it had finished",
  api_calls: "API calls, mean over rollouts",
  docs_calls: "calls to the documentation, mean over rollouts",
  failed_calls: "API calls that returned an error, mean over rollouts",
  errors_per_turn: "share of turns whose code ended in an error or at a limit",
  give_up_rate: "share of APIs that failed in a turn and never succeeded later",
  code_characters: "characters of code, mean over rollouts",
  assume_mentions: "times that the agent said it assumes something, mean over rollouts",
  dummy_mentions: "times that the agent mentioned a dummy value, mean over rollouts",
  multiple_cells: "share of turns with more than one fenced block of code",
  distinct_sequences:
    "number of different call sequences among the passed rollouts of a task, divided by the number of these rollouts",
};
