import * as z from 'zod';
import { BytesId } from '../../shared/model/ids.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import { type Channel, connect } from '../../shared/wire.ts';

declare global {
  interface Window {
    /** The one thing a host gives the page. */
    readonly desk: Channel;
  }
}

const client = connect(window.desk);

/** Every call of the desk; a failure is thrown as `AppError`. */
export const api = client.api;

/** Listens to an event; the returned function stops. */
export const on = client.on;

/** Hands bytes over beside the calls; the id is good for one of the calls that take a `BytesId`. */
export async function handOver(data: Uint8Array<ArrayBuffer>): Promise<BytesId> {
  const answer = await fetch('/bytes/in', { method: 'POST', body: data });
  if (!answer.ok)
    throw new AppError('storage', 'The file is too large to hand over', { reason: 'too-large' });
  return z.object({ id: BytesId }).parse(await answer.json()).id;
}

/** What to tell a person about anything that was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return error.failure;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}
