/** What messages bring to the goal algebra. */
import type { Parts } from "bowline/goals";
import { chatActions } from "./chat-actions.ts";
import { chatCollection, pollCollection, postCollection } from "./chats.ts";
import { conversationCollection } from "./conversations.ts";
import { messageDeeds } from "./deeds.ts";
import { messageRelations } from "./joins.ts";
import { peopleActions } from "./people-actions.ts";
import { textActions } from "./text-actions.ts";
import {
  paidCollection,
  receivedCollection,
  scheduledCollection,
  sentCollection,
} from "./texts.ts";
import { messageFacts, messageSources } from "./values.ts";

export const messagesParts: Parts = {
  collections: [
    receivedCollection,
    paidCollection,
    sentCollection,
    scheduledCollection,
    conversationCollection,
    chatCollection,
    postCollection,
    pollCollection,
  ],
  relations: messageRelations,
  actions: [...textActions, ...peopleActions, ...chatActions],
  sources: messageSources,
  facts: messageFacts,
  deeds: messageDeeds,
};
