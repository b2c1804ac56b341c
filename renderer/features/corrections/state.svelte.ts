import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { ActionsResult, type Notice } from '../../../shared/contract/actions.ts';
import {
  type CopyRow,
  type CorrectionFile,
  type CorrectionPreview,
  type CorrectionRow,
  CorrectionsResult,
} from '../../../shared/contract/corrections.ts';
import { CopiedAgreement } from '../../../shared/contract/draft-history.ts';
import { copiesByAgreement } from '../../../shared/rules/corrections/readdress.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { AgreementKey, DraftId } from '../../../shared/model/ids.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, transferBytes } from '../../window/desk.ts';
import { jobs } from '../../window/jobs.svelte.ts';

export type CorrectionRowResult =
  | { readonly as: 'done'; readonly notice: Notice }
  | { readonly as: 'failed' | 'unknown'; readonly failure: Failure };

/** A party that matches the list, with the user's choice and the service's result. */
export interface MatchedRow {
  readonly row: CorrectionRow;
  readonly isChosen: boolean;
  readonly end: CorrectionRowResult | null;
}

type HiddenRowsMode = 'skip' | 'read';

/** The list's source file, which can be read in another way. */
interface CorrectionSource {
  readonly file: File;
  readonly hidden: HiddenRowsMode;
  readonly read: CorrectionFile;
}

interface CopiedDraft {
  readonly draft: DraftId;
  readonly isOldRevoked: boolean;
}

type CorrectionKey = Pick<CorrectionRow, 'key' | 'partyId'>;
export const placeOf = ({ key, partyId }: CorrectionKey): string =>
  `${key.connectionId} ${key.id} ${partyId}`;
export const agreementOf = ({ key }: Pick<CopyRow, 'key'>): string =>
  `${key.connectionId} ${key.id}`;

/**
 * A list of new addresses, the parties it matches, and the outcome; kept while the window is open.
 */
class Corrections {
  text = $state('');
  source = $state.raw<CorrectionSource | null>(null);
  found = $state.raw<CorrectionPreview | null>(null);
  /** The text of the list for which the matches were found. */
  #foundFor = $state('');
  work = $state<'reading' | 'finding' | 'correcting' | 'copying' | 'revoking' | null>(null);
  readonly #left = new SvelteSet<string>();
  readonly #ends = new SvelteMap<string, CorrectionRowResult>();
  readonly copied = new SvelteMap<string, CopiedDraft>();

  readonly isCurrent = $derived(this.found !== null && this.#foundFor === this.text);
  readonly rows: readonly MatchedRow[] = $derived(
    (this.found?.rows ?? []).map((row) => ({
      row,
      isChosen: isCorrectable(row) && !this.#left.has(placeOf(row)),
      end: this.#ends.get(placeOf(row)) ?? null,
    })),
  );
  readonly chosen = $derived(this.rows.filter(({ isChosen, end }) => isChosen && end === null));
  /**
   * Addresses of bounced messages without a new address; a party's name if the address is unknown.
   */
  readonly lacking: readonly string[] = $derived([
    ...new Set(
      [...(this.found?.rows ?? []), ...(this.found?.copies ?? [])].flatMap(
        ({ to, from, partyName }) => (to === null ? [from ?? partyName ?? ''] : []),
      ),
    ),
  ]);

  /** Replaces the list by the file's content; this can be undone. */
  async take(file: File, sheet: string | null, hidden: HiddenRowsMode): Promise<void> {
    const { text, source } = this;
    this.work = 'reading';
    const isRead = await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const order = { bytes, hidden, ...(sheet !== null && { sheet }) };
      const read = await api['corrections.readFile'](order);
      this.source = { file, hidden, read };
      this.text = read.text;
    });
    this.work = null;
    if (!isRead) return;
    if (text.trim() !== '' && text !== source?.read.text) {
      const { name } = file;
      activity.warn(() => m.corrections_taken({ name }), {
        label: m.command_undo,
        run: () => {
          this.text = text;
          this.source = source;
        },
      });
    }
    await this.find();
  }

  async find(): Promise<void> {
    const { text } = this;
    this.work = 'finding';
    await activity.attempt(async () => {
      this.found = await api['corrections.preview']({ text });
      this.#foundFor = text;
      this.#left.clear();
      this.#ends.clear();
      this.copied.clear();
    });
    this.work = null;
  }

  /** Adds a line for each missing address, for the user to complete. */
  fillIn(): void {
    const lines = this.lacking.map((one) => `${one}; `);
    const lacking = new Set(this.lacking.map((one) => one.toLowerCase()));
    const kept = this.text.split(/\r?\n/).filter((line) => {
      const isAbout = [...lacking].some((one) => line.toLowerCase().includes(one));
      return line.trim() !== '' && !isAbout;
    });
    this.text = [...kept, ...lines].join('\n');
  }

  isChosen(place: string): boolean {
    return this.rows.some(({ row, isChosen }) => isChosen && placeOf(row) === place);
  }

  toggle(place: string): void {
    if (!this.#left.delete(place)) this.#left.add(place);
  }

  toggleAll(): void {
    const all = this.rows.map(({ row }) => placeOf(row));
    if (this.chosen.length > 0) for (const place of all) this.#left.add(place);
    else this.#left.clear();
  }

  async correct(notify: boolean): Promise<void> {
    const corrections = this.chosen.flatMap(({ row: { key, partyId, from, to } }) =>
      to === null ? [] : [{ key, partyId, from, address: to }],
    );
    this.work = 'correcting';
    await activity.attempt(async () => {
      const order = { corrections, notify, confirm: corrections.length };
      const { jobId } = await api['corrections.run'](order);
      const { result, failure } = await jobs.outcome(jobId);
      const parsed = CorrectionsResult.safeParse(result);
      if (!parsed.success) throw AppError.from(failure ?? cancelledFailure);
      this.#note(parsed.data);
    });
    this.work = null;
  }

  #note({ done, failed, unknown }: CorrectionsResult): void {
    const ends: readonly (readonly [AgreementKey & { partyId: string }, CorrectionRowResult])[] = [
      ...done.map((one) => [one, { as: 'done', notice: one.notice }] as const),
      ...failed.map((one) => [one, { as: 'failed', failure: one.failure }] as const),
      ...unknown.map((one) => [one, { as: 'unknown', failure: one.failure }] as const),
    ];
    for (const [key, end] of ends) this.#ends.set(placeOf({ key, partyId: key.partyId }), end);
    const counts = { done: done.length, failed: failed.length, unknown: unknown.length };
    const words = (): string => m.corrections_sum(counts);
    if (failed.length + unknown.length > 0) activity.warn(words);
    else activity.notify(words);
  }

  /** Creates the draft; it contains all corrections that the list has for the agreement. */
  async copy({ key }: CopyRow): Promise<void> {
    const place = agreementOf({ key });
    const copies = copiesByAgreement(this.found?.copies ?? []);
    const changes = copies.find((one) => agreementOf(one) === place)?.changes ?? [];
    this.work = 'copying';
    await activity.attempt(async () => {
      const { jobId } = await api['corrections.copy']({ key, changes });
      const { result, failure, state } = await jobs.outcome(jobId);
      if (failure !== null) throw AppError.from(failure);
      if (state === 'cancelled') return;
      const { draft } = CopiedAgreement.parse(result);
      this.copied.set(place, { draft, isOldRevoked: false });
      activity.notify(m.draft_copied);
    });
    this.work = null;
  }

  async revokeOld({ key, title }: CopyRow): Promise<void> {
    const place = agreementOf({ key });
    this.work = 'revoking';
    await activity.attempt(async () => {
      const { jobId } = await api['actions.revoke']({ keys: [key], confirm: 1 });
      const { done, failed, unknown } = ActionsResult.parse((await jobs.outcome(jobId)).result);
      const [refused] = failed;
      if (refused !== undefined) throw AppError.from(refused.failure);
      if (unknown.length > 0) return activity.warn(() => m.result_unknown({ title }));
      const copied = this.copied.get(place);
      if (done.length === 0 || copied === undefined) return activity.notify(m.result_nothing);
      this.copied.set(place, { draft: copied.draft, isOldRevoked: true });
      return activity.notify(() => m.revoke_done({ title }));
    });
    this.work = null;
  }
}

const cancelledFailure: Failure = { code: 'cancelled', message: 'Nothing was corrected' };

const isCorrectable = ({ to, reason }: CorrectionRow): boolean => to !== null && reason === null;

export const corrections = new Corrections();
