import { expect, it } from 'vitest';
import { TwoDesks } from '../../support/desks/two-desks.ts';
import { addBatch, addLease, people } from '../../support/desks/batch-desk.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';

it('two simultaneous imports of one export add everything once, and both succeed (SR-I11)', async () => {
  using two = await TwoDesks.start();
  const { desk } = two.from;
  const content = { api: 'v1', body: DraftBodyV1.parse(bodyV1('Rent')) } as const;
  const { id } = await desk.api['drafts.create']({ content, connectionId: null });
  const bytes = desk.bytes.put(await formPdf('Rent', ['rent']));
  await desk.api['drafts.attach']({ id, name: 'Rent.pdf', bytes });
  await addBatch(two.from, await addLease(desk), people(2));
  const { folder } = await two.write();
  const jobs = await Promise.all([
    two.read('takeout.import', folder),
    two.read('takeout.import', folder),
  ]);
  expect(jobs.map(({ failure }) => failure)).toEqual([null, null]);
  const { api } = two.to.desk;
  expect(await api['drafts.list']({})).toHaveLength(1);
  expect(await api['templates.list']({})).toHaveLength(1);
  expect(await api['batches.list']({})).toHaveLength(1);
});
