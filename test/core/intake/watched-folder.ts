import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { IntakeResult, type IntakeTerms } from '../../../shared/contract/intake.ts';
import { STEADY_MS } from '../../../electron/core/intake/look.ts';
import { createWorld, startMemoryDesk, type World } from '../../support/fakes/memory-desk.ts';
import type { HandClock } from '../../support/fakes/memory-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A PDF for the fake reader, different for each mark. */
export const pdf = (mark: string): string => `%PDF-1.7 ${mark}`;

/** Returns a clock that jumps to the time of the second check as soon as a run waits for it. */
function quickClock(clock: HandClock): HandClock {
  return {
    ...clock,
    after(milliseconds, run) {
      const callOff = clock.after(milliseconds, run);
      if (milliseconds === STEADY_MS) queueMicrotask(() => clock.advance(STEADY_MS));
      return callOff;
    },
  };
}

/** A real folder, and the program that imports from it. */
export function watchedFolder(change: (world: World) => Partial<World> = () => ({})) {
  const base = mkdtempSync(path.join(tmpdir(), 'intake-'));
  const folder = path.join(base, 'In');
  mkdirSync(folder);
  const first = createWorld();
  const quick = { ...first, clock: quickClock(first.clock) };
  const world: World = { ...quick, ...change(quick) };
  const desk = startMemoryDesk(world);
  const { api, clock } = desk;
  const terms: IntakeTerms = {
    folder,
    api: 'v1',
    connectionId: null,
    templateId: null,
    needsData: false,
  };
  const at = (...names: string[]) => path.join(folder, ...names);
  /** A file completed a minute ago. */
  const put = (name: string, content: string | Uint8Array, age = MINUTE) => {
    writeFileSync(at(name), content);
    const when = new Date(clock.now() - age);
    utimesSync(at(name), when, when);
  };
  const jobOf = async (more: Partial<IntakeTerms> = {}) => {
    const { jobId } = await api['intake.watch']({ ...terms, ...more, stays: false });
    return desk.finish(jobId);
  };
  const take = async (more: Partial<IntakeTerms> = {}) => {
    const job = await jobOf(more);
    if (job.failure !== null) throw new Error(`${job.failure.code} ${job.failure.message}`);
    return IntakeResult.parse(job.result);
  };
  const drafts = async () => {
    const all = await api['drafts.list']({});
    return Promise.all(all.map(({ id }) => api['drafts.show']({ id })));
  };
  return {
    base,
    folder,
    world,
    desk,
    api,
    clock,
    terms,
    at,
    put,
    jobOf,
    take,
    drafts,
    names: (inside = '.') =>
      readdirSync(at(inside), { withFileTypes: true })
        .filter((one) => inside !== '.' || !one.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    text: (...names: string[]) => readFileSync(at(...names), 'utf8'),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

export type Watched = ReturnType<typeof watchedFolder>;
