import type { OfficeOwner, OfficeServerAddress } from '../../../shared/contract/office/office.ts';
import { type OfficeServer, openOffice } from './server.ts';

/** Connects as the owner while `work` runs. */
export async function runAsOwner<Result>(
  { host, port, database, trust }: OfficeServerAddress,
  { role, password }: OfficeOwner,
  work: (server: OfficeServer) => Promise<Result>,
): Promise<Result> {
  const server = openOffice({ host, port, database, trust, role }, async () => password);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
