import { sentenceFor } from '../ui/failure-words.ts';
import { formatFirstNames } from '../ui/format.ts';
import { m } from '../ui/language.svelte.ts';
import { placeOf } from '../features/outbox/place.ts';
import { activity, type NoticeAction } from '../window/activity.svelte.ts';
import { go } from '../window/router.svelte.ts';
import type { Ending } from './endings.ts';

/** Number of names that fit on one line. */
const NAMES_SHOWN = 3;

export function announce(ending: Ending): void {
  switch (ending.of) {
    case 'sends':
      return announceSent(ending.sends);
    case 'trouble':
      return announceTrouble(ending.send);
    case 'batch':
      return announceBatch(ending.batch);
  }
}

/** Announces that the automatic archive is incomplete, with a link to the archive. */
export function announceArchive(): void {
  activity.warn(() => m.notify_archive(), noticeActionFor('archive'), 'archive.run');
}

function announceSent(sends: Extract<Ending, { of: 'sends' }>['sends']): void {
  const [first, ...more] = sends;
  if (first === undefined) return;
  if (more.length > 0) {
    const count = sends.length;
    return activity.notify(() => m.ending_sent_several({ count }), noticeActionFor('agreements'));
  }
  const { title, people, connectionId, remoteId } = first;
  const place = remoteId === null ? [] : [connectionId, remoteId];
  const names = (): readonly string[] => people.map((name) => name || m.notified_owner());
  activity.notify(
    () =>
      people.length === 0
        ? m.ending_sent({ title })
        : m.ending_sent_names({
            title,
            count: people.length,
            names: formatFirstNames(names(), NAMES_SHOWN),
          }),
    noticeActionFor('agreements', ...place),
  );
}

function announceTrouble({
  ref,
  state,
  title,
  reason,
}: Extract<Ending, { of: 'trouble' }>['send']): void {
  const words = (): string => {
    if (state === 'unknown') return m.ending_unknown({ title });
    if (state !== 'rejected') return m.ending_decide({ title });
    const why = reason === null ? '' : sentenceFor(reason);
    return m.ending_refused({ title, why });
  };
  activity.warn(words, noticeActionFor('outbox', ref), 'outbox');
}

function announceBatch({
  batchId,
  title,
  rows,
  needsPerson,
  counts,
}: Extract<Ending, { of: 'batch' }>['batch']): void {
  const place = placeOf({ batchId, needsPerson: needsPerson > 0, ref: null });
  if (needsPerson === 0) {
    return activity.notify(
      () => m.ending_batch({ title, done: counts.sent, rows }),
      noticeActionFor('outbox', ...place),
    );
  }
  activity.warn(
    () => m.ending_batch_needs({ title, done: counts.sent, rows, count: needsPerson }),
    noticeActionFor('outbox', ...place),
    'outbox',
  );
}

const noticeActionFor = (...place: Parameters<typeof go>): NoticeAction => ({
  label: m.activity_show,
  run: () => go(...place),
});
