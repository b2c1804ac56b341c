import { parseV2Time } from '../../../../shared/rules/time/wire-time.ts';
import { partyKey } from '../../../../shared/rules/identifiers/party-key.ts';
import type { ScanQuery, ScanReading, SeenAgreement } from '../../../core/outbox/ports.ts';
import { readPages, readReply, type Client } from '../http/client.ts';
import { type ScanPage, readWhole } from '../both/scan.ts';
import { selectionQuery } from './selection.ts';
import * as v2 from './table.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

/**
 * Overlap of two readings (ms). It covers both meanings of "CET", and the repeated hour in October.
 */
const SCAN_OVERLAP_MS = 2 * HOUR;
/** Maximum number of agreements whose fields are read, one by one. */
const MAX_FIELD_READS = 50;

/**
 * Scans all agreements posted after `from`. Revoked ones are not listed (API v2, "List
 * Agreements").
 */
export async function scanV2(
  client: Client,
  { from, templates }: ScanQuery,
  onPage: () => void,
  signal: AbortSignal,
): Promise<ScanReading> {
  const query = selectionQuery({ status: 'ALL', from: from - SCAN_OVERLAP_MS });
  const reading = await readWhole(async function* (): AsyncGenerator<ScanPage, void> {
    for await (const { reply, serverTime } of readPages(client, v2.listAgreements, {
      query,
      signal,
    })) {
      yield { seen: reply.agreements.map(seenOf), total: reply.totalCount, serverTime };
    }
  }, onPage);
  if (templates.length === 0) return reading;
  const made = new Set<string>();
  for (const templateId of templates) {
    for (const id of await idsOf(client, from, templateId, signal)) made.add(id);
  }
  return readMissingFields(client, reading, made, signal);
}

async function idsOf(
  client: Client,
  from: number,
  templateId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const about = { status: 'ALL', from: from - SCAN_OVERLAP_MS, templateId } as const;
  const query = selectionQuery(about);
  const ids: string[] = [];
  for await (const { reply } of readPages(client, v2.listAgreements, { query, signal })) {
    for (const { referenceNumber } of reply.agreements) ids.push(referenceNumber);
  }
  return ids;
}

async function readMissingFields(
  client: Client,
  reading: ScanReading,
  made: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ScanReading> {
  if (made.size > MAX_FIELD_READS)
    return { ...reading, incompleteReason: reading.incompleteReason ?? 'no-tags' };
  const seen: SeenAgreement[] = [];
  for (const one of reading.seen) {
    if (!made.has(one.id)) {
      seen.push(one);
      continue;
    }
    const path = { referenceNumber: one.id };
    const { reply } = await readReply(client, v2.listFields, { path, signal });
    const fields = new Map(reply?.fields?.map(({ name, value }) => [name, String(value ?? '')]));
    seen.push({ ...one, fields: Object.fromEntries(fields) });
  }
  return { ...reading, seen };
}

function seenOf(reply: v2.AgreementReplyV2): SeenAgreement {
  const { referenceNumber: id, name, status, postedOn, parties } = reply;
  const people = parties?.privates?.map(({ personNo }) => numberedParty('person', personNo)) ?? [];
  const companies = parties?.companies?.map(({ orgNo }) => numberedParty('company', orgNo)) ?? [];
  const keys = [...people, ...companies];
  return {
    id,
    title: name ?? '',
    sentAt: typeof postedOn === 'string' ? parseV2Time(postedOn) : null,
    state: status,
    ref: null,
    // A party without a number leaves the identity of the parties open.
    parties:
      (parties ?? null) === null || keys.includes(null) ? null : keys.flatMap((key) => key ?? []),
    fields: null,
  };
}

function numberedParty(kind: 'person' | 'company', number: unknown): string | null {
  return typeof number === 'string' ? partyKey(kind, number) : null;
}
