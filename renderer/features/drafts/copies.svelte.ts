import { CopiedAgreement, type Loss } from '../../../shared/contract/draft-history.ts';
import type { LinkedDraft } from '../../../shared/contract/links.ts';
import type {
  AgreementKey,
  ApiName,
  BytesId,
  ConnectionId,
  DraftId,
} from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { api, transferBytes } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { go, router } from '../../window/router.svelte.ts';

export type Origin = { readonly from: 'link' } | { readonly from: 'file'; readonly file: string };

/** New drafts from drafts, files and agreements, with the values that could not be copied. */
class DraftCopies {
  losses = $state.raw<readonly Loss[]>([]);
  /** Sources of drafts that came from outside while the window is open. */
  origins = $state.raw<ReadonlyMap<DraftId, Origin>>(new Map());

  seen(): void {
    this.losses = [];
  }

  async duplicate(id: DraftId): Promise<void> {
    await activity.attempt(async () => {
      const draft = await api['drafts.duplicate']({ id });
      activity.notify(m.draft_duplicated);
      go('drafts', draft.id);
    });
  }

  async convert(id: DraftId, to: ApiName): Promise<void> {
    await activity.attempt(async () => {
      const { draft, losses } = await api['drafts.convert']({ id, to });
      this.#open(draft.id, losses);
    });
  }

  /**
   * Reads the agreement, which may take a while. A user who left the screen is not brought back.
   */
  async fromAgreement({ connectionId, id }: AgreementKey): Promise<void> {
    const { screen } = router;
    await activity.attempt(async () => {
      const { jobId } = await api['drafts.fromAgreement']({ key: { connectionId, id } });
      const { result, failure, state } = await jobs.outcome(jobId);
      if (failure !== null) throw AppError.from(failure);
      if (state === 'cancelled') return;
      const { draft, losses } = CopiedAgreement.parse(result);
      if (router.screen === screen) this.#open(draft, losses);
      else activity.notify(m.draft_copied);
    });
  }

  /** Imports drafts from files; the last one is opened. */
  async take(files: readonly File[]): Promise<void> {
    for (const file of files) {
      await activity.attempt(async () => {
        await this.#import(
          await transferBytes(new Uint8Array(await file.arrayBuffer())),
          file.name,
        );
      });
    }
  }

  /** Imports a draft from a file that the system passed to this program. */
  async open(bytes: BytesId, file: string): Promise<void> {
    await activity.attempt(async () => {
      this.#note(await this.#import(bytes, file), { from: 'file', file });
    });
  }

  /**
   * Creates a draft with a link's content, for a connection with that API, and opens it for review.
   */
  async fill(
    draft: LinkedDraft,
    to: { readonly api: ApiName; readonly id: ConnectionId },
  ): Promise<void> {
    await activity.attempt(async () => {
      // These rules are large, for example those for phone numbers.
      const { linkedContent } = await import('../../../shared/rules/links/fill.ts');
      const content = linkedContent(to.api, draft, Date.now());
      const { id } = await api['drafts.create']({ content, connectionId: to.id });
      this.#note(id, { from: 'link' });
      go('drafts', id);
    });
  }

  async export(id: DraftId, file: string): Promise<void> {
    await activity.attempt(async () => {
      await api['drafts.export']({ id, file });
      activity.notify(() => m.draft_exported({ file }));
    });
  }

  async #import(bytes: BytesId, file: string): Promise<DraftId> {
    const connectionId = connections.current?.id ?? null;
    const { id } = await api['drafts.import']({ bytes, connectionId });
    activity.notify(() => m.draft_imported({ file }));
    go('drafts', id);
    return id;
  }

  #note(id: DraftId, origin: Origin): void {
    this.origins = new Map([...this.origins, [id, origin]]);
  }

  #open(id: DraftId, losses: readonly Loss[]): void {
    this.losses = losses;
    go('drafts', id);
  }
}

export const copies = new DraftCopies();
