import { m } from '../../../ui/language.svelte.ts';
import type { TemplateEditor } from './state.svelte.ts';

export function nameExample({ content }: TemplateEditor): string {
  const role = content?.body.roles[0]?.name ?? m.templates_role_start({ letter: 'A' });
  return `{${role}}, {number}, {today}`;
}
