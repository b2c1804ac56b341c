import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright';
import { type FurnishedDesk, show } from './furnished-desk.ts';
import { words } from './words.ts';

const ROUTER = path.resolve(import.meta.dirname, '../../../renderer/window/router.svelte.ts');

/**
 * Names of the screens of the side bar, read from the router's source: the module itself runs only
 * in the page.
 */
export const screenNames: readonly string[] = [
  ...(/screenNames = \[([^\]]*)\]/.exec(readFileSync(ROUTER, 'utf8'))?.[1] ?? '').matchAll(
    /'(\w+)'/g,
  ),
].map((found) => found[1] ?? '');

/** An address of the page that has contents in the furnished data. */
export interface Place {
  readonly name: string;
  readonly hash: (app: FurnishedDesk) => string;
  /** Element that is present once the place is rendered. */
  readonly shown: (app: FurnishedDesk) => Locator;
}

const place = (
  name: string,
  hash: string | ((app: FurnishedDesk) => string),
  shown: (app: FurnishedDesk) => Locator,
): Place => ({ name, hash: typeof hash === 'string' ? () => hash : hash, shown });

export const grid = ({ page }: FurnishedDesk): Locator => page.getByRole('grid');
export const testid =
  (id: string) =>
  ({ page }: FurnishedDesk): Locator =>
    page.getByTestId(id).first();
const text =
  (said: () => string) =>
  ({ page }: FurnishedDesk): Locator =>
    page.getByText(said()).first();
const editorOf =
  (api: 'v1' | 'v2') =>
  ({ drafts }: FurnishedDesk): string =>
    `#/drafts/${drafts[api]}`;
const drawnForm = ({ page }: FurnishedDesk): Locator =>
  page.locator('main:has([data-testid="pdf.page"][data-drawn="1"])').getByLabel('tenant');

export const places: readonly Place[] = [
  place('agreements', '#/agreements', testid('agreements.grid')),
  place('board', '#/board', ({ page }) => page.getByTestId('board.waiting').getByRole('table')),
  place('drafts', '#/drafts', grid),
  place(
    'new draft',
    '#/drafts/new',
    text(() => words.drafts_new_for()),
  ),
  place('draft v1', editorOf('v1'), drawnForm),
  place('draft v2', editorOf('v2'), drawnForm),
  // Visit this place before the list: in a narrow window, its details cover the list.
  place('unknown send', ({ unknown }) => `#/outbox/${unknown}`, testid('outbox.details')),
  place('outbox', '#/outbox', testid('outbox.grid')),
  place('templates', '#/templates', testid('templates.tab.fields')),
  place(
    'drawn fields',
    ({ samples }) => `#/templates/${samples.template}/fields`,
    testid('draw.page'),
  ),
  place('batches', '#/batch', testid('batch.list')),
  ...[
    { step: 'columns', shown: testid('batch.step.columns') },
    { step: 'check', shown: testid('batch.grid') },
    { step: 'review', shown: testid('pdf.page') },
  ].map(({ step, shown }) =>
    place(`batch, ${step}`, ({ samples }) => `#/batch/${samples.batch}/${step}`, shown),
  ),
  place('signing', '#/signing', grid),
  place('evidence', '#/signing/evidence', ({ page }) =>
    page.getByRole('heading', { name: words.evidence_empty() }),
  ),
  place('archive', '#/archive', grid),
  place('automation', '#/automation', testid('automation.new')),
  place('people', ({ person }) => `#/people/${person}`, testid('people.pane')),
  place('person edited', ({ person }) => `#/people/${person}/edit`, testid('people.form')),
  place('people, duplicates', '#/people/duplicates', testid('people.pair')),
  place(
    'people, import',
    '#/people/import',
    text(() => words.people_import_lead()),
  ),
  place('people, corrections', '#/people/corrections', testid('corrections.list')),
  place('connections', '#/settings', testid('settings.connection')),
  place('network', '#/settings/network', testid('network.proxy')),
  place(
    'office',
    '#/settings/office',
    text(() => words.office_lead()),
  ),
  place(
    'identities',
    '#/settings/identities',
    text(() => 'Karin Lindqvist'),
  ),
  place(
    'appearance',
    '#/settings/appearance',
    text(() => words.settings_theme()),
  ),
  place(
    'sending',
    '#/settings/sending',
    text(() => words.settings_hold()),
  ),
  place(
    'notifications',
    '#/settings/notifications',
    text(() => words.settings_notify()),
  ),
  place(
    'archive place',
    '#/settings/archive',
    text(() => words.settings_archive_pattern()),
  ),
  place('backups', '#/settings/backups', testid('backup.more')),
  place('uploads', '#/settings/uploads', ({ page }) =>
    page.getByRole('heading', { level: 2 }).first(),
  ),
  place('privacy', '#/settings/privacy', testid('privacy.save')),
  place('takeout', '#/settings/takeout', testid('takeout.write')),
  place('data', '#/settings/data', testid('settings.doctor')),
  place('updates', '#/settings/updates', testid('updates.feed')),
  place(
    'shortcuts',
    '#/settings/shortcuts',
    text(() => words.sheet_lists()),
  ),
  place('licences', '#/settings/about', testid('settings.licences')),
  place('help', '#/help', testid('help.article')),
  place('help with pictures', '#/help/prepare-and-send', ({ page }) =>
    page.getByTestId('help.article').locator('img').first(),
  ),
];

/** Shows a place and waits until it is rendered. */
export async function goToPlace(app: FurnishedDesk, name: string): Promise<void> {
  const found = places.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no place ${name}`);
  await show(app, found.hash(app));
  await found.shown(app).waitFor();
}
