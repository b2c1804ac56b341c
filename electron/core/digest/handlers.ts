import type {
  Digest,
  DigestEntry,
  DigestKind,
  DigestRuleProblem,
} from '../../../shared/contract/digest.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { isDigestDue } from '../../../shared/rules/digest/due.ts';
import { digestLine } from '../../../shared/rules/digest/line.ts';
import { mailDraft } from '../../../shared/rules/text/mail-draft.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Clock, Encoding, Sha256, Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import { addressHash } from '../reminders/candidates.ts';
import type { DigestBounds, DigestRow } from './ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Maximum number of listed entries: as many as a user reads in a morning. */
const MAX_LISTED = 200;
/** Maximum characters of a title, name or reason, and of a line composed of them. */
const MAX_TEXT_LENGTH = 300;
const MAX_LINE_LENGTH = 1000;
/** Time (ms) before expiry in which an agreement is "about to expire": early enough to act. */
const EXPIRY_WARNING_MS = 3 * DAY;
/** Age (ms) up to which single sends are listed. */
const LISTED_SEND_AGE_MS = 30 * DAY;
/** States of a single send in which the program does nothing more automatically. */
const STATES_FOR_USER: readonly OutboxState[] = ['rejected', 'absent', 'human', 'duplicate'];

interface DigestPorts {
  readonly stores: Pick<
    Stores,
    | 'agreements'
    | 'archive'
    | 'digest'
    | 'evidence'
    | 'intake'
    | 'outbox'
    | 'reminders'
    | 'settings'
    | 'transaction'
  >;
  readonly bytes: ByteExchange;
  readonly encoding: Encoding;
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/**
 * Daily summary of the events since the last one, returned once a day to the first caller (window
 * or command).
 */
export function createDigestHandlers(ports: DigestPorts): HandlersOf<'digest'> {
  const { stores, bytes, encoding, clock } = ports;
  const { digest, settings } = stores;
  return {
    'digest.read': async () => {
      const place = digest.place();
      return digestOf(ports, {
        since: place?.before ?? place?.takenAt ?? null,
        after: place?.since ?? 0,
      });
    },
    'digest.take': async () => {
      const taken = stores.transaction(() => takeDue(ports));
      if (taken === null) return null;
      const given = digestOf(ports, { since: taken.before, after: taken.since });
      // No older summary is read any more.
      digest.trim(taken.since);
      return isEmpty(given) ? null : given;
    },
    'digest.mail': async ({ subject, lines }) => {
      const text = lines.map((line) => digestLine(line, MAX_LINE_LENGTH)).join('\n');
      const mail = mailDraft({ subject: digestLine(subject, MAX_LINE_LENGTH), text }, encoding);
      return { out: bytes.put(encoding.utf8(mail)), fileName: `${subject}.eml` };
    },
  };

  /** Returns the position after the due summary was taken; null if none is due. */
  function takeDue({ stores: { digest: store } }: DigestPorts): DigestBounds | null {
    if (deactivationOf(stores) !== null || settings.read().restoredAt !== null) return null;
    const now = clock.now();
    const place = store.place();
    const { digest: time } = settings.read();
    // First run: wait for the configured time of day.
    if (place === null) {
      store.savePlace({ takenAt: now, before: null, since: 0, until: 0 });
      return null;
    }
    if (!isDigestDue(place.takenAt, now, time, localZone())) return null;
    const { takenAt: before, until: since } = place;
    const next = { takenAt: now, before, since, until: store.last() };
    store.savePlace(next);
    return next;
  }
}

interface Interval {
  readonly since: number | null;
  /** Number of the ended agreement after which the interval begins. */
  readonly after: number;
}

function digestOf(ports: DigestPorts, { since, after }: Interval): Digest {
  const { stores, clock } = ports;
  const now = clock.now();
  const bounced = bouncedRows(ports);
  const ended = stores.digest.ended(after, MAX_LISTED);
  const expiring = stores.digest.expiring(now, now + EXPIRY_WARNING_MS, MAX_LISTED);
  const counts = new Map([...ended.counts, ...expiring.counts]);
  const count = (kind: DigestKind): number => counts.get(kind) ?? 0;
  const rows = [...bounced, ...expiring.rows, ...ended.rows].slice(0, MAX_LISTED);
  return {
    since,
    until: now,
    counts: {
      signed: count('signed'),
      rejected: count('rejected'),
      expired: count('expired'),
      revoked: count('revoked'),
      bounced: bounced.length,
      expiring: count('expiring'),
    },
    entries: rows.map((row) => entryOf(row, stores)),
    decisions: countOpenDecisions(stores, now),
    troubles: troubleRows(stores),
  };
}

/**
 * Returns the parties whose messages bounced, without those who have signed or whose address was
 * corrected after that.
 */
function bouncedRows(ports: DigestPorts): readonly DigestRow[] {
  const rows = new Map<string, DigestRow & { readonly partyNames: string[] }>();
  for (const { key, title, party, addressHash: hash } of ports.stores.digest.bounced()) {
    if (party === null || party.state === 'signed') continue;
    if (addressHash(ports, party) !== hash) continue;
    const name = `${key.connectionId} ${key.id}`;
    const row = rows.get(name) ?? { key, kind: 'bounced', title, partyNames: [], at: null };
    row.partyNames.push(party.name);
    rows.set(name, row);
  }
  return [...rows.values()];
}

function entryOf(
  { key, kind, title, partyNames, at }: DigestRow,
  { agreements }: DigestPorts['stores'],
): DigestEntry {
  const parties = partyNames.map(lineOf);
  const said = kind === 'rejected' ? agreements.details(key).parties : null;
  const reason = said?.find(({ rejectedReason }) => rejectedReason !== null)?.rejectedReason;
  return {
    ...key,
    kind,
    title: lineOf(title),
    parties,
    at,
    reason: reason ? lineOf(reason) : null,
  };
}

const lineOf = (text: string): string => digestLine(text, MAX_TEXT_LENGTH);

function countOpenDecisions({ outbox }: DigestPorts['stores'], now: number): number {
  const since = now - LISTED_SEND_AGE_MS;
  const single = outbox
    .list(since)
    .filter(({ state, nextAt, verify }) =>
      state === 'queued' ? nextAt === null && !verify : STATES_FOR_USER.includes(state),
    );
  return outbox.batches(since).reduce((sum, { needsPerson }) => sum + needsPerson, single.length);
}

function troubleRows({ archive, intake, reminders }: DigestPorts['stores']): DigestRuleProblem[] {
  const archives = archive.rules.list().flatMap(({ rule, last }): DigestRuleProblem[] => {
    const hasFailed = last !== null && (last.failure !== null || last.failed > 0);
    return rule.isOn && hasFailed
      ? [{ kind: 'archive-rule', name: lineOf(rule.name), failed: last.failed }]
      : [];
  });
  const rules = reminders.rules.list().flatMap(({ rule, last }): DigestRuleProblem[] => {
    const hasFailed = last !== null && (last.failure !== null || last.failed + last.unknown > 0);
    return rule.isOn && hasFailed
      ? [{ kind: 'reminder-rule', name: lineOf(rule.name), failed: last.failed + last.unknown }]
      : [];
  });
  const folders = intake.rules.list().flatMap(({ rule, last }): DigestRuleProblem[] => {
    const hasFailed = last !== null && (last.failure !== null || last.refused > 0);
    return rule.isOn && hasFailed
      ? [{ kind: 'intake-rule', name: lineOf(rule.name), failed: last.refused }]
      : [];
  });
  return [...archives, ...rules, ...folders];
}

function isEmpty({ counts, decisions, troubles }: Digest): boolean {
  return (
    decisions === 0 && troubles.length === 0 && Object.values(counts).every((count) => count === 0)
  );
}

/** Returns the time zone of this computer. */
function localZone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
}
