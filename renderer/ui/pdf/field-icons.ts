import AlignLeft from '@lucide/svelte/icons/text-align-start';
import CalendarDays from '@lucide/svelte/icons/calendar-days';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import Hash from '@lucide/svelte/icons/hash';
import List from '@lucide/svelte/icons/list';
import Pilcrow from '@lucide/svelte/icons/pilcrow';
import Signature from '@lucide/svelte/icons/signature';
import SquareCheck from '@lucide/svelte/icons/square-check';
import Stamp from '@lucide/svelte/icons/stamp';
import Type from '@lucide/svelte/icons/type';
import type { Component } from 'svelte';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import type { PlacedKind } from '../../../shared/model/placed-field.ts';

type Icon = Component<{ size?: number }>;

export const kindIcons: Readonly<Record<PlacedKind, Icon>> = {
  text: Type,
  lines: AlignLeft,
  date: CalendarDays,
  number: Hash,
  checkbox: SquareCheck,
  choice: List,
  signature: Signature,
  initials: Pilcrow,
  seal: Stamp,
};

/** Icon of a form's field. A form does not distinguish signatures, initials and seals. */
export function fieldIcon({ type, multiline, day, number }: PdfField): Icon {
  if (type === 'radio') return CircleDot;
  if (type !== 'text' && type !== 'button') return kindIcons[type];
  if (multiline) return kindIcons.lines;
  if (day !== undefined) return kindIcons.date;
  return number === undefined ? kindIcons.text : kindIcons.number;
}
