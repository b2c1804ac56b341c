import * as z from 'zod';
import { call } from './call.ts';
import { ConnectionId, IdentityId } from './ids.ts';

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'cosy', 'relaxed']),
  /** Null follows the system. */
  language: z.enum(['en', 'sv']).nullable(),
  /** How long a send can be undone before it leaves. */
  holdSeconds: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(30)]),
  archiveFolder: z.string().nullable(),
  archivePattern: z.string().min(1).max(200),
  signingIdentity: IdentityId.nullable(),
  /** The connection the window works with; null shows all. */
  connection: ConnectionId.nullable(),
});
export type Settings = z.infer<typeof Settings>;

export const settingCalls = {
  'settings.read': call(z.object({}), Settings),
  'settings.write': call(Settings.partial(), Settings),
} as const;

export const settingEvents = { 'settings.changed': z.object({}) } as const;
