import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { readCorrections } from '../../../shared/rules/corrections/list.ts';

const read = (file: string) =>
  readCorrections(readFileSync(place(`test/fixtures/bounces/${file}`), 'utf8'));
const BO = 'bo@x.example';
const DI = 'di@gone.example';

describe('bounce reports are read in the form of', () => {
  it.each([
    ['the log of Postfix, of which most tells of what arrived or is late', 'postfix.log', [BO, DI]],
    ['the log of Sendmail', 'sendmail.log', [BO]],
    ['the log of Exim', 'exim.log', [BO, DI]],
    ['Postfix, with one that is only late, and the message itself', 'postfix.eml', [BO]],
    ['Exchange', 'exchange.eml', [BO]],
    ['Exchange, as a person copies it', 'exchange-words.txt', [BO, DI]],
    ['Exchange, as a trace of messages', 'exchange-trace.csv', [BO, DI]],
    ['Exim, which names all in one line', 'exim.eml', [BO, DI]],
    ['Exim, as a person copies it', 'exim-words.txt', [BO, DI]],
    ['Gmail', 'gmail.eml', [BO]],
    ['Gmail, as a person copies it', 'gmail-words.txt', [BO]],
    ['Amazon SES', 'ses.json', [BO, DI]],
    ['Amazon SES through SNS, one in a line', 'ses-sns.jsonl', [BO, DI]],
    ['Amazon SES, of the addresses that it keeps from', 'ses-suppressed.json', [BO]],
    ['Amazon SES, the same as a table', 'ses-suppressed.csv', [BO]],
    ['Mailgun, as a table', 'mailgun.csv', [BO, DI]],
    ['Mailgun, as events', 'mailgun-events.json', [BO]],
    ['SendGrid, as a table', 'sendgrid.csv', [BO, DI]],
    ['SendGrid, as events', 'sendgrid-events.json', [BO]],
  ])('%s', (_, file, addresses) => {
    const { corrections, refused } = read(file);
    expect(corrections.map(({ from, to }) => [from, to])).toEqual(
      addresses.map((address) => [address, null]),
    );
    expect(refused).toEqual([]);
  });

  it('a bounce report of a mail service gives the line of each address', () => {
    expect(read('exchange-trace.csv').corrections.map(({ line }) => line)).toEqual([3, 5]);
    expect(read('sendgrid.csv').corrections.map(({ line }) => line)).toEqual([2, 4]);
    expect(read('ses-sns.jsonl').corrections.map(({ line }) => line)).toEqual([2, 2]);
    expect(read('postfix.eml').corrections.map(({ line }) => line)).toEqual([27]);
  });
});

describe('a list of bounced messages', () => {
  it('is rejected when it is truncated', () => {
    expect(read('cut.txt')).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'unreadable' }],
    });
  });

  it('is rejected when it is an ordinary mail with other addresses', () => {
    const mail = 'From: office@we.example\nTo: bo@x.example\nSubject: Lease\n\nDear Bo\n';
    expect(readCorrections(mail)).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'no-report' }],
    });
  });

  it('uses the original recipient of a report without a final one', () => {
    const report = 'Original-Recipient: <bo@x.example>\nAction: failed\nDiagnostic-Code: smtp; 550';
    expect(
      readCorrections(`${report}\n\nOriginal-Recipient: <cy@x.example>\nAction: delayed`),
    ).toEqual({
      corrections: [{ line: 1, from: BO, to: null }],
      refused: [],
    });
  });

  it('is rejected when no message bounced', () => {
    expect(read('all-well.log')).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'none-came-back' }],
    });
  });

  it('with a heading of its own is not a list of corrections', () => {
    const { corrections } = readCorrections('Email;New email\na@x.example;b@x.example');
    expect(corrections).toEqual([{ line: 2, from: 'a@x.example', to: 'b@x.example' }]);
  });
});
