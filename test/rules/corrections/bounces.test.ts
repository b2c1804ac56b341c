import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { readCorrections } from '../../../shared/rules/corrections/list.ts';

const read = (file: string) =>
  readCorrections(readFileSync(place(`test/fixtures/bounces/${file}`), 'utf8'));
const BO = 'bo@x.example';
const DI = 'di@gone.example';

describe('the reader of bounce reports understands', () => {
  it.each([
    [
      'a log of Postfix, most of which is about delivered or delayed messages',
      'postfix.log',
      [BO, DI],
    ],
    ['a log of Sendmail', 'sendmail.log', [BO]],
    ['a log of Exim', 'exim.log', [BO, DI]],
    ['a Postfix report with a delayed message, and the message itself', 'postfix.eml', [BO]],
    ['an Exchange report', 'exchange.eml', [BO]],
    ['an Exchange report as a person copies it', 'exchange-words.txt', [BO, DI]],
    ['a message trace of Exchange', 'exchange-trace.csv', [BO, DI]],
    ['an Exim report with all addresses in one line', 'exim.eml', [BO, DI]],
    ['an Exim report as a person copies it', 'exim-words.txt', [BO, DI]],
    ['a Gmail report', 'gmail.eml', [BO]],
    ['a Gmail report as a person copies it', 'gmail-words.txt', [BO]],
    ['an Amazon SES report', 'ses.json', [BO, DI]],
    ['Amazon SES reports through SNS, one in each line', 'ses-sns.jsonl', [BO, DI]],
    ['the list of addresses that Amazon SES suppresses', 'ses-suppressed.json', [BO]],
    ['the addresses that Amazon SES suppresses, as a table', 'ses-suppressed.csv', [BO]],
    ['Mailgun reports as a table', 'mailgun.csv', [BO, DI]],
    ['Mailgun reports as events', 'mailgun-events.json', [BO]],
    ['SendGrid reports as a table', 'sendgrid.csv', [BO, DI]],
    ['SendGrid reports as events', 'sendgrid-events.json', [BO]],
  ])('%s', (_, file, addresses) => {
    const { corrections, refused } = read(file);
    expect(corrections.map(({ from, to }) => [from, to])).toEqual(
      addresses.map((address) => [address, null]),
    );
    expect(refused).toEqual([]);
  });

  it('reports of mail services, and gives the line of each address', () => {
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

  it('is rejected when it is an ordinary email with other addresses', () => {
    const mail = 'From: office@we.example\nTo: bo@x.example\nSubject: Lease\n\nDear Bo\n';
    expect(readCorrections(mail)).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'no-report' }],
    });
  });

  it('uses the original recipient of a bounce report that has no final recipient', () => {
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
