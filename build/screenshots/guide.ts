import { mkdir, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import type { TemplateContent } from '../../shared/model/template.ts';
import { chooseArchiveFolder } from '../../test/app/support/archive-folder.ts';
import { startDeskApp } from '../../test/app/support/desk.ts';
import { furnish, type FurnishedDesk, show } from '../../test/app/support/furnished-desk.ts';
import { leaseForm } from '../../test/app/support/lease-form.ts';
import { apiOf } from '../../test/app/support/prepared-draft.ts';
import { beginRule, discardRule } from '../../test/app/support/rules.ts';
import { questionOf } from '../../test/app/support/steps.ts';
import { goToPlace } from '../../test/app/support/places.ts';
import { overlays, screenViews, type View } from '../../test/app/support/views.ts';
import { words } from '../../test/app/support/words.ts';
import { HEADER as PEOPLE_HEADER, people } from '../../test/support/desks/batch-desk.ts';
import { place } from '../places.ts';

/** Name of the picture that shows the whole window and its parts. */
const WHOLE_WINDOW_PICTURE = 'agreements';
/** Format of the pictures: a third of the size of a PNG, with equally sharp text. */
const PICTURE_FORMAT = { format: 'webp', quality: 90 } as const;
const GUIDE_PICTURES_FOLDER = place('renderer/guide/pictures');
/**
 * Size of the window in CSS pixels: wide enough for a list next to its details, and small enough
 * that a page of the guide shows most of it.
 */
const GUIDE_WINDOW_SIZE = { width: 1120, height: 660 } as const;
/** Margin around a dialog, in CSS pixels. */
const DIALOG_MARGIN = 24;
/** Steps in the window that lead to the content of a picture. */
type SceneSetup = (app: FurnishedDesk) => Promise<void>;

/** The pictures of the guide; each depends on the results of the pictures before it. */
const scenes: Readonly<Record<string, SceneSetup>> = {
  agreements: sceneOfView('agreements, a row chosen'),
  template: openTemplate,
  draft: sceneOfPlace('draft v1'),
  'send-check': sceneOfView('check before a send'),
  'batch-check': openBatch,
  review,
  archive: archiveSome,
  rule: editRule,
  unknown: sceneOfPlace('unknown send'),
  decide: sceneOfView('decision about a send'),
  evidence: openEvidence,
  'signing-queue': sceneOfPlace('signing'),
  'link-question': sceneOfView('draft from a link'),
  board: sceneOfPlace('board'),
  outbox: sceneOfPlace('outbox'),
  people: sceneOfPlace('people'),
  corrections: sceneOfPlace('people, corrections'),
  summary: sceneOfView('what happened'),
  shortcuts: sceneOfView('shortcut sheet'),
  'reminder-rule': sceneOfView('reminder rule'),
  'watched-folder': sceneOfView('watched folder'),
  'backup-setup': sceneOfView('backup setup'),
  'backup-open': sceneOfView('opening a backup'),
  move: sceneOfView('moving to another computer'),
  connections: sceneOfPlace('connections'),
  office: sceneOfPlace('office'),
  network: sceneOfPlace('network'),
  sending: sceneOfPlace('sending'),
  privacy: sceneOfPlace('privacy'),
  export: sceneOfPlace('takeout'),
  updates: sceneOfPlace('updates'),
  'drawn-fields': sceneOfPlace('drawn fields'),
};

/**
 * Takes the pictures of the guide again, in English, in the light theme, and as small as they are
 * readable.
 */
export async function shootGuide(): Promise<void> {
  await rm(GUIDE_PICTURES_FOLDER, { recursive: true, force: true });
  await mkdir(GUIDE_PICTURES_FOLDER, { recursive: true });
  const first = await startDeskApp({ language: 'en', size: GUIDE_WINDOW_SIZE });
  try {
    await first.page.getByTestId('choice.demo').waitFor();
    await shootScene(first, 'first-start');
  } finally {
    await first.close();
  }
  const app = await furnish({ language: 'en', size: GUIDE_WINDOW_SIZE });
  try {
    for (const [name, open] of Object.entries(scenes)) {
      await open(app);
      await shootScene(app, name);
      // Escape keeps a changed rule open, and asks about a started backup.
      if (name === 'rule') await discardRule(app.page, 'rule.drawer');
      else if (name === 'backup-setup') await viewOf('backup setup').leave?.(app);
      else await app.page.keyboard.press('Escape');
      await questionOf(app.page).or(app.page.getByRole('dialog')).waitFor({ state: 'detached' });
    }
  } finally {
    await app.close();
  }
}

/** Area of the page, in CSS pixels. */
interface PicturePart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
type PictureSource = Pick<FurnishedDesk, 'page' | 'folder'>;

async function shootScene({ page, folder }: PictureSource, name: string): Promise<void> {
  const own = `${userInfo().username} · ${hostname()}`;
  await page.evaluate(replaceTexts, [
    { from: folder, to: '/home/karin' },
    { from: own, to: 'karin · office' },
  ]);
  await page.emulateMedia({ colorScheme: 'light' });
  const devtools = await page.context().newCDPSession(page);
  const clip = { ...(await partOf(page, name)), scale: 1 };
  const { data } = await devtools.send('Page.captureScreenshot', { ...PICTURE_FORMAT, clip });
  await devtools.detach();
  await writeFile(path.join(GUIDE_PICTURES_FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
}

/**
 * Returns the area that a picture shows: the open dialog, otherwise the screen. One picture shows
 * the whole window.
 */
async function partOf(page: Page, name: string): Promise<PicturePart> {
  const dialog = questionOf(page).or(page.getByRole('dialog'));
  if (name === WHOLE_WINDOW_PICTURE) return { x: 0, y: 0, ...GUIDE_WINDOW_SIZE };
  const isAsking = await dialog.isVisible();
  const box = await (isAsking ? dialog : page.getByRole('main')).boundingBox();
  if (box === null) throw new Error(`Nothing is shown for ${name}`);
  const margin = isAsking ? DIALOG_MARGIN : 0;
  // A drawer is at the edge of the window, where there is nothing beyond it.
  const [x, y] = [Math.max(0, box.x - margin), Math.max(0, box.y - margin)];
  return {
    x,
    y,
    width: Math.min(GUIDE_WINDOW_SIZE.width, box.x + box.width + margin) - x,
    height: Math.min(GUIDE_WINDOW_SIZE.height, box.y + box.height + margin) - y,
  };
}

interface TextReplacement {
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces names in the page, in which it runs: readers do not need to know the names of this
 * computer.
 */
function replaceTexts(names: readonly TextReplacement[]): void {
  for (const { from, to } of names) {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const node = texts.currentNode;
      if (node.textContent?.includes(from) !== true) continue;
      node.textContent = node.textContent.replaceAll(from, to);
    }
    for (const field of document.querySelectorAll('input')) {
      if (field.value.includes(from)) field.value = field.value.replaceAll(from, to);
    }
  }
}

function sceneOfPlace(name: string): SceneSetup {
  return (app) => goToPlace(app, name);
}

function viewOf(name: string): View {
  const view = [...screenViews, ...overlays].find((one) => one.name === name);
  if (view === undefined) throw new Error(`There is no view ${name}`);
  return view;
}

function sceneOfView(name: string): SceneSetup {
  return viewOf(name).open;
}

/**
 * Template of a lease, whose fields are filled from its parties, its questions and the current day.
 */
const LEASE_TEMPLATE: TemplateContent = {
  body: {
    api: 'v1',
    title: 'Lease {Tenant}',
    expireDays: 30,
    deleteDays: null,
    rest: {},
    roles: [
      {
        id: 'tenant',
        name: 'Tenant',
        party: {
          type: 'PRIVATE',
          country: 'SE',
          signingConfigurations: [{ type: 'EID', country: 'SE' }],
        },
      },
    ],
  },
  mapping: [
    { field: 'landlord', source: { from: 'fixed', value: 'Kontoret AB' } },
    { field: 'tenant', source: { from: 'party', role: 'tenant', datum: 'full-name' } },
    { field: 'pno', source: { from: 'party', role: 'tenant', datum: 'person-number' } },
    { field: 'rent', source: { from: 'question', question: 'rent' } },
    { field: 'from', source: { from: 'date', addDays: 30, format: 'yyyy-MM-dd' } },
    { field: 'number', source: { from: 'counter' } },
  ],
  questions: [
    { id: 'rent', label: 'Monthly rent', help: '', kind: 'text', options: [], required: true },
  ],
  counter: { prefix: 'L-', width: 3 },
  merge: 'here',
};

async function openTemplate(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  const api = apiOf(app);
  const bytes = app.desk.acceptBytes(new Uint8Array(await leaseForm()));
  const name = 'Lease 2026';
  const form = { name, api: 'v1', fileName: 'Lease 2026.pdf', bytes } as const;
  const { id, revision } = await api['templates.add'](form);
  await api['templates.save']({ id, revision, name, content: LEASE_TEMPLATE });
  await show(app, `#/templates/${id}`);
  await page.getByTestId('templates.tab.fields').click();
  await page.locator('[data-mark]').first().waitFor();
}

/** Opens a batch in whose file a spreadsheet program has shortened two of seven numbers. */
async function openBatch(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  const api = apiOf(app);
  const rows = people(7).map((line, at) =>
    [2, 4].includes(at) ? line.replace(/;\d{12};/, ';1,98001E+11;') : line,
  );
  const text = `\uFEFF${[PEOPLE_HEADER, ...rows].join('\r\n')}\r\n`;
  const bytes = app.desk.acceptBytes(new TextEncoder().encode(text));
  const [template] = (await api['templates.list']({})).filter(({ name }) => name === 'Lease 2026');
  const connection = (await api['connections.list']({})).find((one) => one.api === 'v1');
  const { id } = await api['batches.create']({
    name: 'Leases of the spring',
    fileName: 'leases.csv',
    bytes,
    choices: {},
    connectionId: connection?.id ?? null,
    templateId: template?.id ?? null,
  });
  await show(app, `#/batch/${id}/check`);
  await page.getByTestId('batch.summary').getByText(/\d/).waitFor();
  await page.keyboard.press('F8');
  await page.getByRole('grid').waitFor();
}

async function review(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  await goToPlace(app, 'signing');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
}

async function archiveSome(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  const folder = path.join(app.folder, 'Signed');
  await mkdir(folder);
  await goToPlace(app, 'archive');
  await chooseArchiveFolder(page, folder);
  await page.keyboard.press('Control+Shift+S');
  await page.getByTestId('archive.outcome').waitFor();
  await page.getByTestId('archive.verify').click();
  const verdict = page.getByTestId('archive.verdict');
  await verdict.getByRole('button', { name: words.close(), exact: true }).click();
}

async function editRule(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  await goToPlace(app, 'automation');
  await beginRule(page, 'archive');
  await page.getByLabel(words.archive_rule_name(), { exact: true }).fill('Every night');
  await page
    .getByLabel(words.archive_rule_folder(), { exact: true })
    .fill(path.join(app.folder, 'Signed'));
  await page.getByLabel(words.archive_rule_name(), { exact: true }).scrollIntoViewIfNeeded();
}

async function openEvidence(app: FurnishedDesk): Promise<void> {
  const { page } = app;
  await review(app);
  await page.getByTestId('signing.reviewed').click();
  await page.getByRole('checkbox', { checked: true, includeHidden: true }).first().waitFor({
    state: 'attached',
  });
  await show(app, '#/signing/evidence');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.getByRole('complementary').getByRole('heading').first().waitFor();
}
