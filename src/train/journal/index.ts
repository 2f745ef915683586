/** What the running step has done so far, kept so that a controller that dies loses next to nothing. */
export { openJournal, type RolloutIdentity, type RolloutJournal } from "./rollout-journal.ts";
