import type { Access } from '../../shared/contract/access.ts';
import type { DoctorCheck, HostDescription, HostSchedule } from '../../shared/contract/host.ts';
import type { HandlersOf } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { HostFeatures } from './host-ports.ts';
import type { Files, Stores } from './ports.ts';

interface HostPorts {
  readonly description: () => HostDescription;
  readonly features: HostFeatures;
  readonly files: Pick<Files, 'folderOf' | 'resolveLocal' | 'kindOf'>;
  readonly stores: () => Stores | null;
  readonly onChosen: (folder: string) => void;
  readonly doctor: () => Promise<DoctorCheck[]>;
  readonly access: () => Promise<Pick<Access, 'open' | 'profile' | 'store'>>;
}

/** Creates the handlers for the host's features, limited to what the page may request. */
export function createHostHandlers(ports: HostPorts): HandlersOf<'host'> {
  const { features } = ports;
  return {
    'host.describe': async () => ports.description(),
    'host.chooseFolder': async () => {
      const path = await features.chooseFolder();
      if (path !== null) ports.onChosen(path);
      return { path };
    },
    'host.openPath': async ({ path }) => {
      await features.openPath(await requireOpenable(path, ports));
      return {};
    },
    'host.dragFile': async ({ path }) => {
      if (!isSaved(path, ports)) {
        throw new AppError('forbidden', 'Only archived files can be dragged out');
      }
      await features.dragFile(await savedPdf(path, ports));
      return {};
    },
    'host.notify': async ({ title, body }) => {
      features.notify(title, body);
      return {};
    },
    'host.progress': async ({ fraction }) => {
      features.progress(fraction);
      return {};
    },
    'host.badge': async ({ count }) => {
      features.badge(count);
      return {};
    },
    'host.menu': async (menu) => {
      features.menu(menu);
      return {};
    },
    'host.status': async (status) => {
      features.status(status);
      return {};
    },
    'host.startsAtLogin': async () => ({ isOn: features.startsAtLogin() }),
    'host.startAtLogin': async ({ isOn }) => {
      await features.startAtLogin(isOn);
      return {};
    },
    'host.schedule': () => readSchedule(ports),
    'host.setSchedule': async ({ isOn }) => {
      const { obstacle } = await readSchedule(ports);
      const { open } = await ports.access();
      if (!open || obstacle === 'demo' || (isOn && obstacle !== null)) {
        throw new AppError('invalid', 'The scheduled task cannot be changed for this data');
      }
      await features.setSchedule(isOn);
      return readSchedule(ports);
    },
    'host.doctor': async () => ({ checks: await ports.doctor() }),
  };
}

/** Returns the scheduled task, with the obstacles of the data that is open. */
async function readSchedule({ features, access }: HostPorts): Promise<HostSchedule> {
  const [{ isOn, obstacle, command }, { profile, store }] = await Promise.all([
    features.readSchedule(),
    access(),
  ]);
  if (profile === 'demo') return { isOn: false, obstacle: 'demo', command };
  // A task that an earlier credential store allowed can still be turned off.
  if (store === 'passphrase' && !isOn) return { isOn, obstacle: 'passphrase', command };
  return { isOn, obstacle, command };
}

/**
 * Returns the path if it is a folder or an archived PDF. The system would run a program if asked to
 * open it, so a known path is not enough: the kind of the file is checked too.
 */
async function requireOpenable(path: string, ports: HostPorts): Promise<string> {
  if (isSaved(path, ports)) return savedPdf(path, ports);
  if (!isFolderOfOurs(path, ports)) {
    throw new AppError('forbidden', 'Only archived files and their folder can be opened');
  }
  return expectKind(path, 'folder', ports);
}

function savedPdf(path: string, ports: HostPorts): Promise<string> {
  if (!/\.pdf$/i.test(path)) throw new AppError('forbidden', 'Only archived PDFs can be opened');
  return expectKind(path, 'file', ports);
}

async function expectKind(
  path: string,
  wanted: 'file' | 'folder',
  { files }: HostPorts,
): Promise<string> {
  const local = files.resolveLocal(path);
  const kind = local === null ? 'other' : await files.kindOf(local);
  if (local !== null && kind === wanted) return local;
  if (kind === 'nothing') {
    const reason = wanted === 'file' ? 'file-missing' : 'folder-missing';
    throw new AppError('storage', 'The file or folder no longer exists', { reason });
  }
  const message = `This path does not lead to a ${wanted} on this computer`;
  throw new AppError('forbidden', message, { reason: 'path-not-local' });
}

/**
 * Whether the path is the archive folder, a folder with an archive, or the folder of a saved file.
 */
function isFolderOfOurs(path: string, { stores, files }: HostPorts): boolean {
  const open = stores();
  if (open === null) return false;
  if (path === open.settings.read().archiveFolder || open.archive.held(path)) return true;
  return open.archive.list(undefined).some(({ file }) => {
    return file !== null && path === files.folderOf(file);
  });
}

function isSaved(path: string, { stores }: HostPorts): boolean {
  return (
    stores()
      ?.archive.list(undefined)
      .some(({ file }) => file === path) ?? false
  );
}
