import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import { HandedDraft } from '../../../shared/rules/office/items.ts';
import { packDraft, type UnpackPorts, unpackDraft } from '../drafts/transfer.ts';
import type { Stores } from '../ports.ts';
import { requireAwake } from '../rest.ts';
import { connectionTo, serviceOf } from './operation.ts';
import type { OfficeRoom } from './room.ts';

interface HandoverPorts extends UnpackPorts {
  readonly stores: Pick<Stores, 'drafts' | 'connections' | 'evidence'>;
  readonly room: OfficeRoom;
  readonly drafts: Pick<HandlersOf<'drafts'>, 'drafts.delete'>;
}

type Names = 'handOver' | 'handovers' | 'take';

/** Drafts that go from one seat of the office to another. */
export function createOfficeHandovers(
  ports: HandoverPorts,
): Pick<HandlersOf<'office'>, `office.${Names}`> {
  const { stores, room, encoding, chance, drafts } = ports;
  return {
    'office.handOver': async ({ draft: id, seat, note }) => {
      requireAwake(stores);
      const office = await room.require();
      if (!(await office.seats()).some((one) => one.id === seat && !one.isOwn)) {
        throw new AppError('not-found', 'There is no such seat besides this one');
      }
      const { content, connectionId, revision, sending } = stores.drafts.get(id);
      if (sending !== null) throw new AppError('conflict', 'This draft is being sent');
      const service = connectionId === null ? null : serviceOf(stores, connectionId);
      const draft = encoding.base64(packDraft(ports, id));
      const data = encoding.utf8(JSON.stringify({ service, draft } satisfies HandedDraft));
      const title = titleOf(content);
      await office.handovers.give({
        id: chance.uuid(),
        draft: id,
        revision,
        to: seat,
        title,
        note,
        data,
      });
      // Only now: it is there whole. What was typed meanwhile is here alone, and stays open.
      if (stores.drafts.get(id).revision === revision) await drafts['drafts.delete']({ id });
      return {};
    },
    'office.handovers': async () => {
      const office = await room.open();
      if (office === null) return [];
      const waiting = await office.handovers.list();
      if (waiting.length === 0) return [];
      const seats = await office.seats();
      const nameOf = (id: string): string => seats.find((one) => one.id === id)?.name ?? '';
      return waiting.map(({ from, to, ...one }) => ({
        ...one,
        from: nameOf(from),
        to: nameOf(to),
        isOwn: seats.find((seat) => seat.id === from)?.isOwn ?? false,
      }));
    },
    'office.take': async ({ id }) => {
      requireAwake(stores);
      const { handovers } = await room.require();
      const data = await handovers.read(id);
      const { service, draft } = HandedDraft.parse(JSON.parse(encoding.text(data)));
      const connectionId = service === null ? null : connectionTo(stores, service);
      // Here first: whatever ends this desk now, it is in one place at least.
      const added = await unpackDraft(ports, encoding.bytes(draft), connectionId);
      if (!(await handovers.take(id))) {
        await drafts['drafts.delete']({ id: added.id });
        throw new AppError('not-found', 'Another desk has taken it meanwhile');
      }
      return { draft: added.id };
    },
  };
}
