import type { AgreementKey } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/**
 * Values with which the fields of the service's template were filled for one agreement; read once.
 */
export class TemplateValues {
  readonly read;

  constructor(key: AgreementKey) {
    this.read = new Loaded(async () => ({ values: await api['actions.fieldValues']({ key }) }));
    void this.read.refresh();
  }
}
