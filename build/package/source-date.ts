import { root } from '../places.ts';
import { run } from '../run.ts';

/** 1 January 1980, the first date that every archive format can store. */
const WITHOUT_GIT = '315532800';

/**
 * Environment variables that give all packages of one commit the same times, and so the same bytes:
 * `SOURCE_DATE_EPOCH` (reproducible-builds.org), the time of the commit unless it is set.
 */
export async function sourceDate(): Promise<{ readonly SOURCE_DATE_EPOCH: string }> {
  const named = process.env['SOURCE_DATE_EPOCH'];
  if (named !== undefined) return { SOURCE_DATE_EPOCH: named };
  const { code, output } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root });
  return { SOURCE_DATE_EPOCH: code === 0 ? output.trim() : WITHOUT_GIT };
}

/** The same for the feed that electron-builder writes, as its argument. */
export function releaseDate({ SOURCE_DATE_EPOCH }: { SOURCE_DATE_EPOCH: string }): string {
  const date = new Date(Number(SOURCE_DATE_EPOCH) * 1000).toISOString();
  return `-c.releaseInfo.releaseDate=${date}`;
}
