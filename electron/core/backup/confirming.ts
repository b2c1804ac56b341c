import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';
import { secretName, type Services } from '../services/services.ts';
import { confirmReach } from '../unconfirmed.ts';
import { unconfirmedReaches } from './reaches.ts';

interface ConfirmationPorts {
  readonly stores: Pick<Stores, 'settings' | 'connections' | 'office'>;
  readonly services: Pick<Services, 'forget'>;
  readonly emit: Emit;
}

/** Lists the addresses in restored data, and confirms each when the user approves it. */
export function createConfirmationHandlers({
  stores,
  services,
  emit,
}: ConfirmationPorts): Pick<HandlersOf<'backup'>, `backup.${'unconfirmed' | 'confirm'}`> {
  return {
    'backup.unconfirmed': async () => unconfirmedReaches(stores),
    'backup.confirm': async ({ id }) => {
      if (!unconfirmedReaches(stores).some((one) => one.id === id)) {
        throw new AppError('not-found', 'No address with this name is waiting for confirmation');
      }
      confirmReach(stores, id);
      const connection = stores.connections.list().find((one) => secretName(one.id) === id);
      if (connection !== undefined) services.forget(connection.id);
      emit(connection === undefined ? 'office.changed' : 'connections.changed', {});
      emit('backup.changed', {});
      return unconfirmedReaches(stores);
    },
  };
}
