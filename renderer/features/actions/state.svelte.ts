import {
  ActionsResult,
  type RemindTarget,
  type Rejection,
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

/** What is done to agreements on the service, and said of it in the activity bar. */
class AgreementActions {
  /** While one is under way, the next one waits for its outcome. */
  busy = $state(false);

  revoke(keys: readonly AgreementKey[]): Promise<ActionsResult | null> {
    return this.#run(
      () => api['actions.revoke']({ keys: [...keys], confirm: keys.length }),
      (title, wasAlready) =>
        wasAlready ? m.revoke_was_already({ title }) : m.revoke_done({ title }),
    );
  }

  /** With a folder, what everybody signed is saved there before. */
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
      () => m.remind_done(),
    );
  }

  async reject(key: AgreementKey, rejection: Rejection, party: string): Promise<void> {
    await this.#attempt(async () => {
      const outcome = await api['actions.reject']({ key, rejection, confirm: 1 });
      if (outcome.outcome === 'unknown') return m.result_unknown_here();
      return outcome.wasAlready ? m.reject_was_already() : m.reject_done({ party });
    });
  }

  async share(key: AgreementKey, sharing: Sharing): Promise<void> {
    await this.#attempt(async () => {
      const outcome = await api['actions.share']({ key, sharing, confirm: 1 });
      if (outcome.outcome === 'unknown') return m.result_unknown_here();
      const { shared } = outcome;
      if (shared.kind === 'permanent') return m.share_done({ email: sharing.email });
      const day = shared.kind === 'until' ? formatDate(Date.parse(shared.day)) : shared.text;
      return m.share_done_until({ email: sharing.email, day });
    });
  }

  /** Puts a party's personal address for signing on the clipboard, and nowhere else. */
  async copyLink(key: AgreementKey, partyId: string): Promise<void> {
    await this.#attempt(async () => {
      const { link } = await api['actions.signingLink']({ key, partyId });
      return copyText(link) ? m.link_copied() : m.link_not_copied();
    });
  }

  /** All documents, or one of them. */
  async saveDocuments(key: AgreementKey, folder: string, documentId: string | null): Promise<void> {
    await this.#attempt(async () => {
      const which = documentId === null ? {} : { documentId };
      const { files, failed } = await api['actions.saveDocuments']({ key, folder, ...which });
      const [first] = failed;
      if (first === undefined) return m.documents_saved({ count: files.length, folder });
      const why = refusalText(first.failure);
      return m.documents_partly({ count: files.length, name: first.name, why });
    });
  }

  /** Starts a job, waits for it, and says how it ended; null when it did not get to any. */
  async #run(
    start: () => Promise<{ jobId: JobId }>,
    doneText: (title: string, wasAlready: boolean) => string,
  ): Promise<ActionsResult | null> {
    let outcome: ActionsResult | null = null;
    await this.#attempt(async () => {
      const { jobId } = await start();
      const job = await jobs.outcome(jobId);
      const result = ActionsResult.safeParse(job.result);
      if (!result.success) {
        return job.failure === null ? m.result_nothing() : refusalText(job.failure);
      }
      outcome = result.data;
      return resultText(result.data, doneText);
    });
    return outcome;
  }

  async #attempt(work: () => Promise<string>): Promise<void> {
    this.busy = true;
    await activity.attempt(async () => activity.say(await work()));
    this.busy = false;
    await details.reload();
  }
}

export const actions = new AgreementActions();
