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
import { api, handOver } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { go, router } from '../../window/router.svelte.ts';

/** Where a draft came from that nobody typed here. */
export type Origin = { readonly from: 'link' } | { readonly from: 'file'; readonly file: string };

/** New drafts from old ones, from files and from agreements, and what they could not carry over. */
class DraftCopies {
  losses = $state.raw<readonly Loss[]>([]);
  /** Of drafts that came from outside while the window is open. */
  origins = $state.raw<ReadonlyMap<DraftId, Origin>>(new Map());

  seen(): void {
    this.losses = [];
  }

  async duplicate(id: DraftId): Promise<void> {
    await activity.attempt(async () => {
      const draft = await api['drafts.duplicate']({ id });
      activity.say(m.draft_duplicated);
      go('drafts', draft.id);
    });
  }

  async convert(id: DraftId, to: ApiName): Promise<void> {
    await activity.attempt(async () => {
      const { draft, losses } = await api['drafts.convert']({ id, to });
      this.#open(draft.id, losses);
    });
  }

  /** Reads the agreement, which may take a while; nobody who went on is taken away from there. */
  async fromAgreement({ connectionId, id }: AgreementKey): Promise<void> {
    const { screen } = router;
    await activity.attempt(async () => {
      const { jobId } = await api['drafts.fromAgreement']({ key: { connectionId, id } });
      const { result, failure, state } = await jobs.outcome(jobId);
      if (failure !== null) throw AppError.from(failure);
      if (state === 'cancelled') return;
      const { draft, losses } = CopiedAgreement.parse(result);
      if (router.screen === screen) this.#open(draft, losses);
      else activity.say(m.draft_copied);
    });
  }

  /** Takes drafts out of files; the last one is opened. */
  async take(files: readonly File[]): Promise<void> {
    for (const file of files) {
      await activity.attempt(async () => {
        await this.#import(await handOver(new Uint8Array(await file.arrayBuffer())), file.name);
      });
    }
  }

  /** Takes the draft out of a file that the system gave to this program. */
  async open(bytes: BytesId, file: string): Promise<void> {
    await activity.attempt(async () => {
      this.#note(await this.#import(bytes, file), { from: 'file', file });
    });
  }

  /** A new draft with what a link says, for a connection of that API; opened for the person to check. */
  async fill(
    draft: LinkedDraft,
    to: { readonly api: ApiName; readonly id: ConnectionId },
  ): Promise<void> {
    await activity.attempt(async () => {
      // Its rules, phone numbers among them, are large.
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
      activity.say(() => m.draft_exported({ file }));
    });
  }

  async #import(bytes: BytesId, file: string): Promise<DraftId> {
    const connectionId = connections.current?.id ?? null;
    const { id } = await api['drafts.import']({ bytes, connectionId });
    activity.say(() => m.draft_imported({ file }));
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
