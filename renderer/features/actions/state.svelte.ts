import {
  ActionsResult,
  type RemindTarget,
  type Rejection,
  type SharePeriod,
  type Sharing,
} from '../../../shared/contract/actions.ts';
import type { AgreementKey, JobId } from '../../../shared/model/ids.ts';
import { refusalText, resultText } from './words.ts';
import { copyText } from '../../ui/clipboard.ts';
import { formatDate } from '../../ui/format.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { details } from './details.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';

/** Actions on agreements on the service, with their messages in the activity bar. */
class AgreementActions {
  /** Whether an action is in flight; the next one cannot start before its outcome is known. */
  busy = $state(false);

  revoke(keys: readonly AgreementKey[]): Promise<ActionsResult | null> {
    return this.#run(
      () => api['actions.revoke']({ keys: [...keys], confirm: keys.length }),
      (title, wasAlready) =>
        wasAlready ? m.revoke_was_already({ title }) : m.revoke_done({ title }),
    );
  }

  /**
   * Removes agreements from the service. With a folder, their signed PDFs are saved in it first.
   */
  remove(
    keys: readonly AgreementKey[],
    options: { readonly typedTitle?: string; readonly archiveTo?: string },
  ): Promise<ActionsResult | null> {
    return this.#run(
      () => api['actions.remove']({ keys: [...keys], confirm: keys.length, ...options }),
      (title, wasAlready) => (wasAlready ? m.delete_gone({ title }) : m.delete_done({ title })),
    );
  }

  remind(targets: readonly RemindTarget[], agreements: number): Promise<ActionsResult | null> {
    return this.#run(
      () => api['actions.remind']({ targets: [...targets], confirm: agreements }),
      (_title, _wasAlready, count) => m.remind_done({ count }),
    );
  }

  setExpiry(keys: readonly AgreementKey[], expiresAt: number): Promise<ActionsResult | null> {
    return this.#run(
      () => api['actions.setExpiry']({ keys: [...keys], expiresAt, confirm: keys.length }),
      () => m.deadlines_done(),
    );
  }

  async reject(key: AgreementKey, rejection: Rejection, party: string): Promise<void> {
    await this.#attempt(async () => {
      const outcome = await api['actions.reject']({ key, rejection, confirm: 1 });
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      return activity.notify(() =>
        outcome.wasAlready ? m.reject_was_already() : m.reject_done({ party }),
      );
    });
  }

  async share(key: AgreementKey, sharing: Sharing): Promise<void> {
    await this.#attempt(async () => {
      const outcome = await api['actions.share']({ key, sharing, confirm: 1 });
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      return activity.notify(() => sharedText(outcome.shared, sharing));
    });
  }

  /** Copies a party's personal signing link to the clipboard, and to no other place. */
  async copyLink(key: AgreementKey, partyId: string): Promise<void> {
    await this.#attempt(async () => {
      const { link } = await api['actions.signingLink']({ key, partyId });
      activity.notify(copyText(link) ? m.link_copied : m.link_not_copied);
    });
  }

  async saveDocuments(key: AgreementKey, folder: string, documentId: string | null): Promise<void> {
    await this.#attempt(async () => {
      const which = documentId === null ? {} : { documentId };
      const { files, failed } = await api['actions.saveDocuments']({ key, folder, ...which });
      const [first] = failed;
      const count = files.length;
      if (first === undefined) return activity.notify(() => m.documents_saved({ count, folder }));
      const { name, failure } = first;
      return activity.warn(() => m.documents_partly({ count, name, why: refusalText(failure) }));
    });
  }

  /** Starts a job, waits for it and announces its outcome; null if it did not start. */
  async #run(
    start: () => Promise<{ jobId: JobId }>,
    doneText: Parameters<typeof resultText>[1],
  ): Promise<ActionsResult | null> {
    let outcome: ActionsResult | null = null;
    await this.#attempt(async () => {
      const { jobId } = await start();
      const job = await jobs.outcome(jobId);
      const result = ActionsResult.safeParse(job.result);
      if (!result.success) {
        const { failure } = job;
        if (failure === null) return activity.notify(m.result_nothing);
        return activity.warn(() => refusalText(failure));
      }
      const ended = result.data;
      outcome = ended;
      const words = (): string => resultText(ended, doneText);
      if (ended.failed.length + ended.unknown.length > 0) activity.warn(words);
      else activity.notify(words);
    });
    return outcome;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    await activity.attempt(work);
    this.busy = false;
    await details.reload();
  }
}

function sharedText(shared: SharePeriod, { email }: Sharing): string {
  if (shared.kind === 'permanent') return m.share_done({ email });
  const day = shared.kind === 'until' ? formatDate(Date.parse(shared.day)) : shared.text;
  return m.share_done_until({ email, day });
}

export const actions = new AgreementActions();
