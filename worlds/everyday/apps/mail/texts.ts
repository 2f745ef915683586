/**
 * Texts that are not sent yet: drafts, templates with the receiver's first name to be filled in, and signatures, of which
 * one is the usual one. Sending a draft inserts the mail and removes the draft.
 */

import { given, itemOf, line, must, named, prose, resource } from "bowline/resources";
import { z } from "bowline/world";
import { anyHandle, handle, handleOf, ofPerson, receiver, someone } from "../shared.ts";
import { drafts, signatures, templates } from "./tables.ts";
import { answerTo, deliver, open, received, receivedMail, sentMail } from "./views.ts";

const draft = resource({
  noun: "draft",
  item: itemOf(drafts, { ...drafts.fields("subject", "id"), to: anyHandle }),
});

const template = resource({
  noun: "template",
  item: itemOf(templates, templates.fields("name", "subject", "body")),
  keys: { template: line("name of the template") },
  named: true,
});

/** A template's text for someone. */
const filledIn = (text: string, name: string) => text.replaceAll("{name}", name.split(" ")[0]!);

const signature = resource({
  noun: "signature",
  item: itemOf(signatures, signatures.fields("name", "text", "usual")),
  keys: { signature: line("name of the signature") },
  named: true,
});

export const draftApis = {
  drafts: draft.list("List drafts, newest first.", {
    filters: { to: ofPerson("only to this person", "to") },
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
      to: handle("the receiver; may be set later").optional(),
      subject: line("the subject"),
      body: prose("the text"),
    },
    row: ({ to, subject, body }, { db }) => {
      const person = to === undefined ? null : receiver(db, to, "to").id;
      return { person, subject, body, origin: null };
    },
    example: (db) => ({ to: someone(db), subject: "Lunch", body: "Are you free on Friday?" }),
  }),
  draftReply: draft.add(
    "Write a draft that answers a received mail; the subject becomes Re: and the old one.",
    {
      params: { ...received.keys, body: prose("the text") },
      row: ({ id, body }, { db }) => answerTo(db, receivedMail(db, id), body),
      example: (db) => ({ ...received.example(db), body: "Thank you, I will look into it." }),
    },
  ),
  editDraft: draft.change("Change a draft's receiver, subject or text; what is left out stays.", {
    params: {
      to: handle("the receiver").optional(),
      subject: line("the subject").optional(),
      body: prose("the text").optional(),
    },
    set: ({ id, origin }, { to, subject, body }, { db }) => {
      const free = to === undefined || origin === null;
      must(free, 409, `to: draft ${id} answers a mail, so its receiver is fixed`);
      const person = to === undefined ? undefined : receiver(db, to, "to").id;
      return given({ person, subject, body });
    },
    example: { subject: "Lunch, once more" },
  }),
  sendDraft: sentMail.add("Send a draft; it is no draft any more.", {
    params: draft.keys,
    row: ({ id }, context) => {
      const { db } = context;
      const { person, subject, body, origin } = draft.find({ id }, context);
      must(person !== null, 422, `id: draft ${id} has no receiver; mail.editDraft sets one`);
      receiver(db, handleOf(db, person), "id");
      db.remove(drafts, id);
      return deliver(context, { person, subject, body, origin });
    },
    example: (db) => ({ id: db.all(drafts).find(({ person }) => open(db, person))?.id ?? 1 }),
  }),
  discardDraft: draft.remove("Throw a draft away."),
};

export const signatureApis = {
  signatures: signature.list("List signatures, oldest first."),
  addSignature: signature.add("Add a signature.", {
    params: { name: line("a new name"), text: prose("what it says") },
    plain: { usual: false },
    example: { name: "holiday", text: "Away until Monday. Robin" },
  }),
  editSignature: signature.change("Change what a signature says.", {
    params: { text: prose("what it says now") },
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
    unless: ({ name, usual }) =>
      must(!usual, 409, `signature: "${name}" is the usual one; mail.useSignature first`),
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
    params: { name: line("a new name"), subject: line("the subject"), body: prose("the text") },
    example: { name: "welcome", subject: "Welcome, {name}", body: "Dear {name}, come in." },
  }),
  editTemplate: template.change("Change a template's subject or text; what is left out stays.", {
    params: { subject: line("the subject").optional(), body: prose("the text").optional() },
    example: { subject: "A word to you, {name}" },
  }),
  removeTemplate: template.remove("Remove a template."),
  sendTemplate: sentMail.add("Send a template to a person, with their first name filled in.", {
    params: { ...template.keys, to: handle("the receiver") },
    row: (args, context) => {
      const { subject, body } = named(context.db, templates, args.template, "template");
      const { id, name } = receiver(context.db, args.to, "to");
      const letter = { subject: filledIn(subject, name), body: filledIn(body, name) };
      return deliver(context, { person: id, ...letter, origin: null });
    },
    example: (db) => ({ ...template.example(db), to: someone(db) }),
  }),
};
