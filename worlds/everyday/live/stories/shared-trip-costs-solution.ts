/** The cells of the careful solution of the family `shared-trip-costs`, after the first one that logs in. */
import { FINISH_CODE, GIVE_UP_CODE, quote } from "../steps/solution-code.ts";

/** What the instruction itself says. Everything else is read. */
export interface CostsInInstruction {
  readonly title: string;
  readonly lodge: string;
  readonly boat: string;
  /** The full names of the members, first the one who drove, then the one who paid the second expense. */
  readonly members: readonly string[];
  readonly even: string;
}

export function writeCostsSolution({
  title,
  lodge,
  boat,
  members,
  even,
}: CostsInInstruction): string[] {
  return [
    `const bill = findMail("bill", "Your bill");
const note = findMail(${quote(boat)}, ${quote(`The ${boat}`)});
const house = handleOf(${quote(lodge)});
const people = ${JSON.stringify(members)}.map((name) => ({ name, first: name.split(" ")[0], handle: handleOf(name) }));
const [driver, captain] = people;
const group = readAll((page) => apis.split.groups({ page, size: 20 })).find(({ name }) => name === ${quote(title)}).id;
const known = readAll((page) => apis.split.expenses({ group, page, size: 20 }));
const dayOf = (text) => "2026-03-" + text.match(/(\\d+) March/)[1].padStart(2, "0");
const lodge = apis.split.add({ group, what: "lodge", amount: amountsIn(bill.body)[0], category: "lodging", day: dayOf(bill.body) });
if (!known.some(({ what }) => what === ${quote(boat)})) {
  const [, inOn] = note.body.match(/Only (\\w+), you and I/);
  const along = people.find(({ first }) => first === inOn);
  apis.split.add({ group, what: ${quote(boat)}, amount: amountsIn(note.body)[0], payer: captain.handle, category: "transport", day: dayOf(note.body), people: ["me", captain.handle, along.handle] });
}
print(bill.body, note.body, known);`,
    `const checked = waitFor(() => mailAfter(house, bill.id));
const [sum] = amountsIn(checked.body);
if (sum) apis.split.correct({ id: lodge.id, amount: sum });
print(checked.body);
const debts = readAll((page) => apis.split.balances({ group, page, size: 20 }));
for (const { person, amount, way } of debts) {
  const member = people.find(({ handle }) => handle === person);
  if (way === "I owe") {
    const payment = apis.pay.send({ to: person, amount, note: ${quote(title)} });
    apis.split.recordPaid({ group, to: person, amount, payment: payment.id });
    continue;
  }
  member.heard = apis.messages.conversation({ person, size: 1 }).items[0]?.id ?? 0;
  member.amount = amount;
  member.request = apis.pay.request({ from: person, amount, note: ${quote(title)} }).id;
}`,
    `let refused;
for (const member of people.filter(({ request }) => request)) {
  let details = waitFor(() => {
    const found = apis.pay.requestDetails({ id: member.request });
    return found.status !== "pending" ? found : textAfter(member.handle, member.heard);
  });
  if (details.text) {
    print(details.text);
    const asked = apis.messages.send({ to: driver.handle, text: "Was " + member.first + " in the car?" });
    const { text } = waitFor(() => textAfter(driver.handle, asked.id));
    print(text);
    if (text.startsWith("No")) {
      const fuel = apis.split.expense({ id: known.find(({ what }) => what === "fuel").id });
      const share = fuel.shares.find(({ person }) => person === member.handle).amount;
      const round = (amount) => Math.round(100 * amount) / 100;
      const shares = fuel.shares.filter(({ person }) => person !== member.handle)
        .map(({ person, amount }) => ({ person, amount: person === "me" ? round(amount + share) : amount }));
      apis.split.remove({ id: fuel.id });
      apis.split.addExact({ group, what: "fuel", amount: fuel.amount, category: fuel.category, day: fuel.day, shares });
      apis.pay.cancel({ id: member.request });
      member.amount = apis.split.balance({ person: member.handle }).groups.find((one) => one.group === group).owesMe;
      member.request = apis.pay.request({ from: member.handle, amount: member.amount, note: ${quote(title)} }).id;
    } else if (text.startsWith("Yes")) {
      apis.messages.send({ to: member.handle, text: driver.first + " says that you were in the car." });
    }
    details = waitFor(() => {
      const found = apis.pay.requestDetails({ id: member.request });
      return found.status !== "pending" && found;
    });
  }
  if (details.status === "paid") apis.split.recordReceived({ group, from: member.handle, amount: member.amount, payment: details.payment });
  else refused = member;
}
if (refused) {
  apis.messages.send({ to: driver.handle, text: refused.first + " does not pay." });
  ${GIVE_UP_CODE}
} else {
  apis.split.archive({ id: group });
  apis.messages.send({ to: driver.handle, text: ${quote(even)} });
  ${FINISH_CODE}
}`,
  ];
}
