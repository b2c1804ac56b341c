import type { DoctorCheck, HostDescription } from '../../shared/contract/host.ts';
import type { HandlersOf } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { HostFavours } from './host-ports.ts';
import type { Files, Stores } from './ports.ts';

interface HostPorts {
  readonly description: () => HostDescription;
  readonly favours: HostFavours;
  readonly files: Pick<Files, 'folderOf'>;
  /** Null while the data is closed. */
  readonly stores: () => Stores | null;
  readonly doctor: () => Promise<DoctorCheck[]>;
}

/** What the host lends, within what the desk may ask of it. */
export function createHost(ports: HostPorts): HandlersOf<'host'> {
  const { favours } = ports;
  return {
    'host.describe': async () => ports.description(),
    'host.chooseFolder': async () => ({ path: await favours.chooseFolder() }),
    'host.openPath': async ({ path }) => {
      if (!isOurs(path, ports)) {
        throw new AppError('forbidden', 'Only archived files and their folder can be opened');
      }
      await favours.openPath(path);
      return {};
    },
    'host.dragFile': async ({ path }) => {
      if (!isSaved(path, ports)) {
        throw new AppError('forbidden', 'Only archived files can be dragged out');
      }
      await favours.dragFile(path);
      return {};
    },
    'host.openLink': async ({ url }) => {
      // The whole text is matched, so that nothing but one plain address is handed to the system.
      if (!/^https:\/\/[^\s\u0000-\u001f"'<>\\`]+$/i.test(url)) {
        throw new AppError('forbidden', 'Only https addresses can be opened');
      }
      await favours.openLink(url);
      return {};
    },
    'host.notify': async ({ title, body }) => {
      favours.notify(title, body);
      return {};
    },
    'host.progress': async ({ fraction }) => {
      favours.progress(fraction);
      return {};
    },
    'host.doctor': async () => ({ checks: await ports.doctor() }),
  };
}

/** The archive folder that was chosen, one that holds an archive, a saved file or its folder. */
function isOurs(path: string, { stores, files }: HostPorts): boolean {
  const open = stores();
  if (open === null) return false;
  if (path === open.settings.read().archiveFolder || open.archive.held(path)) return true;
  return open.archive.list(undefined).some(({ file }) => {
    return file !== null && (path === file || path === files.folderOf(file));
  });
}

function isSaved(path: string, { stores }: HostPorts): boolean {
  return (
    stores()
      ?.archive.list(undefined)
      .some(({ file }) => file === path) ?? false
  );
}
