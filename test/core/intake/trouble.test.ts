import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTLED_MS } from '../../../electron/core/intake/look.ts';
import { startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { pdf, watchedFolder } from './watched-folder.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

describe('a file being written', () => {
  /** Simulates another program that writes between the two checks of a run. */
  const writtenBetween = (write: (file: string) => void) => {
    let looks = 0;
    return watchedFolder((world) => ({
      watched: {
        ...world.watched,
        list(folder) {
          looks += 1;
          if (looks === 2) write(path.join(folder, 'a.pdf'));
          return world.watched.list(folder);
        },
      },
    }));
  };

  it('waits until its size is the same at two checks', async () => {
    using place = writtenBetween((file) => {
      const { mtime } = lstatSync(file);
      appendFileSync(file, ' more');
      utimesSync(file, mtime, mtime);
    });
    place.put('a.pdf', pdf('a'));
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 1 });
    expect(await place.take()).toMatchObject({ drafts: 1 });
    expect(place.text('done', 'a.pdf')).toBe(`${pdf('a')} more`);
  });

  it('waits until its time is the same at two checks', async () => {
    using place = writtenBetween((file) => utimesSync(file, 1, 2));
    place.put('a.pdf', pdf('a'));
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 1 });
    expect(await place.take()).toMatchObject({ drafts: 1 });
  });

  it('is not imported when it changes while it is read', async () => {
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        read(folder, seen) {
          writeFileSync(path.join(folder, seen.name), pdf('b'));
          return world.watched.read(folder, seen);
        },
      },
    }));
    place.put('a.pdf', pdf('a'));
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 1 });
    expect(place.names()).toEqual(['a.pdf']);
  });

  it('may pause for minutes, as a scanner does, before an incomplete PDF is refused', async () => {
    using place = watchedFolder();
    place.put('scan.pdf', 'the first page', 0);
    expect(await place.take()).toMatchObject({ refused: 0, waiting: 1 });
    place.clock.leap(9 * MINUTE);
    expect(await place.take()).toMatchObject({ refused: 0, waiting: 1 });
    place.put('scan.pdf', pdf('all pages'), 0);
    expect(await place.take()).toMatchObject({ drafts: 1 });
    place.put('bad.pdf', 'never a PDF', 0);
    expect(await place.take()).toMatchObject({ refused: 0, waiting: 1 });
    place.clock.leap(10 * MINUTE);
    expect(await place.take()).toMatchObject({ refused: 1, waiting: 0 });
    expect(place.text('refused', 'bad.pdf.txt')).toBe(
      'bad.pdf: This file is not a PDF. Save it as a PDF and add it again.\n\n' +
        'invalid · not-a-pdf · Not a PDF\n',
    );
  });

  it('waits while its sidecar file is incomplete, and is refused if it stays so', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"title":"Lea');
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 1 });
    place.put('a.json', '{"title":"Lea', SETTLED_MS);
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 1 });
  });

  it('copied with its old time counts as complete immediately', async () => {
    using place = watchedFolder();
    place.put('bad.pdf', 'never a PDF', 24 * 60 * MINUTE);
    expect(await place.take()).toMatchObject({ refused: 1 });
  });

  it('is ignored when its name marks it as temporary', async () => {
    using place = watchedFolder();
    for (const name of ['a.pdf.part', '.b.pdf', '~$c.pdf', 'd.crdownload', 'Thumbs.db']) {
      place.put(name, 'half');
    }
    mkdirSync(place.at('More.pdf'));
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 0 });
    expect(place.names()).toHaveLength(5);
  });
});

describe('an import from a folder', () => {
  it('that is killed between draft and move creates no second draft, and counts the file once', async () => {
    let isCut = true;
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        async move(...moved) {
          if (isCut) throw new Error('killed');
          return world.watched.move(...moved);
        },
      },
    }));
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"title":"A"}');
    expect((await place.jobOf()).failure).toMatchObject({ code: 'unexpected' });
    expect(await place.drafts()).toHaveLength(1);
    expect(place.names()).toEqual(['a.json', 'a.pdf']);
    isCut = false;
    expect(await place.take()).toMatchObject({ drafts: 0, again: 0 });
    expect(place.names('done')).toEqual(['a.json', 'a.pdf']);
    expect(await place.drafts()).toHaveLength(1);
  });

  it('that is killed between moving the PDF and its sidecar file moves the sidecar file later', async () => {
    let moves = 0;
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        async move(...moved) {
          moves += 1;
          if (moves === 2) throw new Error('killed');
          return world.watched.move(...moved);
        },
      },
    }));
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"title":"A"}');
    await place.jobOf();
    expect(place.names()).toEqual(['a.json']);
    expect(await place.take()).toMatchObject({ drafts: 0, waiting: 0 });
    expect(place.names('done')).toEqual(['a.json', 'a.pdf']);
  });

  it('that is killed while creating the draft leaves no trace of the file', async () => {
    using place = watchedFolder();
    const { drafts } = place.world.stores;
    const { addFile } = drafts;
    place.put('a.pdf', pdf('a'));
    Object.assign(drafts, {
      addFile: () => {
        throw new Error('killed');
      },
    });
    expect((await place.jobOf()).failure).toMatchObject({ code: 'unexpected' });
    expect(await place.drafts()).toEqual([]);
    Object.assign(drafts, { addFile });
    expect(await place.take()).toMatchObject({ drafts: 1 });
  });

  it('in two processes at once creates one draft of each file', async () => {
    using place = watchedFolder();
    for (let at = 0; at < 20; at += 1) place.put(`${at}.pdf`, pdf(String(at)));
    const other = startMemoryDesk(place.world);
    const order = { ...place.terms, stays: false };
    const [one, two] = await Promise.all(
      [place.desk, other].map(async (desk) => {
        const { jobId } = await desk.api['intake.watch'](order);
        return desk.finish(jobId);
      }),
    );
    expect([one?.failure, two?.failure]).toEqual([null, null]);
    expect(await place.drafts()).toHaveLength(20);
    expect(place.names('done')).toHaveLength(20);
  });
});

describe('a file that cannot be imported', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['a file without the extension of a PDF', 'a.docx', 'word', 'Only PDF files are imported'],
    ['a .json file that is cut off', 'a.json', '{"title":', 'JSON'],
    ['an unknown key', 'a.json', '{"titel":"A"}', 'unknown or malformed entries: {…}'],
    ['an API that does not exist', 'a.json', '{"api":"v3"}', 'unknown or malformed entries: api'],
    [
      'a connection that does not exist',
      'a.json',
      '{"connection":"X"}',
      'No connection here has the name',
    ],
    [
      'a template that does not exist',
      'a.json',
      '{"template":"X"}',
      'No template here has the name',
    ],
    [
      'an invalid email address',
      'a.json',
      '{"parties":[{"email":"x"}]}',
      'Party 1 (email) has invalid data.',
    ],
    [
      'a role without a template',
      'a.json',
      '{"parties":[{"firstName":"A","role":"Tenant"}]}',
      'there is no template that defines roles',
    ],
    [
      'two rows of one file with different data',
      'a.csv',
      'file;title\na.pdf;One\na.pdf;Two\n',
      'have different data',
    ],
    ['an invalid API in a row', 'a.csv', 'file;api\na.pdf;v9\n', 'must be v1 or v2'],
  ];
  it.each(cases)('is refused with an explanation: %s', async (_, name, content, sentence) => {
    using place = watchedFolder();
    place.put(name, content, 24 * 60 * MINUTE);
    if (name !== 'a.docx') place.put('a.pdf', pdf('a'));
    const { refused, refusals, drafts } = await place.take();
    expect([refused, drafts]).toEqual([1, 0]);
    const [note] = place.names('refused').filter((one) => one.endsWith('.txt'));
    expect(place.text('refused', note ?? '')).toContain(sentence);
    expect(refusals[0]?.failure.message).toContain(sentence);
    expect(await place.drafts()).toEqual([]);
  });

  it('gives the reason in the language of the window', async () => {
    using place = watchedFolder();
    await place.api['settings.write']({ language: 'sv' });
    place.put('a.docx', 'word');
    place.put('b.csv', 'file;title\nb.pdf;En\nb.pdf;Två\n');
    place.put('b.pdf', pdf('b'));
    expect(await place.take()).toMatchObject({ refused: 2 });
    expect(place.text('refused', 'a.docx.txt')).toMatch(/^a\.docx: Bara PDF-filer importeras/);
    const [sentence, , facts] = place.text('refused', 'b.pdf.txt').split('\n');
    expect(sentence).toBe('b.pdf: Raderna 2, 3 har olika uppgifter om samma fil.');
    expect(facts).toContain('Rows 2, 3 have different data for the same file.');
  });

  it('is not read when it is a link, a pipe, or larger than the limits', async () => {
    using place = watchedFolder();
    writeFileSync(path.join(place.base, 'secret.pdf'), pdf('secret'));
    symlinkSync(path.join(place.base, 'secret.pdf'), place.at('link.pdf'));
    execFileSync('mkfifo', [place.at('pipe.pdf')]);
    place.put('large.pdf', pdf('a'));
    truncateSync(place.at('large.pdf'), 64 * 1024 * 1024 + 1);
    place.put('data.json', '{}');
    truncateSync(place.at('data.json'), 300_000);
    place.put('data.pdf', pdf('b'));
    const { refusals } = await place.take();
    expect(refusals.map(({ file, failure }) => [file, failure.reason])).toEqual([
      ['data.pdf', 'intake-large'],
      ['large.pdf', 'intake-large'],
      ['link.pdf', 'intake-link'],
      ['pipe.pdf', 'intake-link'],
    ]);
    expect(place.names()).toEqual([]);
    expect(lstatSync(place.at('refused', 'link.pdf')).isSymbolicLink()).toBe(true);
    expect(place.text('refused', 'pipe.pdf.txt')).toContain('not an ordinary file');
  });

  it('is refused for a name that leads outside the folder or hides its type', async () => {
    using place = watchedFolder();
    place.put('x\\..\\a.pdf', pdf('a'));
    place.put('b\u202efdp.pdf', pdf('b'));
    place.put('list.csv', 'file;title\n../secret.pdf;Secret\n');
    const { refusals } = await place.take();
    expect(refusals.map(({ failure }) => failure.reason)).toEqual([
      'intake-name',
      'intake-name',
      'intake-data',
    ]);
    expect(place.text('refused', 'list.csv.txt')).toContain(
      'Row 2 does not name a file in this folder',
    );
    expect(place.names()).toEqual([]);
  });

  it('is reported without the personal number in its name', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"parties":[{"firstName":"Åsa","personNumber":"19900101-9999x"}]}');
    await place.take();
    const note = place.text('refused', 'a.pdf.txt');
    expect(note).toContain('Party 1 (personNumber) has invalid data');
    expect(note).not.toContain('9999');
    expect(place.names('refused')).toEqual(['a.json', 'a.json.txt', 'a.pdf', 'a.pdf.txt']);
  });

  it('never overwrites a file with the name of its note', async () => {
    using place = watchedFolder();
    place.put('a.pdf.txt', 'mine');
    await place.take();
    place.put('a.pdf', 'no PDF', 24 * 60 * MINUTE);
    await place.take();
    expect(place.text('refused', 'a.pdf.txt')).toBe('mine');
    expect(place.text('refused', 'a (2).pdf.txt')).toContain('not a PDF');
  });

  it('does not stop the import of other files', async () => {
    using place = watchedFolder();
    place.put('bad.pdf', 'no PDF', 24 * 60 * MINUTE);
    place.put('good.pdf', pdf('a'));
    expect(await place.take()).toMatchObject({ drafts: 1, refused: 1 });
  });
});

describe('a disconnected drive', () => {
  it('fails the run, refuses no file, and has its files imported when it is back', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    const away = path.join(place.base, 'Away');
    renameSync(place.folder, away);
    expect((await place.jobOf()).failure).toMatchObject({ reason: 'folder-missing' });
    renameSync(away, place.folder);
    expect(await place.take()).toMatchObject({ drafts: 1, refused: 0 });
  });

  it('in the middle of a run leaves all files as they are', async () => {
    let leave = (): void => {};
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        read(...asked) {
          leave();
          return world.watched.read(...asked);
        },
      },
    }));
    place.put('a.pdf', pdf('a'));
    place.put('b.pdf', pdf('b'));
    const away = path.join(place.base, 'Away');
    let reads = 0;
    leave = () => {
      reads += 1;
      if (reads === 2) renameSync(place.folder, away);
    };
    const job = await place.jobOf();
    expect(job.failure).toMatchObject({ reason: 'folder-missing' });
    expect(job.result).toMatchObject({ drafts: 1, refused: 0 });
    renameSync(away, place.folder);
    expect(place.names()).toEqual(['b.pdf']);
    expect(await place.take()).toMatchObject({ drafts: 1, refused: 0 });
  });

  it('between draft and move creates no second draft when it is back', async () => {
    let leave = (): void => {};
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        move(...moved) {
          leave();
          return world.watched.move(...moved);
        },
      },
    }));
    place.put('a.pdf', pdf('a'));
    const away = path.join(place.base, 'Away');
    leave = () => renameSync(place.folder, away);
    expect((await place.jobOf()).failure).toMatchObject({ reason: 'folder-missing' });
    leave = () => {};
    renameSync(away, place.folder);
    expect(await place.take()).toMatchObject({ drafts: 0, again: 0 });
    expect(place.names('done')).toEqual(['a.pdf']);
    expect(await place.drafts()).toHaveLength(1);
  });

  it('with a link as its done folder moves nothing outside, and pauses the rule (SR-L8)', async () => {
    using place = watchedFolder();
    const elsewhere = path.join(place.base, 'Elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, place.at('done'));
    place.put('a.pdf', pdf('a'));
    expect((await place.jobOf()).failure).toMatchObject({ reason: 'folder-outside' });
    expect(place.names()).toContain('a.pdf');
    rmSync(place.at('done'));
    expect(await place.take()).toMatchObject({ drafts: 0 });
    expect(await place.drafts()).toHaveLength(1);
  });
});
