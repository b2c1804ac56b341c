import { describe, expect, it } from 'vitest';
import { readCorrections } from '../../../shared/rules/corrections/list.ts';

const pairs = (text: string) =>
  readCorrections(text).corrections.map(({ from, to }) => [from, to] as const);
const refused = (text: string) => readCorrections(text).refused.map(({ problem }) => problem);

describe('a list of corrections', () => {
  it.each([
    ['a semicolon', 'ada@old.example; ada@new.example'],
    ['a comma', 'ada@old.example,ada@new.example'],
    ['a tab, as pasted from a sheet', 'ada@old.example\tada@new.example'],
    ['quotes, as a sheet exports it', '"ada@old.example";"ada@new.example"'],
    ['names and brackets around both', 'Ada <ada@old.example> → Ada <ada@new.example>.'],
  ])('is read with %s', (_, text) => {
    expect(pairs(text)).toEqual([['ada@old.example', 'ada@new.example']]);
  });

  it('accepts the name of a person or company instead of the old address', () => {
    expect(pairs('Ada Ek; ada@new.example\n"Ek & Co AB","ek@new.example"')).toEqual([
      ['Ada Ek', 'ada@new.example'],
      ['Ek & Co AB', 'ek@new.example'],
    ]);
  });

  it.each([
    ['a comma within it', 'Ek, Ada; ada@new.example', 'Ek, Ada'],
    ['signs within quotes', '"Ek; Ada, AB","ada@new.example"', 'Ek; Ada, AB'],
    ['its two halves in separate cells', 'Ada\tEk\tada@new.example', 'Ada Ek'],
    ['the number of its row before it', '17\tAda Ek\tada@new.example\tcall first', 'Ada Ek'],
    ['a personal number beside it', 'Ada Ek;19800101-9804;ada@new.example', 'Ada Ek'],
  ])('accepts a name with %s', (_, text, name) => {
    expect(pairs(text)).toEqual([[name, 'ada@new.example']]);
  });

  it('prefers the old address to a name next to it', () => {
    expect(pairs('Ada Ek\tada@old.example\tada@new.example')).toEqual([
      ['ada@old.example', 'ada@new.example'],
    ]);
    expect(refused('Ada Ek\tada@old.example\tada@old.example')).toEqual(['same-address']);
  });

  it('accepts a name that contains a number', () => {
    expect(pairs('Brf Kvarnen 412 Hus; brf@new.example\n450 Motor AB; motor@new.example')).toEqual([
      ['Brf Kvarnen 412 Hus', 'brf@new.example'],
      ['450 Motor AB', 'motor@new.example'],
    ]);
  });

  it('skips its heading, blank lines and remarks, and keeps the original line numbers', () => {
    const text = 'Old address;New address\r\n\r\n# moved in May\r\na@x.example;b@x.example';
    expect(readCorrections(text)).toEqual({
      corrections: [{ line: 4, from: 'a@x.example', to: 'b@x.example' }],
      refused: [],
    });
  });

  it('keeps an apostrophe within an address, and removes surrounding quotes', () => {
    expect(pairs("'o'brien@x.example'; 'o'brien@y.example'")).toEqual([
      ["o'brien@x.example", "o'brien@y.example"],
    ]);
  });

  it('reports each line that cannot be used, with its number', () => {
    const lines = [
      'a@x.example;b@x.example',
      'nobody',
      'a@x.example;b@x.example;c@x.example',
      'c@x.example;c@@x',
      'c@x.example;d@x.',
      'd@x.example;D@X.example',
      'A@x.example;e@x.example',
    ];
    expect(readCorrections(lines.join('\n')).refused).toEqual([
      { line: 2, problem: 'no-address' },
      { line: 3, problem: 'several-addresses' },
      { line: 4, problem: 'address-wrong' },
      { line: 5, problem: 'address-wrong' },
      { line: 6, problem: 'same-address' },
      { line: 7, problem: 'said-before' },
    ]);
  });

  it.each(['a@x.example;bad', 'a@x.example, b(at)x.example', 'a@x.example\tb.x.example'])(
    'rejects the line “%s” with an invalid new address, and does not read it as a bounce (FE-N14)',
    (line) => {
      expect(readCorrections(line)).toEqual({
        corrections: [],
        refused: [{ line: 1, problem: 'address-wrong' }],
      });
    },
  );

  it.each(['a@x.example;bounced', 'a@x.example;550', 'a@x.example;', 'a@x.example;Ada Ek'])(
    'reads the line “%s” as a bounced message (FE-N14)',
    (line) => {
      expect(pairs(line)).toEqual([['a@x.example', null]]);
    },
  );

  it('contains a correction once, even if the text gives it twice', () => {
    expect(pairs('a@x.example;b@x.example\na@x.example;b@x.example')).toHaveLength(1);
  });
});

describe('bounce texts of mail servers', () => {
  it.each([
    [
      'a line of Postfix, with the address that it was rewritten from',
      'Nov 25 05:00:01 mx postfix/smtp[99]: 4XyZ: to=<ada@x.example>, orig_to=<sales@x.example>, relay=mx.x.example[192.0.2.1]:25, delay=1, dsn=5.1.1, status=bounced (host mx.x.example said: 550 5.1.1 <ada@x.example>: Recipient address rejected)',
    ],
    ['a reply of SMTP', '550 5.1.1 <ada@x.example>: Recipient address rejected, user unknown'],
    ['a reply without a status', '550 ada@x.example no such mailbox; try later'],
    ['an address alone', 'ada@x.example'],
  ])('are read as an address without a correction: %s', (_, text) => {
    expect(pairs(text)).toEqual([['ada@x.example', null]]);
  });

  it('give only the recipients of a report (RFC 3464)', () => {
    const report = [
      'Reporting-MTA: dns; mx.x.example',
      'X-Postfix-Sender: rfc822; office@we.example',
      '',
      'Final-Recipient: rfc822; ada@x.example',
      'Original-Recipient: rfc822;sales@x.example',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 <ada@x.example>: unknown',
    ].join('\n');
    expect(pairs(report)).toEqual([['ada@x.example', null]]);
    expect(refused(report)).toEqual([]);
  });
});
