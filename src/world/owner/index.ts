/** The scripted owner: a person with facts, preferences and decisions, who answers what the agent asks. */
export { addOwnerReaction, addOwnerTopic, askOwner, type OwnerTopic } from "./declare.ts";
export { makeOwnerActor, type OwnerActorOptions } from "./owner-actor.ts";
export { ownerApp } from "./owner-app.ts";
export { approvedBefore, askedAbout, botheredAtMost, nothingAskedTwice } from "./rules.ts";
export {
  type Decision,
  type OwnerMessage,
  type OwnerQuestion,
  type OwnerReaction,
  type OwnerTopicRow,
  ownerMessages,
  ownerQuestions,
  ownerReactions,
  ownerTopics,
  type QuestionOutcome,
} from "./tables.ts";
