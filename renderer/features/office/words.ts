import type {
  OfficeActivity,
  OfficeCheck,
  OfficeUser,
  OfficeTask,
  OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import type { OfficeQuestion, SharedItemSet } from '../../../shared/contract/office/items.ts';
import { Person } from '../../../shared/contract/people.ts';
import { formatDateTime, formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { factWords } from '../people/words.ts';

export const rightLabels = {
  send: m.office_right_send,
  sign: m.office_right_sign,
  numbers: m.office_right_numbers,
  templates: m.office_right_templates,
} as const satisfies Record<OfficeUserRight, () => string>;

export const setLabels = {
  'address-book': m.office_share_book,
  views: m.office_share_views,
  templates: m.office_share_templates,
  'reminder-rules': m.office_share_rules,
  drafts: m.office_share_drafts,
} as const satisfies Record<SharedItemSet, () => string>;

const partLabels: Readonly<Record<string, () => string>> = {
  '': m.office_question_all,
  members: m.office_question_members,
  filter: m.office_question_filter,
  layout: m.office_question_layout,
  source: m.office_question_source,
  content: m.office_question_content,
  isOn: m.office_question_on,
  whom: m.office_question_whom,
  when: m.office_question_when,
};

/** Name of the field of a conflict; an item of a list has the list's name. */
export function fieldLabel({ kind, field }: OfficeQuestion): string {
  const [first = ''] = field.split('/');
  const label = partLabels[first];
  if (label !== undefined) return label();
  if (kind !== 'person' && kind !== 'number') return m.people_name();
  const fact = Person.keyof().safeParse(first);
  return fact.success ? factWords[fact.data]() : first;
}

export function versionText({ field }: OfficeQuestion, text: string | null): string {
  if (field === 'isOn' && text !== null) {
    return text === 'true' ? m.office_question_is_on() : m.office_question_is_off();
  }
  if (text !== null) return text;
  return field === '' ? m.office_question_removed() : m.office_question_nothing();
}

export const checkLabels = {
  reached: m.office_check_reached,
  encrypted: m.office_check_encrypted,
  role: m.office_check_role,
  schema: m.office_check_schema,
  clock: m.office_check_clock,
  size: m.office_check_size,
  open: m.office_check_open,
  readable: m.office_check_readable,
  'put-back': m.office_check_put_back,
} as const satisfies Record<OfficeCheck['check'], () => string>;

export const kindLabels = {
  send: m.office_kind_send,
  sign: m.office_kind_sign,
  remind: m.office_kind_remind,
  remove: m.office_kind_remove,
  change: m.office_kind_change,
} as const satisfies Record<OfficeActivity['kind'], () => string>;

export const taskLabels = {
  archive: m.office_task_archive,
  remind: m.office_task_remind,
  intake: m.office_task_intake,
  draft: m.office_task_draft,
} as const satisfies Record<OfficeTask['kind'], () => string>;

export const stateLooks = {
  claimed: { tone: 'out', word: m.office_state_claimed },
  done: { tone: 'signed', word: m.office_state_done },
  unknown: { tone: 'attention', word: m.office_state_unknown },
  'given-up': { tone: 'draft', word: m.office_state_given_up },
  released: { tone: 'draft', word: m.office_state_released },
} as const satisfies Record<OfficeActivity['state'], unknown>;

export const rightsText = ({ rights }: Pick<OfficeUser, 'rights'>): string =>
  rights.length === 0
    ? m.office_right_none()
    : formatNames(rights.map((one) => rightLabels[one]()));

/** One line for each of the user's computers; if there is none, the reason. */
export function computerLines({ joinedAt, desks }: OfficeUser): readonly string[] {
  if (joinedAt === null) return [m.office_invited()];
  return desks.map(({ isThis, seenAt, version }) =>
    isThis
      ? m.office_this_desk({ version })
      : m.office_other_desk({ version, time: formatDateTime(seenAt) }),
  );
}
