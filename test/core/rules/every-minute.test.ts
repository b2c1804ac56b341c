import { expect, it } from 'vitest';
import { runEveryMinute } from '../../../electron/core/rules/every-minute.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { createHandClock } from '../../support/fakes/memory-ports.ts';

it('a check of the rules longer than a minute is not started twice; a failed check is reported and repeated', async () => {
  const clock = createHandClock();
  const checks: PromiseWithResolvers<void>[] = [];
  const complaints: unknown[] = [];
  const check = () => {
    const one = Promise.withResolvers<void>();
    checks.push(one);
    return one.promise;
  };
  const { begin, end } = runEveryMinute(clock, check, (error) => void complaints.push(error));
  begin();
  clock.advance(3 * MINUTE);
  expect(checks).toHaveLength(1);
  const error = new Error('The drive is away');
  checks[0]?.reject(error);
  await expect.poll(() => complaints).toEqual([error]);
  clock.advance(MINUTE);
  expect(checks).toHaveLength(2);
  end();
  checks[1]?.resolve();
  clock.advance(5 * MINUTE);
  expect(checks).toHaveLength(2);
});
