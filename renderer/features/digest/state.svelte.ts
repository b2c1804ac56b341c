import type { Digest } from '../../../shared/contract/digest.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { host } from '../../window/host.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { openPath } from '../../window/open-path.ts';
import { saveBytes } from '../../window/save-bytes.ts';
import { mailLines, sinceText } from './words.ts';

/** Minimum time between two reads (ms), while thousands of agreements are being read. */
const MIN_DIGEST_READ_INTERVAL_MS = 5000;

/** Events since the previous daily summary; shown on request, and once a day. */
class DigestState {
  readonly today = new Loaded(() => api['digest.read']({}));
  isOpen = $state(false);
  #waits = false;

  constructor() {
    on('agreements.changed', () => this.#renewSoon());
  }

  open(): void {
    this.isOpen = true;
    void this.today.refresh();
  }

  /** Saves the summary as an email draft and opens it in the user's email program. */
  async mail(digest: Digest): Promise<void> {
    await activity.attempt(async () => {
      const subject = m.digest_mail_subject({ time: sinceText(digest) });
      const file = await saveBytes(
        await api['digest.mail']({ subject, lines: [...mailLines(digest)] }),
      );
      if (file !== null && host.value?.features.openPath === true) await openPath(file);
    });
  }

  #renewSoon(): void {
    if (this.#waits) return;
    this.#waits = true;
    setTimeout(() => {
      this.#waits = false;
      void this.today.renew();
    }, MIN_DIGEST_READ_INTERVAL_MS);
  }
}

export const digest = new DigestState();
