/**
 * Defines the APIs of drafts, of templates, in which the receiver's first name is filled in, and of signatures, one of
 * which is used by default. Sending a draft inserts the mail and removes the draft.
 */

import {
  defineItem,
  longTextParam,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
  withoutUndefined,
} from "bowline/resources";
import { z } from "bowline/world";
import {
  exampleHandle,
  handleOf,
  handleParam,
  nullableHandleField,
  personColumnFilter,
  requireReceiver,
} from "../shared.ts";
import {
  canReceive,
  makeReply,
  received,
  requireReceivedMail,
  sendMail,
  sentMail,
} from "./mail-items.ts";
import { drafts, signatures, templates } from "./tables.ts";

const draft = resource({
  noun: "draft",
  item: defineItem(drafts, { ...drafts.fields("subject", "id"), to: nullableHandleField }),
});

const template = resource({
  noun: "template",
  item: defineItem(templates, templates.fields("name", "subject", "body")),
  keys: { template: shortTextParam("name of the template") },
  keyIsName: true,
});

/** Replaces `{name}` in a template by the person's first name. */
const fillInName = (text: string, name: string) => text.replaceAll("{name}", name.split(" ")[0]!);

const signature = resource({
  noun: "signature",
  item: defineItem(signatures, signatures.fields("name", "text", "usual")),
  keys: { signature: shortTextParam("name of the signature") },
  keyIsName: true,
});

export const draftApis = {
  drafts: draft.list("List drafts, newest first.", {
    filters: { to: personColumnFilter("only to this person", "to") },
    order: (rows) => rows.toReversed(),
  }),
  showDraft: draft.show("Show a draft with its body.", {
    item: draft.item.with({
      body: z.string(),
      answers: [z.int().nullable(), ({ origin }) => origin],
    }),
  }),
  draft: draft.add("Write a draft; nothing is sent yet.", {
    params: {
      to: handleParam("the receiver; may be set later").optional(),
      subject: shortTextParam("the subject"),
      body: longTextParam("the text"),
    },
    row: ({ to, subject, body }, { db }) => {
      const person = to === undefined ? null : requireReceiver(db, to, "to").id;
      return { person, subject, body, origin: null };
    },
    example: (db) => ({ to: exampleHandle(db), subject: "Lunch", body: "Are you free on Friday?" }),
  }),
  draftReply: draft.add(
    "Write a draft that answers a received mail; the subject becomes Re: and the old one.",
    {
      params: { ...received.keys, body: longTextParam("the text") },
      row: ({ id, body }, { db }) => makeReply(db, requireReceivedMail(db, id), body),
      example: (db) => ({ ...received.example(db), body: "Thank you, I will look into it." }),
    },
  ),
  editDraft: draft.change("Change a draft's receiver, subject or text; what is left out stays.", {
    params: {
      to: handleParam("the receiver").optional(),
      subject: shortTextParam("the subject").optional(),
      body: longTextParam("the text").optional(),
    },
    set: ({ id, origin }, { to, subject, body }, { db }) => {
      const canChange = to === undefined || origin === null;
      refuseUnless(canChange, 409, `to: draft ${id} answers a mail, so its receiver is fixed`);
      const person = to === undefined ? undefined : requireReceiver(db, to, "to").id;
      return withoutUndefined({ person, subject, body });
    },
    example: { subject: "Lunch, once more" },
  }),
  sendDraft: sentMail.add("Send a draft; it is no draft any more.", {
    params: draft.keys,
    row: ({ id }, context) => {
      const { db } = context;
      const { person, subject, body, origin } = draft.find({ id }, context);
      refuseUnless(
        person !== null,
        422,
        `id: draft ${id} has no receiver; mail.editDraft sets one`,
      );
      requireReceiver(db, handleOf(db, person), "id");
      db.remove(drafts, id);
      return sendMail(context, { person, subject, body, origin });
    },
    example: (db) => ({ id: db.all(drafts).find(({ person }) => canReceive(db, person))?.id ?? 1 }),
  }),
  discardDraft: draft.remove("Throw a draft away."),
};

export const signatureApis = {
  signatures: signature.list("List signatures, oldest first."),
  addSignature: signature.add("Add a signature.", {
    params: { name: shortTextParam("a new name"), text: longTextParam("what it says") },
    defaults: { usual: false },
    example: { name: "holiday", text: "Away until Monday. Robin" },
  }),
  editSignature: signature.change("Change what a signature says.", {
    params: { text: longTextParam("what it says now") },
    example: { text: "Kind regards, Robin" },
  }),
  useSignature: signature.act("Make a signature the usual one.", {
    run: (chosen, _, { db }) => {
      for (const { id } of db.where(signatures, { usual: true })) {
        if (id !== chosen.id) db.update(signatures, id, { usual: false });
      }
      return db.update(signatures, chosen.id, { usual: true });
    },
  }),
  removeSignature: signature.remove("Remove a signature other than the usual one.", {
    checkRow: ({ name, usual }) =>
      refuseUnless(!usual, 409, `signature: "${name}" is the usual one; mail.useSignature first`),
    example: (db) => {
      const [other] = db.where(signatures, { usual: false });
      return other ? { signature: other.name } : signature.example(db);
    },
  }),
};

export const templateApis = {
  templates: template.list(
    "List templates, oldest first; {name} in them stands for the receiver's first name.",
  ),
  addTemplate: template.add("Add a template; {name} in it stands for the receiver's first name.", {
    params: {
      name: shortTextParam("a new name"),
      subject: shortTextParam("the subject"),
      body: longTextParam("the text"),
    },
    example: { name: "welcome", subject: "Welcome, {name}", body: "Dear {name}, come in." },
  }),
  editTemplate: template.change("Change a template's subject or text; what is left out stays.", {
    params: {
      subject: shortTextParam("the subject").optional(),
      body: longTextParam("the text").optional(),
    },
    example: { subject: "A word to you, {name}" },
  }),
  removeTemplate: template.remove("Remove a template."),
  sendTemplate: sentMail.add("Send a template to a person, with their first name filled in.", {
    params: { ...template.keys, to: handleParam("the receiver") },
    row: (args, context) => {
      const { subject, body } = rowByName(context.db, templates, args.template, "template");
      const { id, name } = requireReceiver(context.db, args.to, "to");
      const letter = { subject: fillInName(subject, name), body: fillInName(body, name) };
      return sendMail(context, { person: id, ...letter, origin: null });
    },
    example: (db) => ({ ...template.example(db), to: exampleHandle(db) }),
  }),
};
