import { untrack } from 'svelte';
import { api } from '../window/desk.ts';
import { m } from '../ui/language.svelte.ts';
import { type DeskState, fractionOf, type News, newsBetween } from './desktop-news.ts';
import { host } from '../window/host.svelte.ts';
import { jobs } from '../window/jobs.svelte.ts';
import { outbox } from '../features/outbox/state.svelte.ts';

const texts = {
  decision: ({ count }: { count: number }) => m.notify_decision({ count }),
  batch: ({ count }: { count: number }) => m.notify_batch({ count }),
  archive: () => m.notify_archive(),
} as const satisfies Record<News['kind'], (news: { count: number }) => string>;

/** What runs, on the taskbar; and who looks elsewhere is called when a person is needed. */
class Desktop {
  readonly #state: DeskState | null = $derived.by(() => {
    const [listed, batches, items] = [jobs.list.value, outbox.batches.value, outbox.list.value];
    if (listed === null || batches === null || items === null) return null;
    return { decisions: outbox.decisions, batches, jobs: listed };
  });
  readonly #fraction = $derived(
    fractionOf([
      ...jobs.running,
      ...(outbox.batches.value ?? [])
        .filter(({ counts }) => counts.sending > 0)
        .map(({ rows, counts }) => ({
          total: rows,
          done: rows - counts.queued - counts.sending,
        })),
    ]),
  );

  /** Called while a component is set up; ends with it. */
  attend(): void {
    let last: DeskState | null = null;
    $effect(() => {
      const now = this.#state;
      const before = last;
      last = now;
      if (before === null || now === null) return;
      untrack(() => newsBetween(before, now).forEach(notify));
    });
    $effect(() => {
      const fraction = this.#fraction;
      if (host.value?.features.progress === true)
        void api['host.progress']({ fraction }).catch(quiet);
    });
  }
}

function notify(news: News): void {
  if (host.value?.features.notify !== true || document.hasFocus()) return;
  const body = texts[news.kind](news);
  void api['host.notify']({ title: m.app_name(), body }).catch(quiet);
}

/** The same stands in the window; a desktop that cannot show it is no failure of the desk. */
const quiet = (): void => {};

export const desktop = new Desktop();
