import type { HandlersOf } from '../../../../shared/contract/index.ts';
import {
  type OfficeItemKind,
  type OfficeQuestion,
  SharedItemSet,
} from '../../../../shared/contract/office/items.ts';
import { AppError, isCode } from '../../../../shared/errors.ts';
import { fieldOf, isSame, merge } from '../../../../shared/rules/office/merge.ts';
import type { Emit } from '../../../../shared/contract/index.ts';
import type { Stores } from '../../ports.ts';

import type { KnownItem } from './ports.ts';
import type { OfficeSession } from '../session.ts';
import type { OfficeExchange } from './exchange.ts';
import { asContent } from './keeper.ts';
import { announce, kindsOf, setOf } from './kinds.ts';

interface SharingPorts {
  readonly stores: Pick<Stores, 'office' | 'people' | 'transaction'>;
  readonly room: OfficeSession;
  readonly exchange: OfficeExchange;
  readonly emit: Emit;
}

type SharingCallName = 'sharing' | 'share' | 'exchange' | 'questions' | 'answer';
type SharingHandlers = Pick<HandlersOf<'office'>, `office.${SharingCallName}`>;

/** Handles the sharing settings, and the questions to the user about conflicting changes. */
export function createOfficeSharingHandlers(ports: SharingPorts): SharingHandlers {
  const { stores, room, exchange, emit } = ports;
  const { office } = stores;
  return {
    'office.sharing': async () => {
      const shared = office.shared();
      const open = office.asked();
      const sets = SharedItemSet.options.map((set) => {
        const kinds: readonly OfficeItemKind[] = kindsOf[set];
        // A personal number belongs to an address book entry, which is already counted.
        const counted = kinds.filter((kind) => kind !== 'number');
        const items = counted.reduce((sum, kind) => sum + office.countItems(kind), 0);
        const here = open.filter(({ kind }) => kinds.includes(kind));
        const questions = here.flatMap((item) => openQuestionFields(exchange, item)).length;
        return { set, isShared: shared.has(set), items, questions };
      });
      return { sets, exchangedAt: exchange.last.at, failure: exchange.last.failure };
    },
    'office.share': async ({ set, isShared }) => {
      await room.require();
      const isNow = office.shared().has(set);
      if (isShared && !isNow) {
        office.share(set, 0);
        exchange.changed(set);
      }
      if (!isShared && isNow) office.unshare(set, kindsOf[set]);
      emit('office.exchanged', {});
      if (isShared) await exchange.quietly();
      return {};
    },
    'office.exchange': async () => {
      await room.require();
      await exchange.run();
      return exchange.last.count;
    },
    'office.questions': async () => {
      const open = office.asked().filter((item) => openQuestionFields(exchange, item).length > 0);
      if (open.length === 0) return [];
      const names = await seatNames(room);
      return open.flatMap((item) => questionsOf(exchange, item, names.get(item.seat) ?? ''));
    },
    'office.answer': async ({ kind, id, field, take }) => {
      const files = take === 'office' ? await filesFor(ports, office.item(kind, id)) : new Map();
      stores.transaction(() => {
        const item = office.item(kind, id);
        if (item === null || !openQuestionFields(exchange, item).includes(field)) {
          throw new AppError('not-found', 'This conflict is already resolved');
        }
        answerQuestion(ports, item, { field, take }, files);
      });
      exchange.changed(setOf(kind));
      announce(emit, setOf(kind), [id]);
      await exchange.quietly();
      return {};
    },
  };
}

/**
 * Returns the files that the office's version of the item needs and this computer does not have.
 * Throws 'offline' if the office is unreachable.
 */
async function filesFor(
  { room, exchange }: SharingPorts,
  item: KnownItem | null,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (item === null || exchange.keepers[item.kind].filesOf === undefined) return new Map();
  return exchange.fetchFiles([item], (await room.require()).files);
}

/** Returns the fields with an open question that still differ from the office's version. */
function openQuestionFields({ keepers }: OfficeExchange, item: KnownItem): readonly string[] {
  if (item.open.length === 0) return [];
  const { shape, read } = keepers[item.kind];
  const [mine, theirs] = [read(item.id), asContent(item.content)];
  return item.open.filter(
    (field) => !isSame(fieldOf(shape, mine, field), fieldOf(shape, theirs, field)),
  );
}

function questionsOf(exchange: OfficeExchange, item: KnownItem, seat: string): OfficeQuestion[] {
  const { kind, id, content } = item;
  const { shape, read, titleOf, textOf } = exchange.keepers[kind];
  const mine = read(id);
  const some = mine ?? content;
  const title = some === null ? '' : titleOf(id, some);
  return openQuestionFields(exchange, item).map((field) => {
    const here = textOf(fieldOf(shape, mine, field));
    const inOffice = textOf(fieldOf(shape, asContent(content), field));
    return { kind, id, title, field, here, inOffice, seat };
  });
}

function answerQuestion(
  { stores, exchange }: SharingPorts,
  item: KnownItem,
  { field, take }: { readonly field: string; readonly take: 'here' | 'office' },
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const { shape, read, write } = exchange.keepers[item.kind];
  const [mine, office] = [read(item.id), asContent(item.content)];
  const sides = { shape, base: office, mine, theirs: office };
  const rest = item.open.filter((one) => one !== field);
  const merged =
    take === 'office'
      ? merge({ ...sides, open: item.open, taken: field })
      : merge({ ...sides, open: rest });
  if (!isSame(merged.mine, mine)) write(item.id, merged.mine, files);
  stores.office.putItem({ ...item, open: merged.questions });
}

async function seatNames(room: OfficeSession): Promise<ReadonlyMap<string, string>> {
  try {
    return await (await room.require()).seatNames();
  } catch (error) {
    // Questions are listed offline too: this computer has both versions, but not the user's name.
    if (isCode(error, 'offline')) return new Map();
    throw error;
  }
}
