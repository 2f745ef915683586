/** Sends a signal to all processes of a group. Returns false when there are none. 0 only asks whether there are. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
