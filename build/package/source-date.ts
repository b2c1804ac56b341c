import { root } from '../places.ts';
import { run } from '../run.ts';

/**
 * Time without a Git repository (seconds): 1 January 1980, the first date that every archive format
 * can store.
 */
const SOURCE_DATE_WITHOUT_GIT = '315532800';

/**
 * Returns the environment variable that gives all packages of one commit the same times, and so the
 * same bytes: `SOURCE_DATE_EPOCH` (reproducible-builds.org). If the variable is already set, its
 * value is kept; otherwise it is the time of the commit.
 */
export async function sourceDate(): Promise<{ readonly SOURCE_DATE_EPOCH: string }> {
  const named = process.env['SOURCE_DATE_EPOCH'];
  if (named !== undefined) return { SOURCE_DATE_EPOCH: named };
  const { code, output } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root });
  return { SOURCE_DATE_EPOCH: code === 0 ? output.trim() : SOURCE_DATE_WITHOUT_GIT };
}

/**
 * Returns the argument of electron-builder that sets the same time in the feed that
 * electron-builder writes.
 */
export function releaseDate({ SOURCE_DATE_EPOCH }: { SOURCE_DATE_EPOCH: string }): string {
  const date = new Date(Number(SOURCE_DATE_EPOCH) * 1000).toISOString();
  return `-c.releaseInfo.releaseDate=${date}`;
}
