// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  expectFocus,
  expectGone,
  expectSeen,
  fill,
  goTo,
  press,
  questionOf,
  rowOf,
} from '../support/steps.ts';
import { titleOf, waitForUs } from '../support/waiting.ts';
import { words } from '../support/words.ts';

const MISTYPED = '559999-0009';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await waitForUs(app, 1);
});

afterAll(() => app.close());

it('the queue shows that our organisation number may be wrong, and leads to the field that corrects it', async () => {
  const api = apiOf(app);
  const old = (await api['connections.list']({})).find((one) => one.api === 'v2');
  if (old === undefined) throw new Error('no connection of API v2');
  await api['connections.setOrgNo']({ id: old.id, orgNo: MISTYPED });
  await goTo(page, 'Control+Digit6', words.screen_signing());
  const notice = page.getByTestId('signing.other-companies');
  await expectSeen(notice.getByText(app.demo.company.orgNo));
  await expectGone(rowOf(page, titleOf.v2(1)));
  await audit(page);
  await press(page, notice.getByRole('button', { name: words.signing_other_change() }));
  const field = questionOf(page).getByLabel(words.connection_org_no());
  await expectFocus(field);
  expect(await field.inputValue()).toBe(MISTYPED);
  await expectSeen(questionOf(page).getByText(words.problem_check_digit()).first());
  await audit(page);
  await fill(page, field, app.demo.company.orgNo);
  await press(
    page,
    questionOf(page).getByRole('button', { name: words.connection_reach_confirm() }),
  );
  await expectGone(questionOf(page));
  await goTo(page, 'Control+Digit6', words.screen_signing());
  await expectSeen(rowOf(page, titleOf.v2(1)));
  await expectGone(notice);
});
