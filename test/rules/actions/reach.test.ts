import { describe, expect, it } from 'vitest';
import { ActionName } from '../../../shared/contract/actions.ts';
import { calls } from '../../../shared/contract/index.ts';
import { actionRejectionReason } from '../../../shared/rules/actions/reasons.ts';

describe('the actions available for an agreement', () => {
  it('are none when the service deleted the agreement (T1-21)', () => {
    for (const api of ['v1', 'v2'] as const) {
      for (const action of ActionName.options.filter((one) => one !== 'uploads')) {
        expect(
          actionRejectionReason(action, { state: 'signed', gone: 'deleted' }, api),
        ).not.toBeNull();
      }
    }
  });

  it('change the notifications of parties only, not those of the agreement (T1-95)', () => {
    const key = { connectionId: '00000000-0000-4000-8000-000000000001', id: 'a' };
    const place = { key, partyId: 'p', notificationId: 'n' };
    const { partyId: _, ...ofAgreement } = place;
    const silence = calls['actions.silence'].input;
    const replace = calls['actions.replaceRecipients'].input;
    const recipients = [{ medium: 'EMAIL', address: 'asa@example.com' }];
    expect(silence.safeParse(place).success).toBe(true);
    expect(silence.safeParse(ofAgreement).success).toBe(false);
    expect(replace.safeParse({ ...place, recipients }).success).toBe(true);
    expect(replace.safeParse({ ...ofAgreement, recipients }).success).toBe(false);
  });
});
