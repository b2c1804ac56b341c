import type { ApiTry } from '../../../shared/contract/connections.ts';
import type { Failure } from '../../../shared/errors.ts';
import { api, failureOf } from '../../window/desk.ts';
import type { DetectedApi } from './form.svelte.ts';

/** An address and a key, whose API the program finds out. */
export class ApiDetection {
  url = $state('');
  secret = $state('');
  busy = $state(false);
  /** The last tests that failed, one for each API. */
  tries = $state.raw<readonly ApiTry[]>([]);
  failure = $state.raw<Failure | null>(null);
  readonly isComplete = $derived(this.url.trim() !== '' && this.secret.trim() !== '');

  /** Returns the API that accepts the key; null if none does. */
  async run(): Promise<DetectedApi | null> {
    const { url, secret } = this;
    this.busy = true;
    this.failure = null;
    this.tries = [];
    try {
      const { tries } = await api['connections.detect']({ url, secret });
      const found = tries.find(({ isAccepted }) => isAccepted);
      if (found === undefined) {
        this.tries = tries;
        return null;
      }
      const { steps } = found;
      return { ...found, secret, result: { ok: steps.every(({ ok }) => ok), steps } };
    } catch (error) {
      this.failure = failureOf(error);
      return null;
    } finally {
      this.busy = false;
    }
  }
}
