import type { ActionName } from '../../../../shared/contract/actions.ts';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import {
  type AgreementDocument,
  closedStates,
  type Party,
} from '../../../../shared/model/agreement.ts';
import { actionRejectionReason } from '../../../../shared/rules/actions/reasons.ts';
import { agreementLink } from '../../../../shared/rules/links/link.ts';
import type { KnownAccess } from '../../../../shared/rules/agreements/access.ts';
import { whyNot } from '../../../ui/why-not.ts';
import type { MenuAction } from '../../../ui/controls/menu-action.ts';
import { copyText } from '../../../ui/clipboard.ts';
import { m } from '../../../ui/language.svelte.ts';
import { actions } from '../../actions/state.svelte.ts';
import { asks, type Ask } from '../../actions/asks.svelte.ts';
import { changes } from '../../actions/changes.svelte.ts';
import { copies } from '../../drafts/copies.svelte.ts';
import { details } from '../../actions/details.svelte.ts';
import { sync } from '../../sync/state.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { host } from '../../../window/host.svelte.ts';
import { openPath } from '../../../window/open-path.ts';

/** Actions on an agreement: buttons, menu items, views and final actions. */
interface ActionGroups {
  readonly main: readonly MenuAction[];
  readonly more: readonly MenuAction[];
  readonly facts: readonly MenuAction[];
  readonly final: readonly MenuAction[];
}

/**
 * Reason why an action is unavailable for the agreement, as a sentence; null if it is available.
 */
export const reasonFor = (
  action: ActionName,
  agreement: Pick<AgreementDetails, 'api' | 'state' | 'gone'> & KnownAccess,
): string | null => whyNot(actionRejectionReason(action, agreement, agreement.api));

/** Reason why no action can start right now; null if one can. */
export const busyReason = (): string | null => (actions.busy || changes.busy ? m.act_busy() : null);

/** Reason why the service of this agreement cannot be used; null if it can. */
function troubleReason({ connectionId }: Pick<AgreementDetails, 'connectionId'>): string | null {
  if (sync.isOffline(connectionId)) return m.why_offline();
  return sync.isKeyRefused(connectionId) ? m.why_key_refused() : null;
}

/** Reason why no action on this agreement can start right now; null if one can. */
export const reasonNow = (agreement: Pick<AgreementDetails, 'connectionId'>): string | null =>
  busyReason() ?? troubleReason(agreement);

const openDialog = (what: Ask) => (): void => asks.ask(what);

const copyId = ({ id }: AgreementDetails): void =>
  activity.notify(copyText(id) ? m.detail_copied : m.act_not_copied);

const copyLink = ({ id }: AgreementDetails): void =>
  activity.notify(copyText(agreementLink(id)) ? m.detail_link_copied : m.act_not_copied);

/** All actions on an agreement as a whole, each with the reason if it is unavailable. */
export function actionGroups(agreement: AgreementDetails): ActionGroups {
  const action = (
    id: string,
    label: string,
    name: ActionName,
    kind: 'deadlines' | 'share' | 'fields' | 'record' | 'revoke' | 'remove',
  ): MenuAction => ({ id, label, reason: reasonFor(name, agreement), run: openDialog({ kind }) });

  return {
    main: [
      ...(agreement.state === 'signed'
        ? [...archivedFileActions(agreement), saveMenuAction(agreement)]
        : []),
      {
        id: 'remind',
        label: m.act_remind(),
        reason: reasonFor('remind', agreement) ?? reasonWithoutWaitingParties(agreement),
        run: openDialog({ kind: 'remind' }),
      },
      action('deadlines', m.act_deadlines(), 'change', 'deadlines'),
      action('share', m.act_share(), 'share', 'share'),
    ],
    more: [
      copyMenuAction(agreement),
      ...(agreement.state === 'signed' ? [] : [saveMenuAction(agreement)]),
      {
        id: 'documents',
        label: m.act_save_documents(),
        reason: reasonFor('saveDocuments', agreement) ?? reasonWithoutDocuments(agreement),
        run: openDialog({ kind: 'documents', documentId: null }),
      },
    ],
    facts: [
      {
        id: 'refresh',
        label: m.detail_refresh(),
        reason: details.refreshing ? m.detail_refreshing() : null,
        run: () => void details.refreshFromService(),
      },
      { id: 'copy-id', label: m.detail_copy_id(), reason: null, run: () => copyId(agreement) },
      {
        id: 'copy-link',
        label: m.detail_copy_link(),
        reason: null,
        run: () => copyLink(agreement),
      },
      action('fields', m.act_fields(), 'fieldValues', 'fields'),
      action('record', m.act_raw(), 'raw', 'record'),
    ],
    final: [
      { ...action('revoke', m.act_revoke(), 'revoke', 'revoke'), danger: true },
      { ...action('delete', m.act_delete(), 'remove', 'remove'), danger: true },
    ],
  };
}

/** Returns the first action of the menu: opening an archived PDF in the system's program. */
function archivedFileActions({ archivedFile }: AgreementDetails): readonly MenuAction[] {
  if (archivedFile === null || host.value?.features.openPath !== true) return [];
  const run = (): void => void activity.attempt(() => openPath(archivedFile));
  return [{ id: 'open-pdf', label: m.archive_open_file(), reason: null, run }];
}

/** Copies the content to a new draft; data that the service does not return is listed. */
function copyMenuAction(agreement: AgreementDetails): MenuAction {
  const run = (): void => void copies.fromAgreement(agreement);
  return { id: 'copy-draft', label: m.detail_copy_draft(), reason: null, run };
}

/**
 * Returns the action that saves the PDF. API v1 has no PDF while someone can still sign, and does
 * not say which PDF it has if the agreement ended without all signatures. API v2 never says when it
 * has a PDF. In these cases the program tries to save an unsigned copy.
 */
function saveMenuAction({ api, state, gone }: AgreementDetails): MenuAction {
  const isSigned = state === 'signed';
  const isTried = !isSigned && (api === 'v2' || closedStates.includes(state));
  const reason = isSigned || isTried ? null : m.detail_save_reason();
  return {
    id: 'save',
    label: isTried ? m.detail_save_unsigned() : m.detail_save(),
    reason: gone === null ? reason : whyNot(gone),
    run: openDialog({ kind: 'save' }),
  };
}

const reasonWithoutWaitingParties = ({ parties }: AgreementDetails): string | null =>
  parties === null || parties.some(({ kind, state }) => kind !== 'my-company' && state === 'turn')
    ? null
    : m.remind_nobody();

const reasonWithoutDocuments = ({ documents }: AgreementDetails): string | null =>
  documents === null || documents.length === 0 ? m.why_no_documents() : null;

/** Shows a document in a dialog; null if the window cannot show it. */
export function documentOpener(
  agreement: AgreementDetails,
  { id, name, mimeType }: AgreementDocument,
): (() => void) | null {
  if (id === null || mimeType !== 'application/pdf') return null;
  if (reasonFor('saveDocuments', agreement) !== null) return null;
  return openDialog({ kind: 'document', documentId: id, name });
}

export function partyGroups(
  agreement: AgreementDetails,
  party: Party,
): readonly (readonly MenuAction[])[] {
  const isOurs = party.kind === 'my-company';
  const hasActed = party.state === 'signed' || party.state === 'rejected';
  const forOthers = isOurs ? m.why_my_company() : null;
  const whileWaiting = hasActed ? m.why_party_acted() : null;
  const row = (
    id: string,
    label: string,
    name: ActionName,
    kind: 'email' | 'link' | 'remind' | 'reject',
    against: string | null,
  ): MenuAction => ({
    id,
    label,
    run: openDialog({ kind, party }),
    reason: reasonFor(name, agreement) ?? against ?? reasonNow(agreement),
  });
  return [
    [
      row('remind', m.act_remind(), 'remind', 'remind', forOthers ?? whileWaiting),
      row('email', m.act_email(), 'correctEmail', 'email', forOthers),
      {
        id: 'notifications',
        label: m.act_notifications(),
        reason: reasonFor('replaceRecipients', agreement),
        run: openDialog({ kind: 'notifications', party }),
      },
      row('link', m.act_link(), 'signingLink', 'link', forOthers ?? whileWaiting),
    ],
    [{ ...row('reject', m.act_reject(), 'reject', 'reject', whileWaiting), danger: true }],
  ];
}
