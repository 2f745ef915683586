/**
 * Finds rows of a call that begin with the same tokens. Rollouts of an iteration share their system message,
 * documentation and worked example, often thousands of tokens, and what a model computes for them is the same in
 * every row.
 *
 * Rows are read as a trie. At each node its rows either share what they have in common there, or divide into the
 * branches below, whichever saves more tokens. A prefix ends before the first token whose successor is requested, so
 * that nothing but keys and values is ever needed of the prefix.
 */
import type { Row } from "../../../spec/index.ts";

/** Rows (ascending indices) whose first `prefix` tokens are equal and computed once; 0 when nothing is shared. */
export interface PrefixGroup {
  readonly prefix: number;
  readonly rows: readonly number[];
}

/** The shortest prefix worth sharing: a prefix is computed layer by layer, in many small steps. */
const MIN_PREFIX_LENGTH = 128;
/** The least factor by which sharing must reduce tokens, as those of a prefix cost up to half again as much. */
const MIN_GAIN = 1.5;

/** Groups all rows that request something, each in one group. `lengths`: tokens that the model must see of each row. */
export function findPrefixGroups(rows: readonly Row[], lengths: readonly number[]): PrefixGroup[] {
  const members = rows.flatMap(({ tokens, at }, index) => {
    if (lengths[index] === 0) return [];
    return [{ index, tokens, maxPrefixLength: firstRequestedIndex(at) - 1 }];
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
  /** The number of tokens that may be part of a prefix. */
  readonly maxPrefixLength: number;
}

interface Grouping {
  readonly groups: readonly PrefixGroup[];
  /** The number of tokens that need not be computed. */
  readonly savedTokens: number;
}

/** Chooses the groups that save the most tokens. `members` are sorted and agree in their first `depth` tokens. */
function chooseGrouping(members: readonly PrefixRow[], depth: number): Grouping {
  const rows = members.map(({ index }) => index);
  if (members.length < 2) return { groups: [{ prefix: 0, rows }], savedTokens: 0 };
  const prefix = commonPrefixLength(members[0]!, members.at(-1)!, depth);
  const sharedLength = members.reduce(
    (least, member) => Math.min(least, member.maxPrefixLength),
    prefix,
  );
  const here = {
    groups: [{ prefix: sharedLength, rows }],
    savedTokens: sharedLength * (rows.length - 1),
  };
  const branches = splitByToken(members, prefix);
  // No row continues: all rows are the same, or end here.
  if (branches.length < 2) return here;
  const below = branches.map((branch) => chooseGrouping(branch, prefix));
  const savedTokens = below.reduce((sum, choice) => sum + choice.savedTokens, 0);
  return savedTokens > here.savedTokens
    ? { groups: below.flatMap(({ groups }) => groups), savedTokens }
    : here;
}

/** Returns how many tokens all sorted rows have in common, by comparing the first with the last. */
function commonPrefixLength(a: PrefixRow, b: PrefixRow, from: number): number {
  const end = Math.min(a.tokens.length, b.tokens.length);
  let length = from;
  while (length < end && a.tokens[length] === b.tokens[length]) length++;
  return length;
}

/** Returns one group of all rows that request something, without a shared prefix. */
export function groupWithoutPrefix(lengths: readonly number[]): PrefixGroup {
  return { prefix: 0, rows: [...lengths.keys()].filter((row) => lengths[row]! > 0) };
}

/** Splits sorted rows into runs that have the same token at `depth`, or none there. */
function splitByToken(members: readonly PrefixRow[], depth: number): PrefixRow[][] {
  const branches: PrefixRow[][] = [];
  for (const member of members) {
    const last = branches.at(-1);
    if (last && last[0]!.tokens[depth] === member.tokens[depth]) last.push(member);
    else branches.push([member]);
  }
  return branches;
}

/** Compares rows by their tokens. A row comes before its continuations; equal rows are in order of index. */
function compareByTokens(a: PrefixRow, b: PrefixRow): number {
  const end = Math.min(a.tokens.length, b.tokens.length);
  for (let i = 0; i < end; i++) {
    const difference = a.tokens[i]! - b.tokens[i]!;
    if (difference !== 0) return difference;
  }
  return a.tokens.length - b.tokens.length || a.index - b.index;
}
