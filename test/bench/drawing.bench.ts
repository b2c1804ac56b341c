import { PDFDocument } from 'pdf-lib';
import type { Page } from 'playwright';
import type { BenchRow } from '../../build/bench.ts';
import type { Template } from '../../shared/contract/templates.ts';
import type { Drawing, DrawnField } from '../../shared/model/template.ts';
import { type DeskApp, startDeskApp } from '../app/support/desk.ts';
import { apiOf } from '../app/support/prepared-draft.ts';
import { tryDemo } from '../app/support/steps.ts';
import { median } from './median.ts';

export const name = 'drawing: fields on a page of a template, 200 beside one';

const MANY = 200;
const COLUMNS = 8;
const MOVES = 120;
const TIMES = 9;
/** Time of a frame on a screen that draws sixty a second (ms). */
const FRAME = 16;
const KEPT_WITHIN = 100;
/** Goal after a button press: the PDF is written, read again and validated in its thread (ms). */
const FORM_WITHIN = 100;

export async function run(): Promise<readonly BenchRow[]> {
  const app = await startDeskApp();
  try {
    await tryDemo(app.page);
    const many = await addTemplate(app, 'Many', MANY);
    const few = await addTemplate(app, 'One', 1);
    const one = await moved(app.page, few);
    const steps = await moved(app.page, many);
    return [
      {
        what: `moving one of ${String(MANY)} fields, 99 % of the steps / a frame`,
        ours: steps[Math.floor(steps.length * 0.99)] ?? Number.NaN,
        base: FRAME,
        goal: 1,
      },
      {
        what: `moving one of ${String(MANY)} fields / the only one, medians`,
        ours: median(steps),
        base: median(one),
        goal: 2,
      },
      ...(await saved(app, many)),
    ];
  } finally {
    await app.close();
  }
}

async function addTemplate(app: DeskApp, title: string, count: number): Promise<Template> {
  const file = await PDFDocument.create();
  file.addPage([595, 842]).drawText('A page of fields', { x: 40, y: 810, size: 12 });
  const bytes = app.desk.acceptBytes(await file.save());
  const add = { name: title, api: 'v1', fileName: `${title}.pdf`, bytes } as const;
  const { id, revision } = await apiOf(app)['templates.add'](add);
  return apiOf(app)['templates.draw']({ id, revision, drawing: fieldsOn(count) });
}

function fieldsOn(count: number): Drawing {
  const fields = Array.from({ length: count }, (_, at): DrawnField => {
    const [x, y] = [20 + (at % COLUMNS) * 70, 780 - Math.floor(at / COLUMNS) * 28];
    return {
      id: `field ${String(at)}`.replace(' ', '-'),
      name: `Field ${String(at)}`,
      kind: 'text',
      places: [{ page: 1, box: { x, y, width: 60, height: 18 } }],
      label: '',
      required: false,
      maxLength: null,
      fontSize: null,
      align: 'left',
      options: [],
      value: '',
      source: null,
    };
  });
  return { fields, found: [] };
}

/** Time of each step of a drag, from the event to the new layout of the page (ms); sorted. */
async function moved(page: Page, { id }: Template): Promise<readonly number[]> {
  await page.evaluate((to) => (window.location.hash = to), `#/templates/${id}/fields`);
  const box = page.locator('[data-field="Field 0"]');
  await box.waitFor();
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.evaluate(timeMoves);
  for (let at = 1; at <= MOVES; at += 1) {
    await page.mouse.move(x + width / 2 + at, y + height / 2 + (at % 40));
  }
  await page.mouse.up();
  const steps = await page.evaluate(() => Reflect.get(window, 'steps') as number[]);
  return steps.toSorted((one, other) => one - other);
}

function timeMoves(): void {
  const steps: number[] = [];
  Reflect.set(window, 'steps', steps);
  let begun = 0;
  window.addEventListener('pointermove', () => (begun = performance.now()), { capture: true });
  // Runs after the page's own listener, whose change is drawn by a task that is already queued.
  window.addEventListener('pointermove', () =>
    queueMicrotask(() => {
      document.querySelector('[data-field="Field 0"]')?.getBoundingClientRect();
      steps.push(performance.now() - begun);
    }),
  );
}

/** Waiting times of a user: after drawing a field, and when all fields become a form. */
async function saved(app: DeskApp, { id }: Template): Promise<readonly BenchRow[]> {
  const api = apiOf(app);
  const drawing = fieldsOn(MANY);
  const fields = drawing.fields.map(({ id: _id, ...field }) => field);
  const times = { draw: [] as number[], place: [] as number[] };
  for (let at = 0; at < TIMES; at += 1) {
    const { revision } = await api['templates.get']({ id });
    const begun = performance.now();
    const kept = await api['templates.draw']({ id, revision, drawing });
    const drawn = performance.now();
    await api['templates.place']({ id, revision: kept.revision, fields });
    times.draw.push(drawn - begun);
    times.place.push(performance.now() - drawn);
  }
  return [
    {
      what: `keeping ${String(MANY)} drawn fields / the most that it may take`,
      ours: median(times.draw),
      base: KEPT_WITHIN,
      goal: 1,
    },
    {
      what: `saving ${String(MANY)} fields as a form / the most that it may take`,
      ours: median(times.place),
      base: FORM_WITHIN,
      goal: 1,
    },
  ];
}
