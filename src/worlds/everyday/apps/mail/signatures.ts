/** Signatures: what stands below a text. One is the usual one, and that one cannot be removed. */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import { freeName, line, named, paged, pageOf, paging, prose } from "../shared.ts";
import { nameIn } from "./examples.ts";
import { type Signature, signatures } from "./tables.ts";

const signatureItem = z.strictObject({ name: z.string(), text: z.string(), usual: z.boolean() });
const signatureView = ({ name, text, usual }: Signature) => ({ name, text, usual });
const signature = line("name of the signature");

const listSignatures = defineApi({
  summary: "List signatures, oldest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(signatureItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(signatures), page, signatureView),
});

const addSignature = defineApi({
  summary: "Add a signature.",
  params: z.strictObject({ name: line("a new name"), text: prose("what it says") }),
  returns: signatureItem,
  example: () => ({ name: "holiday", text: "Away until Monday. Robin" }),
  handler: ({ db }, { name, text }) => {
    freeName(db, signatures, name);
    return signatureView(db.insert(signatures, { name, text, usual: false }));
  },
});

const editSignature = defineApi({
  summary: "Change what a signature says.",
  params: z.strictObject({ signature, text: prose("what it says now") }),
  returns: signatureItem,
  example: (db) => ({ signature: nameIn(db, signatures), text: "Kind regards, Robin" }),
  handler: ({ db }, args) => {
    const row = named(db, signatures, args.signature, "signature");
    return signatureView(db.update(signatures, row.id, { text: args.text }));
  },
});

const useSignature = defineApi({
  summary: "Make a signature the usual one.",
  params: z.strictObject({ signature }),
  returns: signatureItem,
  example: (db) => ({ signature: nameIn(db, signatures) }),
  handler: ({ db }, args) => {
    const chosen = named(db, signatures, args.signature, "signature");
    for (const row of db.where(signatures, { usual: true })) {
      if (row.id !== chosen.id) db.update(signatures, row.id, { usual: false });
    }
    return signatureView(db.update(signatures, chosen.id, { usual: true }));
  },
});

const removeSignature = defineApi({
  summary: "Remove a signature other than the usual one.",
  params: z.strictObject({ signature }),
  returns: signatureItem,
  example: (db) => ({
    signature: db.where(signatures, { usual: false })[0]?.name ?? nameIn(db, signatures),
  }),
  handler: ({ db }, args) => {
    const row = named(db, signatures, args.signature, "signature");
    if (row.usual) {
      throw new ApiError(409, `signature: "${row.name}" is the usual one; mail.useSignature first`);
    }
    db.remove(signatures, row.id);
    return signatureView(row);
  },
});

export const signatureApis = {
  signatures: listSignatures,
  addSignature,
  editSignature,
  useSignature,
  removeSignature,
};
