/**
 * Whether a process ended as after a power cut. Windows stores no signal for a process that killed
 * itself: it ends with 1, like a crashed process, which prints its error.
 */
export function wasKilled(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || (process.platform === 'win32' && code === 1);
}
