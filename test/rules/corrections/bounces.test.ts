import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { readCorrections } from '../../../shared/rules/corrections/list.ts';

const read = (file: string) =>
  readCorrections(readFileSync(place(`test/fixtures/bounces/${file}`), 'utf8'));
const BO = 'bo@x.example';
const DI = 'di@gone.example';

describe('what came back is read as it was written by', () => {
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

  it('a service for mail names the line in which each stands', () => {
    expect(read('exchange-trace.csv').corrections.map(({ line }) => line)).toEqual([3, 5]);
    expect(read('sendgrid.csv').corrections.map(({ line }) => line)).toEqual([2, 4]);
    expect(read('ses-sns.jsonl').corrections.map(({ line }) => line)).toEqual([2, 2]);
    expect(read('postfix.eml').corrections.map(({ line }) => line)).toEqual([27]);
  });
});

describe('a list of what came back', () => {
  it('is refused where it was cut off', () => {
    expect(read('cut.txt')).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'unreadable' }],
    });
  });

  it('is refused where it is a mail that says nothing of the kind, in which every address is another', () => {
    const mail = 'From: office@we.example\nTo: bo@x.example\nSubject: Lease\n\nDear Bo\n';
    expect(readCorrections(mail)).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'no-report' }],
    });
  });

  it('takes the first receiver of a report that names no final one', () => {
    const report = 'Original-Recipient: <bo@x.example>\nAction: failed\nDiagnostic-Code: smtp; 550';
    expect(
      readCorrections(`${report}\n\nOriginal-Recipient: <cy@x.example>\nAction: delayed`),
    ).toEqual({
      corrections: [{ line: 1, from: BO, to: null }],
      refused: [],
    });
  });

  it('is refused where nothing came back', () => {
    expect(read('all-well.log')).toEqual({
      corrections: [],
      refused: [{ line: 1, problem: 'none-came-back' }],
    });
  });

  it('is no list of corrections with a heading of its own', () => {
    const { corrections } = readCorrections('Email;New email\na@x.example;b@x.example');
    expect(corrections).toEqual([{ line: 2, from: 'a@x.example', to: 'b@x.example' }]);
  });
});
