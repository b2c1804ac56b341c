import type { DraftFile } from '../../../../shared/contract/drafts.ts';
import type { FileId } from '../../../../shared/model/ids.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { api, failureOf, transferBytes } from '../../../window/desk.ts';
import { sentenceFor } from '../../../ui/failure-words.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import type { DraftEditor } from '../editor/state.svelte.ts';
import { removeElement, updateFilePositions, moveElement } from '../parties/order.ts';

export interface RefusedFile {
  readonly name: string;
  readonly failure: Failure;
}

export class DraftDocuments {
  readonly editor: DraftEditor;
  refused = $state.raw<readonly RefusedFile[]>([]);
  adding = $state(false);

  constructor(editor: DraftEditor) {
    this.editor = editor;
  }

  /** Adds files to the draft one by one; a rejected file does not stop the others. */
  async add(files: readonly File[]): Promise<void> {
    if (this.editor.isLocked || files.length === 0) return;
    this.adding = true;
    this.refused = [];
    for (const file of files) await this.editor.inTurn(() => this.#attach(file));
    this.adding = false;
    if (this.refused.length === 0) activity.resolve('document');
    await this.editor.save();
  }

  /** Adds a file that is already on the service. */
  addToken(token: string): void {
    const { content } = this.editor;
    if (content?.api === 'v1') {
      content.body.attachments.push({ type: 'TOKEN', token, category: 'AGREEMENT' });
    }
    if (content?.api === 'v2') {
      content.body.attachments = [...(content.body.attachments ?? []), { token }];
    }
    this.editor.touch();
  }

  async remove(index: number): Promise<void> {
    const { content } = this.editor;
    const file = content?.body.attachments?.[index]?.file;
    if (content?.api === 'v1') removeElement(content.body.attachments, index);
    if (content?.api === 'v2') {
      updateFilePositions(content.body, removeElement(content.body.attachments ?? [], index));
    }
    this.editor.touch();
    await this.editor.save();
    if (file === undefined || this.find(file) === null) return;
    await this.editor.inTurn(async () => {
      await api['drafts.detach']({ id: this.editor.id, file });
    });
  }

  /** Replaces a document with a PDF made from it, which is part of the signed content. */
  async makePdf(index: number): Promise<void> {
    const before = this.editor.content?.body.attachments?.[index]?.file;
    if (this.editor.isLocked || before === undefined) return;
    this.adding = true;
    await this.editor.inTurn(() => this.#makePdf(before));
    this.adding = false;
    await this.editor.save();
    const { content } = this.editor;
    // The user may have moved or removed the file during the conversion.
    const isLeft = content?.body.attachments?.some(({ file }) => file === before) === true;
    if (isLeft || this.find(before) === null) return;
    await this.editor.inTurn(async () => {
      await api['drafts.detach']({ id: this.editor.id, file: before });
    });
  }

  async #makePdf(before: FileId): Promise<void> {
    await activity.attempt(async () => {
      const made = await api['drafts.makePdf']({ id: this.editor.id, file: before });
      this.editor.files = [...this.editor.files, made];
      const { content } = this.editor;
      const row = content?.body.attachments?.find(({ file }) => file === before);
      if (row === undefined) return;
      row.file = made.id;
      row.name = made.name;
      if (content?.api === 'v1') {
        const own = content.body.attachments.find(({ file }) => file === made.id);
        if (own !== undefined) own.category = 'AGREEMENT';
      }
      this.editor.touch();
      activity.notify(() => m.draft_made_pdf({ name: made.name }));
    });
  }

  move(from: number, to: number): void {
    const { content } = this.editor;
    if (content?.api === 'v1') moveElement(content.body.attachments, from, to);
    if (content?.api === 'v2') {
      updateFilePositions(content.body, moveElement(content.body.attachments ?? [], from, to));
    }
    this.editor.touch();
  }

  find(id: FileId | undefined): DraftFile | null {
    return this.editor.files.find((file) => file.id === id) ?? null;
  }

  async #attach(file: File): Promise<void> {
    const { id } = this.editor;
    try {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const attached = await api['drafts.attach']({ id, name: file.name, bytes });
      this.editor.files = [...this.editor.files, attached];
      this.#list(attached, file.lastModified);
      this.editor.touch();
    } catch (error) {
      const failure = failureOf(error);
      this.refused = [...this.refused, { name: file.name, failure }];
      activity.warn(() => `${file.name}: ${sentenceFor(failure)}`, null, 'document');
    }
  }

  #list({ id, name, mimeType }: DraftFile, modified: number): void {
    const { content } = this.editor;
    const title = name.replace(/\.[^.]+$/, '');
    if (content?.api === 'v1') {
      content.body.title ||= title;
      const category = mimeType === 'application/pdf' ? 'AGREEMENT' : 'REF_DOC';
      const lastModifiedOn = formatV1Time(modified);
      content.body.attachments.push({
        type: 'BASE64',
        name,
        title,
        file: id,
        lastModifiedOn,
        category,
      });
    }
    if (content?.api === 'v2') {
      content.body.name ||= title;
      content.body.attachments = [...(content.body.attachments ?? []), { name, file: id }];
    }
  }
}
