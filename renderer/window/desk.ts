import * as z from 'zod';
import { BytesId } from '../../shared/model/ids.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import { type Channel, connect } from '../../shared/wire.ts';

declare global {
  interface Window {
    /** The only object that a host passes to the page. */
    readonly desk: Channel;
  }
}

const client = connect(window.desk);

/** All calls of the core. A failed call throws an `AppError`. */
export const api = client.api;

/** Subscribes to an event; the returned function unsubscribes. */
export const on = client.on;

/** Transfers bytes outside of the calls. The id is valid for one call that takes a `BytesId`. */
export async function transferBytes(data: Uint8Array<ArrayBuffer>): Promise<BytesId> {
  const answer = await fetch('/bytes/in', { method: 'POST', body: data });
  if (!answer.ok)
    throw new AppError('storage', 'The file is too large to hand over', { reason: 'too-large' });
  return z.object({ id: BytesId }).parse(await answer.json()).id;
}

/** Converts any thrown value to a failure that can be shown to the user. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return error.failure;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}
