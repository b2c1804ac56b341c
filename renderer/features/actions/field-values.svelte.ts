import type { AgreementKey } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** Values filled into the service's template for one agreement; read once. */
export class TemplateValues {
  readonly read;

  constructor(key: AgreementKey) {
    this.read = new Loaded(async () => ({ values: await api['actions.fieldValues']({ key }) }));
    void this.read.refresh();
  }
}
