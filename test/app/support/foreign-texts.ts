import type { Page } from 'playwright';
import { DEFAULT_NAME_PATTERN } from '../../../shared/contract/settings.ts';
import { localesV1 } from '../../../shared/model/agreement-v1.ts';
import type { FurnishedDesk } from './furnished-desk.ts';
import { apiOf } from './prepared-draft.ts';
import { STAND_IN } from './pseudo-window.ts';
import { readAll } from './read-all.ts';
import { linked, WATCHED } from './views.ts';

/**
 * Minimum length of a text to look for: shorter ones are symbols, and would be found within words.
 */
const LEAST = 2;
/** Names of keys, files and standards, the same in every language. */
const NAMES =
  'Ctrl Cmd Alt Shift Enter Esc Tab Space Home End Del Delete Backspace PageUp PageDown Page Up Down ' +
  'MIT PDF CSV XLSX XLS JSON XML SHA API REST BankID UTC UTF ISO HTML URL UUID BagIt ETag ID SMS KB MB GB ' +
  'kB byte bytes Byte utf windows px pt Signing Desk Pro Legacy';
/** The form of the two drafts, whose fields are named like codes. */
const FORM = ['tenant', 'rent', 'accepted'];
/** Names in the watched folder that one screen shows: the folder itself and its contents. */
const WATCHED_NAMES = [WATCHED, 'Inkorg', 'Hyresavtal', 'bild.jpg'];
/** Owner of the demo's account, whom the notifications of an agreement name. */
const OWNER = ['Karin Lindqvist', 'karin.lindqvist@example.com'];
const CODE = /^[a-z]+(?:-[a-z]+)*$/;

/** Displayed texts that are not texts of the window. */
interface Data {
  /** Titles, names, paths and other stored data; the longest first. */
  readonly texts: readonly RegExp[];
  /** Names from the browser, of keys and of standards. */
  readonly words: ReadonlySet<string>;
}

export async function dataOf(app: FurnishedDesk): Promise<Data> {
  const { texts, names } = await readDesk(app);
  const all = [
    ...[...texts].filter((text) => !CODE.test(text)),
    ...names,
    ...FORM,
    ...WATCHED_NAMES,
    ...OWNER,
  ];
  return {
    texts: all
      .filter((text) => text.length >= LEAST)
      .toSorted((one, other) => other.length - one.length)
      .map(whole),
    words: new Set([...NAMES.split(' '), ...(await platformWords(app.page))]),
  };
}

/** Matches a text as a whole word. */
function whole(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<!\p{L})${literal}(?!\p{L})`, 'gu');
}

const everybody = {
  text: '',
  group: null,
  sort: 'name',
  direction: 'ascending',
  from: 0,
  limit: 100,
} as const;

/** Returns all texts in answers of the core; names that look like the core's codes are separate. */
async function readDesk(app: FurnishedDesk) {
  const api = apiOf(app);
  const { drafts, samples } = app;
  const agreements = await api['agreements.list']({ limit: 500 });
  const template = await api['templates.get']({ id: samples.template });
  const asked = { id: samples.batch, filter: 'all', offset: 0, limit: 100 } as const;
  const batch = await api['batches.rows'](asked);
  const answers = await Promise.all([
    ...agreements.items.map(({ connectionId, id }) =>
      api['agreements.show']({ connectionId, id, refresh: false }),
    ),
    api['connections.list']({}),
    api['drafts.show']({ id: drafts.v1 }),
    api['drafts.show']({ id: drafts.v2 }),
    api['batches.show']({ id: samples.batch }),
    api['outbox.list']({}),
    api['evidence.list']({}),
    api['archive.list']({}),
    api['archive.preview']({ pattern: DEFAULT_NAME_PATTERN, filter: {} }),
    api['identities.list']({}),
    api['host.describe']({}),
    api['settings.read']({}),
    api['people.groups']({}),
    api['people.window'](everybody),
    Promise.resolve(linked),
  ]);
  const texts = new Set([app.folder, app.dataDir]);
  for (const answer of [agreements, template, batch, ...answers]) gather(answer, texts);
  const fields = template.content.mapping.map(({ field }) => field);
  return { texts, names: [...fields, ...batch.rows.flatMap(({ cells }) => cells)] };
}

function gather(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') into.add(value.trim());
  else if (typeof value === 'object' && value !== null) {
    for (const inside of Object.values(value)) gather(inside, into);
  }
}

/** The browser's words for days, durations, lists, countries, languages and time zones. */
const platformWords = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ language, locales }) => {
      const words = new Set<string>();
      const add = (text: string | undefined): void => {
        for (const [word] of (text ?? '').matchAll(/\p{L}+/gu)) words.add(word);
      };
      add(new Intl.ListFormat(language).format(['1', '2']));
      const lengths = ['short', 'narrow', 'long'] as const;
      for (let month = 0; month < 12; month += 1) {
        const day = new Date(Date.UTC(2026, month, month + 1));
        for (const style of lengths) {
          const parts = { day: 'numeric', month: style, weekday: style } as const;
          add(new Intl.DateTimeFormat(language, parts).format(day));
          add(new Intl.DateTimeFormat(language, { day: 'numeric', month: style }).format(day));
        }
        add(new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(day));
      }
      const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
      for (const style of lengths) {
        const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
        for (const unit of units) {
          for (const count of [-30, -2, -1, 0, 1, 2, 30]) add(relative.format(count, unit));
          const length = new Intl.NumberFormat(language, {
            style: 'unit',
            unit,
            unitDisplay: style,
          });
          for (const count of [0, 1, 2]) add(length.format(count));
        }
      }
      for (const zone of Intl.supportedValuesOf('timeZone')) add(zone.replaceAll('_', ' '));
      const languages = new Intl.DisplayNames(language, { type: 'language' });
      for (const locale of locales) add(languages.of(locale));
      const countries = new Intl.DisplayNames(language, { type: 'region' });
      const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
      for (const first of letters) for (const next of letters) add(countries.of(first + next));
      return [...words];
    },
    { language: STAND_IN, locales: localesV1.map((one) => one.replace('_', '-')) },
  );

interface Read {
  /** Texts that are neither in a catalogue nor data. */
  readonly left: readonly string[];
  readonly count: number;
}

/** Reads visible and spoken texts of the page, without parts that declare another language. */
export async function foreignTexts(page: Page, data: Data): Promise<Read> {
  const texts = await readAll(page);
  const left = texts.filter((text) => wordsLeft(text, data).length > 0);
  return { left, count: texts.length };
}

/**
 * Words of a text that remain after all known texts are removed. Texts between « and » come in
 * pairs, which are nested if a value is a sentence.
 */
function wordsLeft(text: string, { texts, words }: Data): readonly string[] {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    // A label of a chart without space is cut in the middle.
    rest = rest.replaceAll(/«[^«»]*(?:»|…$)/gu, ' ');
  }
  for (const one of texts) rest = rest.replaceAll(one, ' ');
  return [...rest.matchAll(/\p{L}{2,}/gu)].map(([word]) => word).filter((word) => !words.has(word));
}
