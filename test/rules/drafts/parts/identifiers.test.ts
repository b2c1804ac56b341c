import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../../shared/rules/drafts/parts/findings.ts';
import {
  checkEmail,
  checkMobileV1,
  checkMobileV2,
  checkOrgNoV2,
  checkPersonNoV2,
  checkPersonNumberV1,
} from '../../../../shared/rules/drafts/parts/identifiers.ts';
import {
  type ValidationReason,
  validationSentences,
} from '../../../../shared/rules/text/verdict.ts';

const TODAY = '2026-11-21';
const AT = 'parties.0.x';

type Findings = ReturnType<typeof createFindings>;

/** Returns the problems found, as `error: …` and `warning: …`. */
function found(check: (findings: Findings) => void): readonly string[] {
  const findings = createFindings();
  check(findings);
  return [
    ...findings.errors.map(({ message }) => `error: ${message}`),
    ...findings.warnings.map(({ message }) => `warning: ${message}`),
  ];
}

const warning = (why: ValidationReason) => [`warning: ${validationSentences[why]}`];
const error = (why: ValidationReason) => [`error: ${validationSentences[why]}`];

describe('a draft with identifiers', () => {
  it('with ten digits and no century is blocked for v1 and gets a warning for v2 (T2-48)', () => {
    expect(found((to) => checkPersonNoV2('261101-1111', TODAY, AT, to))).toEqual(
      warning('century'),
    );
    expect(found((to) => checkPersonNumberV1('SE', '2611011111', TODAY, AT, to))).toEqual(
      error('century'),
    );
  });

  it('with a plus, which v2 does not accept, is rejected though the person is known (T2-48)', () => {
    expect(found((to) => checkPersonNoV2('150207+1239', TODAY, AT, to))).toHaveLength(1);
    expect(found((to) => checkPersonNoV2('19150207-1239', TODAY, AT, to))).not.toContainEqual(
      expect.stringContaining('error'),
    );
  });

  it('with a person not yet born is rejected (T1-41)', () => {
    expect(found((to) => checkPersonNumberV1('SE', '202611221111', TODAY, AT, to))).toEqual(
      error('future'),
    );
  });

  it('with a doubtful Danish number gets a warning (T1-46)', () => {
    const check = (number: string) =>
      found((to) => checkPersonNumberV1('DK', number, TODAY, AT, to));
    expect(check('2110625629')).toEqual([]);
    expect(check('2110625620')).toEqual(warning('check-digit'));
    expect(check('32-13')).toEqual(warning('form'));
  });

  it('with a sole trader as company gets a warning, and is rejected with a prefix (T2-49)', () => {
    const check = (number: string) => found((to) => checkOrgNoV2(number, TODAY, AT, to));
    expect(check('850709-9805')).toEqual(warning('sole-trader'));
    expect(check('165560360793')).toHaveLength(1);
    expect(check('165560360793')[0]).toMatch(/^error/);
    expect(check('556036-0793')).toEqual([]);
  });

  it('with an unassigned or landline number as mobile gets a warning (T1-43, T2-50)', () => {
    expect(found((to) => checkMobileV1('+4670123456', AT, to))).toEqual(warning('unassigned'));
    expect(found((to) => checkMobileV1('+4681234567', AT, to))).toEqual(warning('fixed-line'));
    expect(found((to) => checkMobileV2('+46 81234567', AT, to))).toEqual(warning('fixed-line'));
    expect(found((to) => checkMobileV2('+46 701234567', AT, to))).toEqual([]);
  });

  it('with an address that looks like another gets a warning (T1-44)', () => {
    expect(found((to) => checkEmail('a@ex\u0430mple.se', AT, to))).toEqual(warning('look-alike'));
    expect(found((to) => checkEmail('a@example.se\u200b', AT, to))).toHaveLength(1);
  });

  it('shows no personal number in its problems', () => {
    for (const number of ['198507099806', '261101-1111', '19850732-9805', '850709+9805']) {
      const said = found((to) => checkPersonNoV2(number, TODAY, AT, to)).join();
      expect(said).not.toBe('');
      expect(said).not.toMatch(/\d{4}/);
    }
  });
});
