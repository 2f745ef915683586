/** What messages bring to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { chatActions, chatRelations, chatsPart } from "./chats.ts";
import { conversationsPart } from "./conversations.ts";
import { messageDeeds } from "./deeds.ts";
import { outgoingActions, outgoingRelations, scheduledPart, sentPart } from "./outgoing.ts";
import { paidPart } from "./paid.ts";
import { peopleActions } from "./people-actions.ts";
import { pollActions, pollRelations, pollsPart } from "./polls.ts";
import { postActions, postRelations, postsPart } from "./posts.ts";
import { receivedPart, receivedRelations } from "./received.ts";
import { textActions } from "./text-actions.ts";
import { messageFacts, messageSources } from "./values.ts";

export const messagesParts: Parts = {
  collections: [
    receivedPart,
    paidPart,
    sentPart,
    scheduledPart,
    conversationsPart,
    chatsPart,
    postsPart,
    pollsPart,
  ],
  relations: [
    ...receivedRelations,
    ...outgoingRelations,
    ...chatRelations,
    ...postRelations,
    ...pollRelations,
  ],
  actions: [
    ...textActions,
    ...outgoingActions,
    ...peopleActions,
    ...chatActions,
    ...postActions,
    ...pollActions,
  ],
  sources: messageSources,
  facts: messageFacts,
  deeds: messageDeeds,
};
