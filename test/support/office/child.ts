/*
 * The program as a separate process that can be killed: it reads changes and sends due reminders,
 * at a fixed time.
 */
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { openOfficeDesk } from './desk.ts';

const order = z
  .object({ folder: z.string(), seed: z.number(), now: z.number() })
  .parse(JSON.parse(process.env['OFFICE_ORDER'] ?? '{}'));

const { api, finish, close } = await openOfficeDesk(order, () => order.now);
for (const { id } of await api['connections.list']({})) {
  await finish(await api['agreements.sync']({ connectionId: id }));
}
await finish(await api['reminders.run']({})).catch((error: unknown) => {
  // The window ignores this failure at this moment too.
  if (!(error instanceof AppError) || error.failure.reason !== 'desk-busy') throw error;
});
await close();
