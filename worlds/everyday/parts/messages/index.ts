/** The parts of goals that the messages app contributes. */
import type { Parts } from "bowline/goals";
import { chatActions } from "./chat-actions.ts";
import { chatCollection, pollCollection, postCollection } from "./chats.ts";
import { conversationCollection } from "./conversations.ts";
import { messageDeeds } from "./deeds.ts";
import { peopleActions } from "./people-actions.ts";
import { messageRelations } from "./relations.ts";
import { messageFacts, messageSources } from "./sources-and-facts.ts";
import { textActions } from "./text-actions.ts";
import {
  paidCollection,
  receivedCollection,
  scheduledCollection,
  sentCollection,
} from "./texts.ts";

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
