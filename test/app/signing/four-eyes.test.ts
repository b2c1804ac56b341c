// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  addIdentity,
  choose,
  expectFocus,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
  tabTo,
} from '../support/steps.ts';
import { reviewCurrent, signedOn, titleOf, waitForUs } from '../support/waiting.ts';
import { words } from '../support/words.ts';

const ALL = 2;

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await waitForUs(app, 1);
});

afterAll(() => app.close());

const grid = (): Locator => page.getByRole('grid');
const side = (): Locator => page.getByRole('complementary', { name: words.signing_details() });
const isRuleOn = async (): Promise<boolean> => (await apiOf(app)['settings.read']({})).fourEyes;
const sign = (count: number): Locator =>
  page.getByRole('button', { name: words.signing_sign({ count }) });

describe('the four-eyes rule', () => {
  it('is turned on in the settings, next to the signing persons', async () => {
    await addIdentity(page);
    const rule = page.getByLabel(words.settings_four_eyes());
    await tabTo(page, rule);
    await page.keyboard.press('Space');
    await expect.poll(isRuleOn).toBe(true);
  });

  it('is turned off only after a question, which first focuses Cancel', async () => {
    const rule = page.getByLabel(words.settings_four_eyes());
    await page.keyboard.press('Space');
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await audit(page);
    await page.keyboard.press('Escape');
    await expectFocus(rule);
    expect(await rule.isChecked()).toBe(true);
    expect(await isRuleOn()).toBe(true);
    await page.keyboard.press('Space');
    await press(page, questionOf(page).getByRole('button', { name: words.schedule_turn_off() }));
    await expect.poll(isRuleOn).toBe(false);
    await expectFocus(rule);
    expect(await rule.isChecked()).toBe(false);
    await page.keyboard.press('Space');
    await expect.poll(isRuleOn).toBe(true);
  });

  it('requires a second person, and shows a message while no second person exists', async () => {
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await moveToRow(page, titleOf.v2(1));
    for (const title of [titleOf.v2(1), titleOf.v1(1)]) {
      await reviewCurrent(page);
      const message = page.getByTestId('activity.message');
      await expectSeen(message.getByText(words.signing_review_waits({ title })));
    }
    await side().getByText(words.signing_no_approver()).waitFor();
    await grid()
      .getByText(words.signing_to_be_approved())
      .nth(ALL - 1)
      .waitFor();
    await expect.poll(() => sign(ALL).getAttribute('aria-disabled')).toBe('true');
    expect(await sign(ALL).getAttribute('title')).toBe(words.signing_why_lacking({ count: ALL }));
    await page.keyboard.press('Control+Enter');
    expect(await questionOf(page).count()).toBe(0);
  });

  it('lets the second person approve agreements one by one, and never the reviewer', async () => {
    await press(page, page.getByTestId('signing.approver.add'));
    const fields = questionOf(page);
    const first = fields.getByLabel(words.settings_identity_first_name());
    await expectFocus(first);
    await fill(page, first, 'Erik');
    await fill(page, fields.getByLabel(words.settings_identity_last_name()), 'Ek');
    const number = fields.getByLabel(words.settings_identity_number());
    await fill(page, number, '1890');
    await expectSeen(fields.getByText(words.reject_number_wrong()).first());
    await audit(page);
    await fill(page, number, '189001019802');
    await press(page, fields.getByRole('button', { name: words.signing_add_person() }));
    await expectFocus(page.getByTestId('signing.approver'));
    const message = page.getByTestId('activity.message');
    await expectSeen(message.getByText(words.settings_added({ name: 'Erik Ek' })));
    // The signing person may not approve. If no other person remains, a message asks for one.
    await choose(page, page.getByTestId('signing.as'), 'Erik');
    await moveToRow(page, titleOf.v2(1));
    await expectSeen(side().getByText(words.signing_signer_only({ name: 'Erik Ek' })));
    await choose(page, page.getByTestId('signing.as'), 'Karin');
    await moveToRow(page, titleOf.v2(1));
    const approver = page.getByTestId('signing.approver');
    await approver.waitFor();
    expect(await approver.getByRole('option').allTextContents()).toEqual([
      ...[words.signing_choose_approver(), 'Erik Ek'],
    ]);
    await choose(page, approver, 'Erik');
    await audit(page);
    await press(page, page.getByTestId('signing.approve'));
    await expectFocus(grid());
    await rowOf(page, titleOf.v2(1)).getByText(words.signing_approved(), { exact: true }).waitFor();
    await press(page, page.getByTestId('signing.approve'));
    await expectFocus(grid());
  });

  it('prevents the approver from signing, with the reason', async () => {
    await choose(page, page.getByTestId('signing.as'), 'Erik');
    await side().getByText(words.signing_why_other()).first().waitFor();
    await expect.poll(() => sign(ALL).getAttribute('aria-disabled')).toBe('true');
    // The option is selected directly: typed after the other name, this name would be added to it.
    await page.getByTestId('signing.as').selectOption('Karin Lindqvist');
    await sign(ALL).and(page.locator(':not([aria-disabled])')).waitFor();
  });

  it('is recorded in the evidence of each signature', async () => {
    await page.keyboard.press('Control+Enter');
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await press(
      page,
      questionOf(page).getByRole('button', { name: words.signing_sign({ count: ALL }) }),
    );
    await page.getByTestId('signing.outcome').waitFor();
    expect(signedOn(app.demo)).toBe(ALL);
    const { items } = await apiOf(app)['evidence.list']({});
    const approvals = items.filter(({ fact }) => fact.kind === 'approved');
    expect(approvals.map(({ by }) => by.person?.name)).toEqual(['Erik Ek', 'Erik Ek']);
    const rests = items.flatMap(({ fact }) => (fact.kind === 'intended' ? [fact.approval] : []));
    expect(rests.toSorted()).toEqual(approvals.map(({ number }) => number).toSorted());
    await press(page, page.getByRole('link', { name: words.evidence_title() }));
    await rowOf(page, words.evidence_approved()).first().waitFor();
  });

  it('leaves signatures in the outbox, which names the person who signed', async () => {
    await goTo(page, 'Control+Digit3', words.screen_outbox());
    const signature = rowOf(page, titleOf.v1(1));
    await expectSeen(signature.getByText(words.state_signed(), { exact: true }));
    const by = words.outbox_signed_by({ name: 'Karin Lindqvist' });
    await expectSeen(signature.getByText(by, { exact: true }));
  });
});
