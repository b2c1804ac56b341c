import { createHash } from 'node:crypto';
import { createFiles } from '../../electron/adapters/files/files.ts';
import { createPdfEngine } from '../../electron/adapters/pdf/engine.ts';
import { createReportWriter } from '../../electron/adapters/sheets/write/report.ts';
import { createEncoding } from '../../electron/adapters/system/encoding.ts';
import { systemChance, systemScheduler } from '../../electron/adapters/system/platform.ts';
import { JobQueue } from '../../electron/core/job-queue.ts';
import type { Stores } from '../../electron/core/ports.ts';
import type { TakeoutPorts } from '../../electron/core/takeout/ports.ts';

export const TAKEOUT_NOW = Date.UTC(2026, 10, 25, 9);

/** Returns the same port with a call of `step` at the start and at the end of each of its calls. */
function stepped<Port extends object>(port: Port, step: () => void): Port {
  return new Proxy(port, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        step();
        const result: unknown = Reflect.apply(value, of, args);
        if (!(result instanceof Promise)) {
          step();
          return result;
        }
        return result.then((given: unknown) => {
          step();
          return given;
        });
      };
    },
  });
}

/**
 * Ports of an export and an import over these stores and real files. `step` runs at the start and
 * the end of each call, and `stepFiles` does for calls about files. The clock is fixed, so that
 * repeated work has equal results.
 */
export function takeoutPorts(stores: Stores, step: () => void, stepFiles = step): TakeoutPorts {
  const clock = { now: () => TAKEOUT_NOW, after: () => () => undefined };
  const emit = (): void => undefined;
  const toFailure = (error: unknown): never => {
    throw error;
  };
  const { read } = createPdfEngine();
  const nobody = (): never => {
    throw new Error('An export only reads PDFs');
  };
  return {
    stores: {
      ...stores,
      drafts: stepped(stores.drafts, step),
      templates: stepped(stores.templates, step),
      people: stepped(stores.people, step),
      batches: stepped(stores.batches, step),
    },
    files: stepped(createFiles(), stepFiles),
    jobs: new JobQueue({ clock, chance: systemChance, emit, toFailure }),
    clock,
    chance: systemChance,
    encoding: createEncoding(),
    scheduler: systemScheduler,
    reports: createReportWriter(),
    pdf: {
      read,
      find: nobody,
      guides: nobody,
      place: nobody,
      carry: nobody,
      merge: nobody,
      textFits: nobody,
      missingLetters: nobody,
      compile: nobody,
    },
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    emit,
    version: '1.0.0',
  };
}
