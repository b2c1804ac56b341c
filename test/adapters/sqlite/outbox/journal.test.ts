import { describe, expect, it } from 'vitest';
import { claimAt, idOf, newConnection, outboxEntry } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

/** Returns a sent row with the journal entries 1, 3, 4 and 5, and a queued row with entry 2. */
function withJournal() {
  const place = tempDatabase();
  const { connections, outbox } = place.stores;
  const connection = newConnection();
  connections.save(connection);
  const [sent, queued] = [outboxEntry(connection), outboxEntry(connection)];
  for (const entry of [sent, queued]) outbox.insert(entry, NOW);
  const { ref } = sent.item;
  outbox.claim(ref, claimAt(NOW + 1));
  outbox.move(ref, ['sending'], { to: 'unknown', cause: 'answer' }, NOW + 2);
  const found = { to: 'sent', cause: 'scan', remoteId: idOf('a') } as const;
  outbox.move(ref, ['unknown'], found, NOW + 3);
  // With another program, someone could drop the triggers, and then change entries.
  for (const trigger of ['journal_is_not_rewritten', 'journal_is_not_shortened']) {
    place.database.command(`DROP TRIGGER ${trigger}`)();
  }
  const edit = (sql: string) => void place.database.command(sql)();
  return Object.assign(place, { outbox, ref, queued: queued.item.ref, edit });
}

describe('the journal of the outbox', () => {
  it('is valid, and returns the changes of a row with their authors and reasons, in order', () => {
    using place = withJournal();
    const { outbox, ref, queued } = place;
    expect(outbox.journalBreak()).toBeNull();
    expect(outbox.journal(ref)).toEqual([
      { at: NOW, from: null, to: 'queued', cause: 'person', actor: 'person' },
      { at: NOW + 1, from: 'queued', to: 'sending', cause: 'claim', actor: 'program' },
      { at: NOW + 2, from: 'sending', to: 'unknown', cause: 'answer', actor: 'program' },
      { at: NOW + 3, from: 'unknown', to: 'sent', cause: 'scan', actor: 'program' },
    ]);
    expect(outbox.journal(queued)).toHaveLength(1);
  });

  it.each([
    ['its time', 'at = at + 1'],
    ['its row', 'ref = (SELECT ref FROM journal WHERE number = 2)'],
    ['its earlier status', 'from_state = NULL'],
    ['its new status', "to_state = 'rejected'"],
    ['its cause', "cause = 'person'"],
    ['its author', "actor = 'person'"],
    ['what the user was shown', "shown = '{}'"],
    ['its hash', "hash = 'ab'"],
    ['its hash to none', 'hash = NULL'],
  ])('breaks at an entry after a change of %s', (_, change) => {
    using place = withJournal();
    place.edit(`UPDATE journal SET ${change} WHERE number = 4`);
    expect(place.outbox.journalBreak()).toBe(4);
  });

  it('breaks after a removed entry', () => {
    using place = withJournal();
    place.edit('DELETE FROM journal WHERE number = 2');
    expect(place.outbox.journalBreak()).toBe(3);
  });

  it('breaks at the last entry of a row if that does not lead to the row’s status', () => {
    using place = withJournal();
    place.edit('DELETE FROM journal WHERE number = 5');
    expect(place.outbox.journalBreak()).toBe(4);
  });

  it('breaks without naming an entry if all entries are removed', () => {
    using place = withJournal();
    place.edit('DELETE FROM journal');
    expect(place.outbox.journalBreak()).toBe(0);
  });

  it('is valid if it continues entries of an older version without hashes', () => {
    using place = withJournal();
    const { outbox, queued, edit } = place;
    edit('UPDATE journal SET hash = NULL');
    expect(outbox.journalBreak()).toBeNull();
    const cancel = { to: 'cancelled', cause: 'person', actor: 'person' } as const;
    outbox.move(queued, ['queued'], cancel, NOW + 4);
    expect(outbox.journalBreak()).toBeNull();
    edit("UPDATE journal SET cause = 'answer' WHERE number = 6");
    expect(outbox.journalBreak()).toBe(6);
  });
});
