import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DraftStore } from '../../../electron/core/ports.ts';
import {
  removeElement,
  updateSignaturePositions,
  moveElement,
} from '../../../renderer/features/drafts/parties/order.ts';
import type { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import { DraftId } from '../../../shared/model/ids.ts';
import { signatureText } from '../../../shared/rules/forms/signature-text.ts';
import { newDraft } from '../../adapters/sqlite/samples.ts';
import { NOW, tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { createRandom } from '../../delivery/random.ts';

const EDITS = 60;

/** A signature field for each party, named after that party. */
const fieldOf = (name: string, place: number) => ({ name, value: signatureText(place) });
const partyOf = (firstName: string): DraftBodyV1['parties'][number] => ({
  type: 'PRIVATE',
  firstName,
  lastName: 'Ek',
  signingConfigurations: [{ type: 'DRAW' }],
});

function startBody(): DraftBodyV1 {
  const names = ['Åsa', 'Bo', 'Cia', 'Dan'];
  const fields = names.map(fieldOf);
  return {
    title: 'Lease',
    attachments: [{ type: 'BASE64', category: 'AGREEMENT', fields }],
    parties: names.map(partyOf),
  };
}

/** Each signature field with the party that would sign there. */
function placed({ attachments, parties }: DraftBodyV1): readonly (readonly [string, string])[] {
  return attachments.flatMap(({ fields = [] }) =>
    fields.flatMap(({ name, value }) => {
      const place = /\[(\d+)\]/.exec(value)?.[1];
      return place === undefined ? [] : [[name, parties[Number(place)]?.firstName ?? 'nobody']];
    }),
  );
}

class Edited {
  readonly #drafts: DraftStore;
  readonly #random: () => number;
  #id: DraftId;
  #added = 0;

  constructor(drafts: DraftStore, seed: number) {
    const draft = newDraft({ content: { api: 'v1', body: startBody() } });
    drafts.insert(draft);
    this.#drafts = drafts;
    this.#random = createRandom(seed);
    this.#id = draft.id;
  }

  body(): DraftBodyV1 {
    const { content } = this.#drafts.get(this.#id);
    if (content.api !== 'v1') throw new Error('another API');
    return content.body;
  }

  /** Makes one edit, as a person would. */
  edit(): void {
    const body = this.body();
    const at = () => Math.floor(this.#random() * body.parties.length);
    switch (Math.floor(this.#random() * 6)) {
      case 0:
        if (body.parties.length > 1)
          updateSignaturePositions(body, removeElement(body.parties, at()));
        break;
      case 1:
        this.#add(body);
        break;
      case 2:
        return this.#step(-1);
      case 3:
        return this.#step(1);
      case 4:
        return this.#duplicate();
      default:
        updateSignaturePositions(body, moveElement(body.parties, at(), at()));
    }
    this.#drafts.save(this.#id, this.#revision(), { api: 'v1', body }, null, NOW);
  }

  #add({ parties, attachments }: DraftBodyV1): void {
    this.#added += 1;
    const name = `New ${String(this.#added)}`;
    parties.push(partyOf(name));
    attachments[0]?.fields?.push(fieldOf(name, parties.length - 1));
  }

  #duplicate(): void {
    const id = DraftId.parse(randomUUID());
    this.#drafts.insert({ ...this.#drafts.get(this.#id), id, files: [] });
    this.#id = id;
  }

  #step(by: 1 | -1): void {
    this.#drafts.step(this.#id, this.#revision(), by, NOW);
  }

  #revision(): number {
    return this.#drafts.get(this.#id).revision;
  }
}

it.each([1, 2, 3, 4, 5])(
  'a drawn signature never moves to another party when parties are moved, removed, restored or copied: run %i (T1-37)',
  (seed) => {
    using place = tempDatabase();
    const draft = new Edited(place.stores.drafts, seed);
    for (let edit = 0; edit < EDITS; edit += 1) {
      draft.edit();
      const now = placed(draft.body());
      expect(now).toEqual(now.map(([field]) => [field, field]));
      // A party that was not removed keeps all its signature places.
      const there = draft.body().parties.map(({ firstName }) => firstName);
      expect(new Set(now.map(([field]) => field))).toEqual(new Set(there));
    }
  },
);
