// tier: all
import { createHash } from 'node:crypto';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundle, hosts, page } from '../../build/bundle/bundle.ts';
import { writeExtras } from '../../build/package/extras.ts';
import { sourceDate } from '../../build/package/source-date.ts';
import { stage } from '../../build/package/stage.ts';
import { missingPackages } from '../../build/package/stand-in/stand-in.ts';
import { place } from '../../build/places.ts';
import { isAtNight } from '../support/run-length.ts';
import { makeForLinux } from './packages.ts';

/** Returns the SHA-256 of each file whose name matches. */
async function sumsOf(folder: string, pattern: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for await (const entry of glob(pattern, { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const hash = createHash('sha256').update(await readFile(file));
    sums[path.relative(folder, file)] = hash.digest('hex');
  }
  return sums;
}

describe.skipIf(!isAtNight || missingPackages().length > 0)('two builds of one commit', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'desk-reproducible-'));
    // The date is fixed, because another commit may be made during the test.
    vi.stubEnv('SOURCE_DATE_EPOCH', (await sourceDate()).SOURCE_DATE_EPOCH);
    await writeExtras(place('out/extras'));
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('are identical, byte for byte', async () => {
    const [first = {}, second] = [await build('first'), await build('second')];
    const packages = Object.keys(first).filter((name) => /\.(?:deb|AppImage|yml)$/.test(name));
    expect(packages).toHaveLength(4);
    expect(second).toEqual(first);
  });

  async function build(name: string): Promise<Record<string, string>> {
    const at = path.join(folder, name);
    await bundle([page, hosts], path.join(at, 'dist'));
    await stage(path.join(at, 'app'));
    await makeForLinux(at, path.join(at, 'app'));
    return sumsOf(at, '{dist/{electron,renderer}/**,linux/*.{deb,AppImage,yml}}');
  }
});
