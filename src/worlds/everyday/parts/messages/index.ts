/** What messages bring to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { chatActions, chatRelations, chatsPart, pollsPart, postsPart } from "./chats.ts";
import { messageDeeds } from "./deeds.ts";
import { conversationsPart, peopleActions } from "./people.ts";
import {
  paidPart,
  receivedPart,
  scheduledPart,
  sentPart,
  textActions,
  textRelations,
} from "./texts.ts";
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
  relations: [...textRelations, ...chatRelations],
  actions: [...textActions, ...peopleActions, ...chatActions],
  sources: messageSources,
  facts: messageFacts,
  deeds: messageDeeds,
};
