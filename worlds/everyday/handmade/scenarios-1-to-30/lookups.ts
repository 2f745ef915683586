/** Scenarios whose answer must be looked up elsewhere: in mails or in tables among the files. */
import { details as personDetails } from "../../apps/contacts/tables.ts";
import { files } from "../../apps/files/tables.ts";
import { mails, people } from "../../apps/tables.ts";
import { placesOfPart } from "../../life/life.ts";
import { POOLS } from "../../population/name-pools.ts";
import { insertReceivedMail, insertSentMail } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { answerEqualsNumber, Changes, isDone } from "../verdicts.ts";

/** Returns the owner's files that list a group's members as `name,city,fee`. */
const memberTables = ({ base, groups }: TaskDraw) =>
  base
    .where(files, { owner: null, state: "live" })
    .filter(({ name, locked }) => !locked && groups.some((g) => name === `${g.name} members.csv`));

const parseRows = (text: string) =>
  text
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));

const feesOfCity = defineScenario("fees-of-city", 2, (draw) => {
  const tablesAndCities = memberTables(draw).flatMap((file) => {
    const cities = parseRows(file.text).map(([, city]) => city!);
    return [...new Set(cities)]
      .filter((city) => cities.filter((one) => one === city).length >= 2)
      .filter((city) => cities.some((one) => one !== city))
      .map((city) => ({ file, city }));
  });
  const { file, city } = pickForTask(draw, tablesAndCities);
  const totalCents = (rows: readonly string[][]) =>
    rows.reduce((sum, [, , fee]) => sum + Math.round(100 * Number(fee)), 0);
  const all = parseRows(file.text);
  const own = all.filter((row) => row[1] === city);
  return {
    instruction: `What do the fees of the members from ${city} in my file "${file.name}" add up to, in dollars?`,
    goal: () => ({
      answer: totalCents(own) / 100,
      guesses: [totalCents(all) / 100, Number(own[0]![2])],
    }),
    *solution() {
      yield logInCell("files");
      yield `const [file] = apis.files.search({ query: ${quote(file.name)} }).items;
${readAllPagesCode("rows", (page) => `apis.files.readRows({ id: file.id, column: "city", value: ${quote(city)}, ${page} })`)}
print(rows);`;
      yield `const sum = rows.reduce((total, { cells }) => total + Math.round(100 * cells.fee), 0);
apis.me.finishTask({ answer: sum / 100 });`;
    },
    verdict(end, start, finish) {
      let owed = 0;
      for (const line of start.get(files, file.id)!.text.split("\n")) {
        if (line.includes(`,${city},`)) owed += Number(line.slice(line.lastIndexOf(",") + 1));
      }
      return new Changes(start, end).rowCount === 0 && answerEqualsNumber(finish, owed);
    },
  };
});

const replyWithPrice = defineScenario("reply-with-price", 3, (draw) => {
  const { base } = draw;
  const [personA] = draw.people;
  const lines = placesOfPart("test-normal").flatMap((place) => {
    const found = base
      .where(files, { owner: null, state: "live" })
      .filter(({ name }) => name === `${place} costs.csv`);
    if (found.length !== 1) return [];
    const rows = found[0]!.text
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
    return rows.length < 2
      ? []
      : rows.map(([what, , amount]) => ({ place, what: what!, amount: amount! }));
  });
  const { place, what, amount } = pickForTask(draw, lines);
  const subject = `${place}: one more question`;
  return {
    instruction: `${personA!.name} asks me by mail what something cost. Look it up in my files and reply with just the amount, such as "$12.50".`,
    setup(db) {
      insertReceivedMail(db, personA!, {
        subject: "Thank you again",
        body: "It was so good to see you.",
      });
      insertReceivedMail(db, personA!, {
        subject,
        body: `Do you remember what was paid for the ${what} at the ${place}? It must be in your list of costs.`,
      });
    },
    goal(db) {
      const [mail] = db.where(mails, { person: personA!.id, subject });
      insertSentMail(db, personA!, {
        subject: `Re: ${subject}`,
        body: `$${amount}`,
        origin: mail!.id,
      });
    },
    *solution() {
      yield logInCell("mail", "files");
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("received", (page) => `apis.mail.list({ from, ${page} })`)}
let asked;
for (const { id } of received) {
  const match = apis.mail.show({ id }).body.match(/paid for the (.+) at the (.+)\\?/);
  if (match) asked = { id, what: match[1], place: match[2] };
}
print(asked);`;
      yield `const [file] = apis.files.search({ query: asked.place + " costs.csv" }).items;
const [line] = apis.files.readRows({ id: file.id, column: "what", value: asked.what }).items;
print(line);`;
      yield `apis.mail.reply({ id: asked.id, body: "$" + line.cells.amount });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [reply] = changes.addedRows(mails);
      if (
        !isDone(finish) ||
        changes.rowCount !== 1 ||
        !reply?.outgoing ||
        reply.person !== personA!.id
      )
        return false;
      const asked = end.get(mails, reply.origin ?? 0);
      return (
        asked?.subject === subject && Number(reply.body.replace(/[$ ]/g, "")) === Number(amount)
      );
    },
  };
});

const STREETS = ["7 Linden Court", "31 Harbour Row", "12 Weaver Lane"];

const updateMovedContact = defineScenario("moved-house", 3, (draw) => {
  const entries = memberTables(draw).flatMap((file) =>
    parseRows(file.text).flatMap(([name, city]) => {
      const [person] = draw.base.where(people, { name: name!, city: city! });
      return person ? [{ file, person }] : [];
    }),
  );
  // A person who is a member of several groups is in several files. Only the entry of the first file is kept.
  const distinctEntries = entries.filter(
    ({ person }, i) => entries.findIndex((other) => other.person.id === person.id) === i,
  );
  const { file, person } = pickForTask(draw, distinctEntries);
  const city = draw.rng.pick(POOLS["test-normal"].cities.filter((one) => one !== person.city));
  const street = pickForTask(draw, STREETS);
  return {
    instruction: `${person.name} has moved and mailed me the new address. Update city and street in my contacts, and the city in my file "${file.name}".`,
    setup(db) {
      const body = `We have moved! From now on you find us in ${city}, at ${street}. Come and see us.`;
      insertReceivedMail(db, person, { subject: "New address", body });
    },
    goal(db) {
      const [known] = db.where(personDetails, { person: person.id });
      db.update(people, person.id, { city });
      db.update(personDetails, known!.id, { street });
      const text = file.text.replace(`${person.name},${person.city}`, `${person.name},${city}`);
      db.update(files, file.id, { text });
    },
    *solution() {
      yield logInCell("mail", "files");
      yield `const person = apis.contacts.find({ name: ${quote(person.name)} }).items[0].handle;
const [mail] = apis.mail.list({ from: person, subject: "New address" }).items;
const [, city, street] = apis.mail.show({ id: mail.id }).body.match(/us in (.+), at (.+)\\. Come/);
print(city, street);`;
      yield `apis.contacts.update({ person, city });
apis.contacts.setStreet({ person, street });
const [file] = apis.files.search({ query: ${quote(file.name)} }).items;
const [line] = apis.files.readRows({ id: file.id, column: "name", value: ${quote(person.name)} }).items;
apis.files.setCell({ id: file.id, row: line.row, column: "city", value: city });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [known] = end.where(personDetails, { person: person.id });
      const card = end.get(people, person.id)?.city === city && known?.street === street;
      const lines = end.get(files, file.id)!.text.split("\n");
      const others = file.text.split("\n").filter((line) => !line.startsWith(`${person.name},`));
      const [own, ...more] = lines.filter((line) => !others.includes(line));
      const fee = file.text
        .split("\n")
        .find((line) => line.startsWith(`${person.name},`))!
        .split(",")[2];
      const listed =
        own === [person.name, city, fee].join(",") &&
        more.length === 0 &&
        lines.length === others.length + 1;
      return isDone(finish) && card && listed && changes.rowCount === 3;
    },
  };
});

export const lookupScenarios: readonly HandmadeScenario[] = [
  feesOfCity,
  replyWithPrice,
  updateMovedContact,
];
