import { describe, expect, it } from 'vitest';
import { ActionName } from '../../../shared/contract/actions.ts';
import { AgreementState } from '../../../shared/model/agreement.ts';
import { actionRejectionReason } from '../../../shared/rules/actions/reasons.ts';
import { splitByAddressChange } from '../../../shared/rules/actions/email-correction.ts';
import { notificationOf } from '../../support/fakes/fake-actions.ts';

const offered = (action: ActionName, api: 'v1' | 'v2') =>
  AgreementState.options.filter(
    (state) => actionRejectionReason(action, { state, gone: null }, api) === null,
  );

describe('the reason why an action is not offered', () => {
  it('is the status, for an action that ends an open agreement (T1-71)', () => {
    const open = ['waiting', 'part-signed', 'unknown'];
    expect(offered('revoke', 'v1')).toEqual(open);
    expect(offered('revoke', 'v2')).toEqual(open);
    expect(offered('reject', 'v2')).toEqual(open);
    expect(actionRejectionReason('revoke', { state: 'signed', gone: null }, 'v1')).toBe('not-open');
    expect(actionRejectionReason('revoke', { state: 'draft', gone: null }, 'v1')).toBe('not-sent');
  });

  it('is that v2 deletes only rejected agreements, while v1 deletes any agreement (T2-64)', () => {
    // API v2 reports an expired agreement as rejected.
    expect(offered('remove', 'v2')).toEqual(['rejected', 'expired', 'unknown']);
    expect(offered('remove', 'v1')).toEqual(AgreementState.options);
    expect(actionRejectionReason('remove', { state: 'revoked', gone: null }, 'v2')).toBe(
      'only-rejected',
    );
  });

  it('is that v2 allows no change of an agreement after sending (T2-66)', () => {
    for (const action of ['change', 'correctEmail', 'replaceRecipients', 'silence'] as const) {
      expect(actionRejectionReason(action, null, 'v2')).toBe('v2-cannot-change');
      expect(actionRejectionReason(action, null, 'v1')).toBeNull();
    }
    expect(actionRejectionReason('remind', null, 'v2')).toBe('v2-cannot-remind');
  });

  it('is the missing agreement, before its status is considered', () => {
    for (const gone of ['deleted', 'no-access'] as const) {
      expect(actionRejectionReason('revoke', { state: 'signed', gone }, 'v1')).toBe(gone);
    }
  });

  it('is the owner, for an action that only the owner may do (T1-22)', () => {
    const owner = { id: 'jonas', name: 'Jonas Berg' };
    const access = { sharedWith: 'CUSTOM', owner, rights: [] };
    const of = (action: ActionName, ourUser: string | null) =>
      actionRejectionReason(action, { state: 'waiting', gone: null, access, ourUser }, 'v1');
    const alone = [
      ...(['revoke', 'change', 'correctEmail', 'replaceRecipients'] as const),
      ...(['silence', 'remind'] as const),
    ];
    for (const action of alone) {
      expect(of(action, 'karin')).toBe('not-owner');
      expect(of(action, 'jonas')).toBeNull();
      // If the own user is unknown, there is no reason: the service decides.
      expect(of(action, null)).toBeNull();
    }
    for (const action of ['raw', 'saveDocuments'] as const) expect(of(action, 'karin')).toBeNull();
  });

  it('is a missing right to delete (T1-22)', () => {
    const ofRights = (...rights: readonly (readonly [string, string, string])[]) =>
      actionRejectionReason(
        'remove',
        {
          state: 'waiting',
          gone: null,
          ourUser: 'karin',
          access: {
            sharedWith: 'CUSTOM',
            owner: { id: 'jonas', name: 'Jonas Berg' },
            rights: rights.map(([action, actorType, actorId]) => ({ action, actorType, actorId })),
          },
        },
        'v1',
      );
    expect(ofRights(['read', 'user', 'karin'])).toBe('no-delete-right');
    expect(ofRights(['delete', 'user', 'nils'])).toBe('no-delete-right');
    expect(ofRights(['delete', 'user', 'karin'])).toBeNull();
    // It is not known whether Karin is a member of the group, so the service decides.
    expect(ofRights(['delete', 'group', 'sales'])).toBeNull();
  });

  it('is not a foreign owner when the agreement is shared with no user (T1-22)', () => {
    const access = { sharedWith: 'NONE', owner: { id: 'jonas', name: '' }, rights: [] };
    const known = { state: 'waiting', gone: null, access, ourUser: 'karin' } as const;
    expect(actionRejectionReason('revoke', known, 'v1')).toBeNull();
    expect(actionRejectionReason('remove', known, 'v1')).toBeNull();
  });

  it('is absent when neither the API nor the status forbids the action', () => {
    const both = ActionName.options.filter(
      (action) =>
        actionRejectionReason(action, null, 'v1') === null &&
        actionRejectionReason(action, null, 'v2') === null,
    );
    expect(both).toEqual(['revoke', 'remove', 'raw']);
  });
});

describe('a corrected email address', () => {
  it('changes only the notifications sent to exactly the old address (T1-77)', () => {
    const to = (type: string, medium: string, address: string) =>
      notificationOf({ type, recipients: [{ medium, address }] });
    const list = [
      to('READY_TO_SIGN', 'EMAIL', 'old@example.com'),
      to('SIGNED', 'EMAIL', 'Old@example.com'),
      to('REJECTED', 'SMS', 'old@example.com'),
      notificationOf({ type: 'EXPIRED', recipients: null }),
    ];
    expect(splitByAddressChange(list, 'old@example.com')).toEqual({
      moved: ['READY_TO_SIGN'],
      kept: ['SIGNED', 'REJECTED', 'EXPIRED'],
    });
  });
});
