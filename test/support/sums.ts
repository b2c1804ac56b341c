import { spawnSync } from 'node:child_process';

/** Standard programs that check a list of SHA-256 sums; macOS has the second one. */
const CHECKERS = [
  ['sha256sum', []],
  ['shasum', ['-a', '256']],
] as const;

/** Whether another program finds every file of `manifest`, a file in `folder`, unchanged. */
export function sumsMatch(folder: string, manifest: string): boolean {
  for (const [program, before] of CHECKERS) {
    const args = [...before, '-c', '--quiet', '--strict', manifest];
    const { error, status } = spawnSync(program, args, { cwd: folder });
    if (error === undefined) return status === 0;
  }
  throw new Error('neither sha256sum nor shasum is here; on Windows Git brings the first');
}
