import type { AgreementKey } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

type RecordForm = 'json' | 'xml';

/** An agreement as the service returns it, in one of its forms. */
export class RawRecord {
  form = $state<RecordForm>('json');
  readonly #key: AgreementKey;
  readonly #stored = new Loaded(() => this.#read());
  readonly failure = $derived(this.#stored.failure);
  /** Text in the requested form; null while another form is still loaded. */
  readonly text: string | null = $derived(
    this.#stored.value?.form === this.form ? this.#stored.value.text : null,
  );

  constructor(key: AgreementKey) {
    this.#key = key;
    void this.#stored.refresh();
  }

  choose(form: RecordForm): void {
    this.form = form;
    void this.#stored.refresh();
  }

  async #read(): Promise<{ readonly form: RecordForm; readonly text: string }> {
    const { form } = this;
    const { text } = await api['actions.raw']({ key: this.#key, form });
    return { form, text: form === 'json' ? JSON.stringify(JSON.parse(text), null, 2) : text };
  }
}
