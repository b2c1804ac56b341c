/**
 * Whether a process ended as a power cut ends it. Windows keeps no signal of one that killed itself:
 * there it ends with 1, as one that crashed, which has said why.
 */
export function wasKilled(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || (process.platform === 'win32' && code === 1);
}
