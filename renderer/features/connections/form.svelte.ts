import type {
  Connection,
  NewConnection,
  TestResult,
} from '../../../shared/contract/connections.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { splitEntries } from '../../../shared/rules/identifiers/allowed.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { m } from '../../ui/language.svelte.ts';
import { organisationNumberDoubt } from '../../ui/number-doubts.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, failureOf } from '../../window/desk.ts';
import { connections } from './state.svelte.ts';

/** An API that accepted a key, with the result of the test. */
export interface DetectedApi {
  readonly api: ApiName;
  readonly url: string;
  readonly secret: string;
  readonly result: TestResult;
}

/** A connection that the user enters: it can be tested before it is stored. */
export class ConnectionForm {
  readonly api: ApiName;
  name = $state('');
  url = $state('');
  secret = $state('');
  accountId = $state('');
  orgNo = $state('');
  /** The doubtful organisation number that the user confirmed. */
  confirmedOrgNo = $state('');
  environment = $state<NewConnection['environment']>('production');
  /** Allowed recipients as typed; used only in the test environment. */
  allowed = $state('');
  busy = $state<'testing' | 'saving' | null>(null);
  result = $state.raw<TestResult | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Whether the last test failed, or the service refused the key: another test is the next step. */
  isRefused = $state(false);
  /** Whether the user tried to save: from then on, a doubtful number is shown. */
  #isTried = $state(false);
  readonly #doubt = $derived.by(() =>
    this.api === 'v2' ? organisationNumberDoubt(this.orgNo, dayOf(Date.now())) : null,
  );
  /** Text about an organisation number that may be mistyped. */
  readonly orgNoDoubt = $derived(this.#isTried ? this.#doubt : null);
  readonly missing = $derived.by(() => {
    const needed = ['name', 'url', 'secret', 'accountId'] as const;
    const values = this.#values;
    return (
      needed.find(
        (field) => values[field] === '' && (field !== 'accountId' || this.api === 'v2'),
      ) ?? null
    );
  });

  constructor(apiName: ApiName, detected: DetectedApi | null = null) {
    this.api = apiName;
    if (detected === null) return;
    this.url = detected.url;
    this.secret = detected.secret;
    this.result = detected.result;
    // The user can enter a better name; with this one, the connection can be saved immediately.
    this.name = URL.parse(detected.url)?.hostname ?? '';
  }

  get #values(): NewConnection & { readonly accountId: string; readonly orgNo: string } {
    const entries = splitEntries(this.allowed);
    return {
      name: this.name.trim(),
      api: this.api,
      url: this.url.trim(),
      environment: this.environment,
      allowed: this.environment === 'test' && entries.length > 0 ? [...entries] : null,
      accountId: this.accountId.trim(),
      orgNo: this.orgNo.trim(),
      secret: this.secret.trim(),
    };
  }

  /** Tests the connection; changes nothing on the service or on this computer. */
  async test(): Promise<void> {
    this.result = null;
    await this.#during('testing', async () => {
      const result = await api['connections.try'](this.#input());
      this.result = result;
      this.isRefused = !result.ok;
    });
  }

  /**
   * Stores the connection, announces it and returns it; null after a failure, or if the user has to
   * correct or confirm the organisation number: agreements that wait for us are found by it.
   */
  async save(): Promise<Connection | null> {
    this.#isTried = true;
    if (this.#doubt !== null && this.confirmedOrgNo !== this.orgNo) return null;
    let added: Connection | null = null;
    await this.#during('saving', async () => {
      const saved = await api['connections.add'](this.#input());
      activity.notify(() => m.settings_added({ name: saved.name }));
      added = saved;
      // The secret is in the credential store now; the page no longer needs it.
      this.secret = '';
      await connections.list.refresh();
    });
    return added;
  }

  #input(): NewConnection {
    const values = this.#values;
    const { accountId, orgNo } = values;
    return this.api === 'v2'
      ? { ...values, accountId, orgNo: orgNo || null }
      : { ...values, accountId: null, orgNo: null };
  }

  async #during(what: 'testing' | 'saving', work: () => Promise<void>): Promise<void> {
    this.busy = what;
    this.failure = null;
    try {
      await work();
    } catch (error) {
      this.failure = failureOf(error);
      this.isRefused ||= this.failure.reason === 'credential-refused';
    } finally {
      this.busy = null;
    }
  }
}
