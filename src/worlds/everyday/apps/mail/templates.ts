/** Templates: mails that stand ready, with the receiver's first name to be filled in. */
import { z } from "zod";
import { defineApi } from "../../../../world/index.ts";
import {
  freeName,
  given,
  handle,
  line,
  named,
  paged,
  pageOf,
  paging,
  prose,
  receiver,
} from "../shared.ts";
import { deliver } from "./deliver.ts";
import { nameIn, someone } from "./examples.ts";
import { type Template, templates } from "./tables.ts";
import { sentItem } from "./views.ts";

const templateItem = z.strictObject({ name: z.string(), subject: z.string(), body: z.string() });
const templateView = ({ name, subject, body }: Template) => ({ name, subject, body });
const template = line("name of the template");

const listTemplates = defineApi({
  summary: "List templates, oldest first; {name} in them stands for the receiver's first name.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(templateItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(templates), page, templateView),
});

const addTemplate = defineApi({
  summary: "Add a template; {name} in it stands for the receiver's first name.",
  params: z.strictObject({
    name: line("a new name"),
    subject: line("the subject"),
    body: prose("the text"),
  }),
  returns: templateItem,
  example: () => ({ name: "welcome", subject: "Welcome, {name}", body: "Dear {name}, come in." }),
  handler: ({ db }, row) => {
    freeName(db, templates, row.name);
    return templateView(db.insert(templates, row));
  },
});

const editTemplate = defineApi({
  summary: "Change a template's subject or text; what is left out stays.",
  params: z.strictObject({
    template,
    subject: line("the subject").optional(),
    body: prose("the text").optional(),
  }),
  returns: templateItem,
  example: (db) => ({ template: nameIn(db, templates), subject: "A word to you, {name}" }),
  handler: ({ db }, { template, ...changes }) => {
    const { id } = named(db, templates, template, "template");
    return templateView(db.update(templates, id, given(changes)));
  },
});

const removeTemplate = defineApi({
  summary: "Remove a template.",
  params: z.strictObject({ template }),
  returns: templateItem,
  example: (db) => ({ template: nameIn(db, templates) }),
  handler: ({ db }, args) => {
    const row = named(db, templates, args.template, "template");
    db.remove(templates, row.id);
    return templateView(row);
  },
});

/** A template's text for someone. */
export function filledIn(text: string, name: string): string {
  return text.replaceAll("{name}", name.split(" ")[0]!);
}

const sendTemplate = defineApi({
  summary: "Send a template to a person, with their first name filled in.",
  params: z.strictObject({ template, to: handle("the receiver") }),
  returns: sentItem,
  example: (db) => ({ template: nameIn(db, templates), to: someone(db) }),
  handler: (context, args) => {
    const { subject, body } = named(context.db, templates, args.template, "template");
    const { id, name } = receiver(context.db, args.to, "to");
    const letter = { subject: filledIn(subject, name), body: filledIn(body, name) };
    return deliver(context, { person: id, ...letter, origin: null });
  },
});

export const templateApis = {
  templates: listTemplates,
  addTemplate,
  editTemplate,
  removeTemplate,
  sendTemplate,
};
