import type { HandlersOf } from '../../../shared/contract/index.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import type { Clock, Stores } from '../ports.ts';

const KEPT_MS = 30 * DAY;

/** Keeps the text of forms that are still open when the window closes. */
export function createFormHandlers({
  stores: { forms },
  clock,
}: {
  readonly stores: Pick<Stores, 'forms'>;
  readonly clock: Clock;
}): HandlersOf<'forms'> {
  return {
    'forms.list': async () => [...forms.list(clock.now() - KEPT_MS)],
    'forms.keep': async ({ key, content }) => {
      if (content === null) forms.drop(key);
      else forms.keep({ key, content }, clock.now());
      return {};
    },
  };
}
