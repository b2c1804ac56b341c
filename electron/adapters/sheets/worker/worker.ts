import { parentPort } from 'node:worker_threads';
import * as z from 'zod';
import { SheetChoices, SheetRow } from '../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../shared/errors.ts';
import { readLines } from '../read/lines.ts';
import { holdsNumber } from '../read/person-numbers.ts';
import { readSheet } from '../read/sheet.ts';

const Task = z.discriminatedUnion('task', [
  z.object({
    task: z.enum(['read', 'lines']),
    data: z.instanceof(Uint8Array),
    choices: SheetChoices,
  }),
  z.object({ task: z.literal('numbers'), data: z.instanceof(Uint8Array) }),
  z.object({ task: z.literal('check'), spec: z.unknown(), rows: z.array(SheetRow) }),
]);

/** One file read or one batch checked; whatever is no refusal ends the worker. */
parentPort?.once('message', (message: unknown) => {
  void answer(Task.parse(message)).then((said) => parentPort?.postMessage(said));
});

async function answer(task: z.infer<typeof Task>): Promise<unknown> {
  switch (task.task) {
    case 'read':
      return orRefusal(readSheet(task.data, task.choices));
    case 'lines':
      return orRefusal(readLines(task.data, task.choices));
    case 'numbers':
      return orRefusal(holdsNumber(task.data));
    case 'check': {
      // The rules are large, and a file that is only read needs none of them.
      const { CheckSpec, createRowCheck } =
        await import('../../../../shared/rules/batches/check.ts');
      return task.rows.map(createRowCheck(CheckSpec.parse(task.spec)));
    }
  }
}

async function orRefusal(reading: Promise<unknown>): Promise<object> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}
