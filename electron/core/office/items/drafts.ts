import type { Draft, DraftFile } from '../../../../shared/contract/drafts.ts';
import { type ConnectionId, DraftId, type OutboxRef } from '../../../../shared/model/ids.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { titleOf } from '../../../../shared/rules/drafts/check.ts';
import { SharedDraft } from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import { addDraft } from '../../drafts/add.ts';
import { isSameService } from '../../../../shared/rules/office/service-name.ts';
import { orNull } from '../../app-error.ts';
import { connectionsTo, findSenderTo, serviceOf } from '../../services/same-service.ts';
import { aboutDraft } from './erased.ts';
import { draftFreedFailure, isFreedSend } from './freed.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

/**
 * Reads and writes shared drafts with their files. Users share drafts one by one. A draft is merged
 * as a whole, because parts of two versions may refer to each other. If two computers edited the
 * draft at the same time, one of them keeps its version as a separate draft.
 */
export function createDraftItems(ports: KeeperPorts): ItemKeeper {
  const { stores, clock } = ports;
  const { drafts, office } = stores;
  const open = (id: DraftId): Draft | null => findDraft(ports, id);
  const known = (id: DraftId) => aboutDraft(office.item('draft', id)?.content ?? null);
  const contentOf = ({ id, content, connectionId, files, sending }: Draft): Json => {
    const before = known(id);
    const desk = office.membership()?.desk ?? null;
    const sentBy = before === null || before.sendingAt === desk ? null : before.sendingAt;
    const origin = drafts.origin(id);
    return SharedDraft.parse({
      content,
      ...(origin !== null && { origin }),
      service: serviceAt(ports, connectionId, before?.service ?? null),
      files: files.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      sendingAt: isSentHere(ports, sending) ? desk : sentBy,
    });
  };
  const dataOf = (id: DraftId, sha256: string): Uint8Array | null => {
    const file = open(id)?.files.find((one) => one.sha256 === sha256);
    return file === undefined ? null : drafts.fileData(id, file.id).data;
  };
  return {
    shape: 'one',
    *list() {
      for (const id of office.sharedDrafts()) {
        const draft = open(id);
        if (draft !== null) yield [id, contentOf(draft)];
      }
    },
    read(name) {
      const id = DraftId.parse(name);
      const draft = office.isTogether(id) ? open(id) : null;
      return draft === null ? undefined : contentOf(draft);
    },
    write(name, content, files) {
      const id = DraftId.parse(name);
      holdFreedSend(ports, { id, before: known(id), content });
      if (content === undefined) {
        office.setTogether(id, false);
        const draft = open(id);
        if (draft !== null && draft.sending === null) drafts.trash(id, clock.now());
        return true;
      }
      const { service, content: body, files: listed, origin } = SharedDraft.parse(content);
      const inUse = open(id)?.connectionId ?? null;
      const connectionId = service === null ? null : findSenderTo(stores, service, inUse);
      const received = { id, content: body, connectionId, files: [...listed] };
      const data = ({ sha256 }: DraftFile): Uint8Array | null =>
        files.get(sha256) ?? dataOf(id, sha256);
      // The user took the draft out of the office and edited it alone, so both versions are kept.
      const own = office.isTogether(id) ? null : open(id);
      if (own !== null && JSON.stringify(own.content) !== JSON.stringify(body))
        keepOwnDraft(ports, own);
      if (!drafts.receive(received, data, clock.now())) return false;
      if (origin !== undefined) drafts.setOrigin(id, origin);
      office.setTogether(id, true);
      return true;
    },
    keepBoth(name, seat) {
      const draft = open(DraftId.parse(name));
      if (draft !== null) office.keepVersion(keepOwnDraft(ports, draft), seat, clock.now());
    },
    changedAt: (id) => open(DraftId.parse(id))?.updatedAt ?? null,
    forgottenAt: (id) => stores.privacy.forgottenAt('draft', id),
    isKept: (name) => open(DraftId.parse(name)) !== null,
    filesOf(content) {
      const draft = SharedDraft.safeParse(content);
      return draft.success ? draft.data.files.map(({ sha256 }) => sha256) : [];
    },
    readFile: (id, sha256) => dataOf(DraftId.parse(id), sha256),
    isClosed: (id) => drafts.isClosed(DraftId.parse(id)),
    titleOf: (_id, content) => titleOf(SharedDraft.parse(content).content),
    textOf: () => null,
  };
}

/** Whether this computer is sending the draft, and no user has freed it for other computers. */
const isSentHere = ({ stores }: KeeperPorts, sending: OutboxRef | null): boolean =>
  sending !== null && !isFreedSend(stores.outbox.get(sending));

/**
 * Postpones the send of a draft that the office no longer assigns to this computer. A user freed
 * the draft, and may have corrected, sent or removed it on another computer. The waiting row of the
 * outbox has the earlier content, so the user decides.
 */
function holdFreedSend(
  ports: KeeperPorts,
  {
    id,
    before,
    content,
  }: {
    readonly id: DraftId;
    readonly before: Pick<SharedDraft, 'sendingAt'> | null;
    readonly content: Content;
  },
): void {
  const { stores, transitions } = ports;
  const desk = stores.office.membership()?.desk ?? null;
  const now = SharedDraft.safeParse(content);
  const isOwn = (sendingAt: string | null): boolean => desk !== null && sendingAt === desk;
  if (!isOwn(before?.sendingAt ?? null) || isOwn(now.data?.sendingAt ?? null)) return;
  const sending = findDraft(ports, id)?.sending ?? null;
  if (sending === null) return;
  transitions.postpone(sending, null, { cause: 'office', reason: draftFreedFailure });
}

const findDraft = ({ stores }: KeeperPorts, id: DraftId): Draft | null =>
  orNull(() => stores.drafts.get(id));

/**
 * Returns the name of the draft's service. If the draft has no connection, the office's name stays,
 * unless exactly one connection of this computer reaches that service. A name from an earlier
 * version of the program also stays, because the service was not changed on this computer.
 */
function serviceAt(
  { stores }: KeeperPorts,
  connectionId: ConnectionId | null,
  before: string | null,
): string | null {
  if (connectionId === null) {
    return before !== null && connectionsTo(stores, before).length !== 1 ? before : null;
  }
  const service = serviceOf(stores, connectionId);
  return before !== null && isSameService(before, service) ? before : service;
}

function keepOwnDraft(ports: KeeperPorts, { id, content, connectionId }: Draft): DraftId {
  const { drafts } = ports.stores;
  const give = (copy: DraftId): void => {
    drafts.copyFiles(id, copy);
    drafts.setOrigin(copy, drafts.origin(id) ?? id);
  };
  return addDraft(ports, content, connectionId, give).id;
}
