import { afterEach, describe, expect, it, vi } from 'vitest';
import { TemplateId } from '../../../../../shared/model/ids.ts';
import { startTemplate } from '../../../../../shared/rules/templates/start.ts';

const id = TemplateId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const NOW = Date.UTC(2026, 10, 22);

interface Saved {
  readonly name: string;
  readonly content: { readonly body: { readonly title: string } };
}

/** The core's side of the calls: the stored contents, and control over its answers. */
const core = vi.hoisted(() => {
  const saves: Saved[] = [];
  const held: (() => void)[] = [];
  return { saves, held, isSlow: false };
});

vi.mock('../../../../../renderer/window/desk.ts', () => {
  const template = (name: string, content: unknown) => {
    const source = { kind: 'service', learntFrom: null };
    return { id, name, source, content, used: 0, revision: core.saves.length, updatedAt: NOW };
  };
  return {
    api: {
      'templates.get': async () => template('Lease', startTemplate('v1', '', null)),
      'templates.save': async (saved: Saved) => {
        // The argument is copied, as the connection to the core does.
        core.saves.push(structuredClone(saved));
        if (core.isSlow) await new Promise<void>((resolve) => core.held.push(resolve));
        return template(saved.name, saved.content);
      },
    },
    failureOf: (error: unknown) => error,
    on: () => () => undefined,
  };
});

const { TemplateEditor } =
  await import('../../../../../renderer/features/templates/mapper/state.svelte.ts');

async function openTemplate(): Promise<InstanceType<typeof TemplateEditor>> {
  const editor = new TemplateEditor(id);
  await editor.open();
  return editor;
}

function type(editor: InstanceType<typeof TemplateEditor>, title: string): void {
  editor.change(({ body }) => {
    body.title = title;
  });
}

afterEach(() => {
  core.saves.length = 0;
  core.isSlow = false;
});

describe('an open template', () => {
  it('is shown as saved once all typed text is stored, and not before', async () => {
    const editor = await openTemplate();
    core.isSlow = true;
    type(editor, 'Lease {Ten');
    const first = editor.save();
    await vi.waitFor(() => expect(core.saves).toHaveLength(1));
    type(editor, 'Lease {Tenant}');
    core.held.pop()?.();
    await first;
    expect(editor.savedAt).toBeNull();
    const second = editor.save();
    await vi.waitFor(() => expect(core.held).toHaveLength(1));
    core.held.pop()?.();
    await second;
    expect(editor.savedAt).toBe(NOW);
    expect(core.saves.map(({ content }) => content.body.title)).toEqual([
      'Lease {Ten',
      'Lease {Tenant}',
    ]);
  });

  it('is not shown as saved while an undo or a new name is being stored', async () => {
    const editor = await openTemplate();
    type(editor, 'Lease');
    await editor.save();
    core.isSlow = true;
    expect(editor.go('undo')).toBe(true);
    expect(editor.savedAt).toBeNull();
    await vi.waitFor(() => expect(core.held).toHaveLength(1));
    core.held.pop()?.();
    await vi.waitFor(() => expect(editor.savedAt).toBe(NOW));
    const renamed = editor.rename('Tenancy');
    expect(editor.savedAt).toBeNull();
    await vi.waitFor(() => expect(core.held).toHaveLength(1));
    core.held.pop()?.();
    await renamed;
    expect(editor.savedAt).toBe(NOW);
    expect(core.saves.at(-1)?.name).toBe('Tenancy');
  });
});
