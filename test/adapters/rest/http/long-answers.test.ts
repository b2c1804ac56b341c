// tier: all
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readErrorBody } from '../../../../electron/adapters/rest/http/error-body.ts';
import {
  parseReply,
  parseRetryAfter,
} from '../../../../electron/adapters/rest/http/json-answer.ts';
import { createRedact } from '../../../../electron/adapters/rest/http/redact.ts';
import { cleanSecret, cleanToken } from '../../../../electron/adapters/rest/http/secret.ts';
import { readAgreementV1 } from '../../../../electron/adapters/rest/v1/read.ts';
import { readAgreementV2 } from '../../../../electron/adapters/rest/v2/read.ts';
import { longestBlock } from '../../../support/event-loop.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { slowTexts } from '../../../support/slow-texts.ts';
import { all, failureOf, id, neverStops, openV1, openV2, REF } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';

const JSON_TYPE = 'application/json';
const redact = createRedact(['s3cr3t-token']);

const orNull = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return null;
  }
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the sentence of a refusal': redact,
  'a refusal in JSON': (text) =>
    readErrorBody(JSON_TYPE, JSON.stringify({ message: text, errors: [text] }), redact),
  'the fields of a refusal': (text) =>
    readErrorBody(
      JSON_TYPE,
      JSON.stringify({ errors: [{ detail: text, source: { pointer: `/data/${text}` } }] }),
      redact,
    ),
  'a page instead of a refusal': (text) => readErrorBody('text/html', text, redact),
  'a page with a title': (text) =>
    readErrorBody('text/html', `<html><title ${text}>${text}`, redact),
  'what claims to be JSON': (text) => orNull(() => parseReply('r', z.string(), JSON_TYPE, text)),
  'what is not of the form': (text) =>
    orNull(() =>
      parseReply(
        'r',
        z.record(z.string(), z.number()),
        JSON_TYPE,
        JSON.stringify({ [text]: text }),
      ),
    ),
  'a type of content': (text) => orNull(() => parseReply('r', z.string(), text, '""')),
  'a time to wait': (text) => parseRetryAfter(text, 0),
  'a credential': (text) => orNull(() => cleanSecret(text, 'secret')),
  'a token': (text) => orNull(() => cleanToken(text)),
  'an agreement of v1': (text) =>
    readAgreementV1({ id: id('1'), state: text, title: text, createdOn: text, parties: [] }, text),
  'an agreement of v2': (text) =>
    readAgreementV2({ referenceNumber: id('1'), status: text, name: text, postedOn: text }, text),
};

describe('an answer of one MiB of any content', () => {
  it.each(Object.entries(readers))('is quickly read as %s (SEC-H2)', (_, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});

const MIB = 1024 * 1024;
const LONG = 'JVBERi0x'.repeat(MIB / 8);

describe('a service that answers with a MiB of unbroken letters', () => {
  it.each([
    ['400 Bad Request', JSON_TYPE, JSON.stringify({ message: `invalid document ${LONG}` })],
    ['422 Unprocessable', JSON_TYPE, JSON.stringify({ errors: [{ detail: LONG }] })],
    ['502 Bad Gateway', 'text/html', `<html><body>${LONG}`],
    ['502 Bad Gateway', 'text/html', '<'.repeat(MIB)],
    ['200 OK', JSON_TYPE, JSON.stringify({ data: LONG })],
  ])(
    'does not block the program by an answer %s of type %s (SEC-H2)',
    async (status, type, body) => {
      const server = await startRawServer(() => rawAnswer(status, type, body));
      try {
        const work = async () => {
          const v1 = await failureOf(all(openV1(server.origin)));
          const v2 = await failureOf(all(openV2(`${server.origin}/v2`)));
          expect([v1.message.length, v2.message.length].every((one) => one < 700)).toBe(true);
          for (const [service, draft] of [
            [openV1(server.origin), draftV1()],
            [openV2(`${server.origin}/v2`), draftV2()],
          ] as const) {
            const request = service.encodeCreate(draft, await onePage(), REF);
            const sent = await service.create(request, neverStops);
            expect(JSON.stringify(sent).length).toBeLessThan(2000);
          }
        };
        // The limit (ms) is ten times a noticeable delay; quadratic work on a MiB takes half an
        // hour.
        expect(await longestBlock(work)).toBeLessThan(10_000);
      } finally {
        await server.close();
      }
    },
  );
});
