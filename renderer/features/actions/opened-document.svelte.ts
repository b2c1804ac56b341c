import type { AgreementKey } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** Address of one document's bytes; read once. */
export class OpenedDocument {
  readonly read;

  constructor(key: AgreementKey, documentId: string) {
    this.read = new Loaded(() => api['actions.openDocument']({ key, documentId }));
    void this.read.refresh();
  }
}
