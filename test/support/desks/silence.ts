import type { Api } from '../../../shared/contract/index.ts';
import type { Postgres } from '../postgres.ts';

/** Makes the office show that every other computer last reported this many minutes ago. */
export async function silenceOthers(postgres: Postgres, api: Api, minutes: number): Promise<void> {
  const seats = await api['office.seats']({});
  const own = seats.flatMap(({ desks }) => desks).find(({ isThis }) => isThis);
  await postgres.run(
    `SET search_path = signing_desk; ALTER TABLE desk DISABLE TRIGGER USER;
      UPDATE desk SET seen_at = clock_timestamp() - interval '${String(minutes)} minutes'
      WHERE id <> '${String(own?.id)}'; ALTER TABLE desk ENABLE TRIGGER USER`,
    'signing_desk',
  );
}
