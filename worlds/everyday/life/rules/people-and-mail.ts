/** The rules about people and their mail: who lives near whom, and that not only contacts write to the owner. */
import type { LifePopulation, LifeRule } from "bowline/world";
import { payees } from "../../apps/bank/tables.ts";
import { couples, details } from "../../apps/contacts/tables.ts";
import { senders } from "../../apps/mail/tables.ts";
import { groups, mails, members, people } from "../../apps/tables.ts";
import { HOME } from "../../population/places.ts";

function findFarNeighbours({ db }: LifePopulation): string[] {
  const group = db.where(groups, { name: "neighbours" })[0]?.id ?? 0;
  const ids = new Set([
    ...db.where(details, { relationship: "neighbour" }).map(({ person }) => person),
    ...db.where(members, { group }).map(({ person }) => person),
  ]);
  const rows = [...ids].map((id) => db.get(people, id)!);
  return rows
    .filter(({ city }) => city !== HOME)
    .map(({ name, city }) => `the neighbour ${name} lives in ${city}, and the owner in ${HOME}`);
}

function findPartedCouples({ db }: LifePopulation): string[] {
  return db.all(couples).flatMap(({ first, second }) => {
    const [a, b] = [db.get(people, first)!, db.get(people, second)!];
    if (a.city === b.city) return [];
    return [`${a.name} lives in ${a.city}, and ${b.name} in ${b.city}`];
  });
}

/** The least numbers of received mails from companies that the bank knows, and from other senders without a contact. */
const LEAST = { companies: 5, strangers: 3 } as const;

function findMissingSenders({ db }: LifePopulation): string[] {
  const companies = new Set(db.where(payees, { person: null }).map(({ name }) => name));
  const names = db
    .where(mails, { person: null, outgoing: false })
    .flatMap(({ id }) => db.where(senders, { mail: id }).map(({ name }) => name));
  const counts = {
    companies: names.filter((name) => companies.has(name)).length,
    strangers: names.filter((name) => !companies.has(name)).length,
  };
  return (["companies", "strangers"] as const)
    .filter((kind) => counts[kind] < LEAST[kind])
    .map((kind) => `expected at least ${LEAST[kind]} mails from ${kind}, got ${counts[kind]}`);
}

export const peopleAndMailRules: readonly LifeRule[] = [
  { name: "neighbours live near", findViolations: findFarNeighbours },
  { name: "couples live in one city", findViolations: findPartedCouples },
  { name: "companies and strangers write", findViolations: findMissingSenders },
];
