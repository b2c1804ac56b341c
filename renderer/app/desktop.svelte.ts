import { untrack } from 'svelte';
import type { HostStatus } from '../../shared/contract/host.ts';
import type { Notice } from '../../shared/contract/settings.ts';
import { isQuiet } from '../../shared/rules/digest/due.ts';
import { digest } from '../features/digest/state.svelte.ts';
import { sinceText, summaryOf } from '../features/digest/words.ts';
import { localTimeZone } from '../ui/day-words.ts';
import { api, on } from '../window/desk.ts';
import { currentLanguage, m } from '../ui/language.svelte.ts';
import { activity } from '../window/activity.svelte.ts';
import { announce, announceArchive } from './announce.ts';
import {
  type DeskState,
  outcomesBetween,
  fractionOf,
  hasFailedUnseen,
  type DesktopNews,
  newsBetween,
  waitingSends,
} from './desktop-news.ts';
import { endingsBetween, type WorkInProgress } from './endings.ts';
import { host } from '../window/host.svelte.ts';
import { jobNames } from './shell/job-names.ts';
import { menuGroups } from './shell/host-menu.ts';
import { runChosen } from './shell/key-bindings.ts';
import { jobs } from '../window/jobs.svelte.ts';
import { outbox } from '../features/outbox/state.svelte.ts';
import { settings } from '../window/settings.svelte.ts';
import { shortcuts } from '../window/shortcuts.svelte.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

const newsTexts = {
  decision: ({ count }: { count: number }) => m.notify_decision({ count }),
  batch: ({ count }: { count: number }) => m.notify_batch({ count }),
  archive: () => m.notify_archive(),
  ended: { signed: m.notify_signed, rejected: m.notify_rejected, expired: m.notify_expired },
} as const;

function newsText(news: DesktopNews): string {
  const { count } = news;
  return news.kind === 'ended'
    ? newsTexts.ended[news.as]({ count })
    : newsTexts[news.kind]({ count });
}

/**
 * Reports automatic events: announces in the window when work ends, shows progress on the taskbar,
 * and notifies a user who looks elsewhere when a decision is needed.
 */
class Desktop {
  readonly #going: WorkInProgress | null = $derived.by(() => {
    const [batches, sends] = [outbox.batches.value, outbox.list.value];
    return batches === null || sends === null ? null : { batches, sends };
  });
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
  /** Number of waiting items for the icon and the title; 0 if the user turned this number off. */
  readonly waiting = $derived(settings.stored.value?.showsWaiting === false ? 0 : outbox.attention);

  /** Work in progress, which the host mentions before it closes the window or quits. */
  readonly #status: HostStatus = $derived.by(() => {
    const count = waitingSends(outbox.items, outbox.batches.value ?? []);
    const running = jobs.running.map(({ kind }) => jobNames[kind]());
    return {
      staysInTray: settings.stored.value?.staysInTray ?? false,
      underWay: [...new Set(running), ...(count === 0 ? [] : [m.tray_sends({ count })])],
      beforeQuitting: count === 0 ? null : m.quit_waiting({ count }),
    };
  });

  /** Starts watching during the setup of a component; stops when the component is destroyed. */
  attend(): void {
    this.#attendHost();
    watchChanges(
      () => this.#state,
      (before, now) => newsBetween(before, now).forEach(notifyIfUnfocused),
    );
    watchChanges(
      () => this.#going,
      (before, now) => endingsBetween(before, now).forEach(announce),
    );
    watchChanges(
      () => outbox.attention,
      (before, now) => {
        if (now < before) activity.resolve('outbox');
      },
    );
    watchChanges(
      () => digest.today.value,
      (before, now) => outcomesBetween(before, now).forEach(notifyIfUnfocused),
    );
    this.#attendDigest();
    let isStart = true;
    $effect(() => {
      if (!isStart || host.value === null || settings.stored.value === null) return;
      isStart = false;
      untrack(() => void notifyUnseenFailures().catch(ignoreFailure));
    });
    $effect(() => {
      const fraction = this.#fraction;
      if (host.value?.features.progress === true)
        void api['host.progress']({ fraction }).catch(ignoreFailure);
    });
    $effect(() => {
      const count = this.waiting;
      if (host.value?.features.badge === true)
        void api['host.badge']({ count }).catch(ignoreFailure);
    });
  }

  /**
   * Checks every minute whether a daily summary is due; one long timer would be late after the
   * computer has slept.
   */
  #attendDigest(): void {
    $effect(() => {
      if (settings.stored.value === null) return;
      // A digest contains the events since the previous one; the first start creates an empty
      // digest.
      const begin = async () => {
        await announceDueDigest();
        await digest.today.refresh();
      };
      untrack(() => void begin().catch(ignoreFailure));
      const timer = setInterval(() => void announceDueDigest().catch(ignoreFailure), MINUTE);
      return () => clearInterval(timer);
    });
  }

  /** Sends status to the host and handles the host's events. */
  #attendHost(): void {
    $effect(() => {
      const menu = { language: currentLanguage(), groups: menuGroups(shortcuts.commands) };
      if (host.value?.features.menu === true) void api['host.menu'](menu).catch(ignoreFailure);
    });
    $effect(() => {
      const status = this.#status;
      if (host.value?.features.tray === true) void api['host.status'](status).catch(ignoreFailure);
    });
    $effect(() => {
      const stops = [
        on('host.command', ({ id }) => runChosen(shortcuts.commands, id)),
        on('host.processEnded', () => activity.warn(() => m.window_process_ended())),
      ];
      return () => stops.forEach((stop) => stop());
    });
  }
}

/** Calls `hear` for each known state after the first, with the state before it. */
function watchChanges<State>(
  read: () => State | null,
  hear: (before: State, now: State) => void,
): void {
  let last: State | null = null;
  $effect(() => {
    const now = read();
    const before = last;
    last = now;
    if (before !== null && now !== null) untrack(() => hear(before, now));
  });
}

/** Runs when the window opens: a scheduled run without a window could not report its failure. */
async function notifyUnseenFailures(): Promise<void> {
  if (!hasFailedUnseen(await api['archive.rules']({}))) return;
  announceArchive();
  notify({ kind: 'archive', count: 0 });
}

/** Shows the daily summary that is due, in the window and as a desktop notification. */
async function announceDueDigest(): Promise<void> {
  const taken = await api['digest.take']({});
  if (taken === null) return;
  const words = () => m.digest_ready({ time: sinceText(taken), what: summaryOf(taken) });
  activity.warn(words, { label: m.activity_show, run: () => digest.open() });
  void digest.today.renew();
  if (!document.hasFocus()) showNotification('digest', words());
}

function notifyIfUnfocused(news: DesktopNews): void {
  if (!document.hasFocus()) notify(news);
}

function notify(news: DesktopNews): void {
  showNotification(news.kind, newsText(news));
}

/** Shows a desktop notification if the host can show them and the user wants this kind. */
function showNotification(notice: Notice, body: string): void {
  const stored = settings.stored.value;
  if (host.value?.features.notify !== true || stored === null) return;
  if (!stored.notify.includes(notice) || isQuiet(Date.now(), stored.quietHours, localTimeZone()))
    return;
  void api['host.notify']({ title: m.app_name(), body }).catch(ignoreFailure);
}

/** Ignores a failed desktop notification, because the window shows the same message. */
const ignoreFailure = (): void => {};

export const desktop = new Desktop();
