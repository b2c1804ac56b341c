import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { place } from '../../build/places.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

// npm omits packages that the registry lacks from the lock file, and then `npm ci` rejects the
// file.
it('the lock file contains every optional package of other packages, as npm ci requires', async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile(place('package-lock.json'), 'utf8')));
  const places = Object.keys(packages);
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places.some((at) => at.endsWith(`node_modules/${name}`)))
      .map((name) => `${from} > ${name}`),
  );
  expect(missing).toEqual([]);
});
