/**
 * Which rows of a call begin alike: rollouts of an iteration share their system message, documentation and worked example,
 * often thousands of tokens, and what a model computes for them is the same in every row.
 *
 * Rows are read as a trie. At each node its rows either share what they have in common there, or part into the branches
 * below, whichever saves more tokens. A prefix ends before the first token whose successor is asked for, so nothing is
 * ever wanted of the prefix itself but its keys and values.
 */
import type { Row } from "../../../spec/index.ts";

/** Rows (indices of the call's, ascending) whose first `prefix` tokens are the same and are computed once; 0: nothing is. */
export interface PrefixGroup {
  readonly prefix: number;
  readonly rows: readonly number[];
}

/** A prefix goes layer by layer, in many small steps, which shorter ones do not pay for. */
const MIN_PREFIX_LENGTH = 128;
/** What goes by layers costs up to half again as much a token as one graph for all. */
const MIN_GAIN = 1.5;

/** Every row that asks for something, once. `lengths`: tokens that the model must see of each row; 0: none. */
export function findPrefixGroups(rows: readonly Row[], lengths: readonly number[]): PrefixGroup[] {
  const members = rows.flatMap(({ tokens, at }, index) => {
    if (lengths[index] === 0) return [];
    return [{ index, tokens, most: firstRequestedIndex(at) - 1 }];
  });
  const { groups } = chooseGrouping(members.sort(compareByTokens), 0);
  const [shared, apart] = [
    groups.filter((group) => isWorthSharing(group, lengths)),
    groups.filter((group) => !isWorthSharing(group, lengths)),
  ];
  const rest = apart.flatMap((group) => group.rows);
  const all = rest.length > 0 ? [...shared, { prefix: 0, rows: rest }] : shared;
  return all.map((group) => ({ ...group, rows: [...group.rows].sort((a, b) => a - b) }));
}

function firstRequestedIndex(at: ArrayLike<number>): number {
  let first = at[0]!;
  for (let i = 1; i < at.length; i++) first = Math.min(first, at[i]!);
  return first;
}

function isWorthSharing({ prefix, rows }: PrefixGroup, lengths: readonly number[]): boolean {
  const tokens = rows.reduce((sum, row) => sum + lengths[row]!, 0);
  return prefix >= MIN_PREFIX_LENGTH && tokens >= MIN_GAIN * (tokens - prefix * (rows.length - 1));
}

interface PrefixRow {
  readonly index: number;
  readonly tokens: ArrayLike<number>;
  /** What of it may be a prefix. */
  readonly maxPrefixLength: number;
}

interface Grouping {
  readonly groups: readonly PrefixGroup[];
  /** Tokens that need not be computed. */
  readonly savedTokens: number;
}

/** `members`: in the order of their tokens, of which the first `depth` are the same. */
function chooseGrouping(members: readonly PrefixRow[], depth: number): Grouping {
  const rows = members.map(({ index }) => index);
  if (members.length < 2) return { groups: [{ prefix: 0, rows }], savedTokens: 0 };
  const prefix = commonPrefixLength(members[0]!, members.at(-1)!, depth);
  const most = members.reduce((least, member) => Math.min(least, member.maxPrefixLength), prefix);
  const here = { groups: [{ prefix: most, rows }], saved: most * (rows.length - 1) };
  const branches = splitByToken(members, prefix);
  // Nobody goes on: all are the same, or end here.
  if (branches.length < 2) return here;
  const below = branches.map((branch) => chooseGrouping(branch, prefix));
  const saved = below.reduce((sum, choice) => sum + choice.savedTokens, 0);
  return saved > here.saved ? { groups: below.flatMap(({ groups }) => groups), savedTokens: saved } : here;
}

/** Of rows in order the first and the last have in common what all have. */
function commonPrefixLength(a: PrefixRow, b: PrefixRow, from: number): number {
  const end = Math.min(a.tokens.length, b.tokens.length);
  let length = from;
  while (length < end && a.tokens[length] === b.tokens[length]) length++;
  return length;
}

/** Neighbours with the same token at `depth`, or none there. */
function splitByToken(members: readonly PrefixRow[], depth: number): PrefixRow[][] {
  const branches: PrefixRow[][] = [];
  for (const member of members) {
    const last = branches.at(-1);
    if (last && last[0]!.tokens[depth] === member.tokens[depth]) last.push(member);
    else branches.push([member]);
  }
  return branches;
}

/** A row that another one continues comes first; equal rows by index. */
function compareByTokens(a: PrefixRow, b: PrefixRow): number {
  const end = Math.min(a.tokens.length, b.tokens.length);
  for (let i = 0; i < end; i++) {
    const difference = a.tokens[i]! - b.tokens[i]!;
    if (difference !== 0) return difference;
  }
  return a.tokens.length - b.tokens.length || a.index - b.index;
}
