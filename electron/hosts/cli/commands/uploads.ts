import path from 'node:path';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { type Answer, answer } from '../output/answer.ts';
import { outcomeAnswer } from './actions/changes.ts';
import { type AddCommands, example } from '../session/group.ts';
import { readBytes } from '../input/local-files.ts';
import { connectionNamed } from '../session/names.ts';
import { connectionOption } from '../input/options.ts';
import type { Session } from '../session/session.ts';
import { table } from '../output/text.ts';

interface UploadConnectionOption {
  readonly connection?: string;
}

/**
 * `uploads list`: lists files that no agreement uses yet. Orphans are files that no draft on this
 * computer names.
 */
async function listUploads(session: Session, where: UploadConnectionOption): Promise<Answer> {
  const connectionId = await connectionOf(session, where);
  const { files, total } = await session.api['uploads.list']({ connectionId });
  const items = files.map(({ token, fileName, createdOn, isOrphan }) => ({
    token,
    fileName,
    createdOn,
    orphan: isOrphan,
  }));
  const rows = items.map((one) => [
    one.token,
    one.createdOn ?? '-',
    one.orphan ? 'orphan' : 'in a draft',
    one.fileName,
  ]);
  const heading = ['TOKEN', 'CREATED (SERVER TIME)', 'USE', 'FILE'];
  return answer({ items, total }, table(heading, rows, 'There are no unused uploaded files.'));
}

async function addUpload(
  session: Session,
  where: UploadConnectionOption,
  file: string,
): Promise<Answer> {
  const data = await readBytes(file);
  const connectionId = await connectionOf(session, where);
  const name = path.basename(file);
  const bytes = session.giveBytes(data);
  const outcome = await session.api['uploads.add']({ connectionId, name, bytes });
  if (outcome.outcome === 'unknown') return outcomeAnswer(outcome, '');
  const { token, fileName, createdOn } = outcome.file;
  return answer({ token, fileName, createdOn }, `Uploaded as ${token}.`);
}

async function showUpload(
  session: Session,
  where: UploadConnectionOption,
  token: string,
): Promise<Answer> {
  const connectionId = await connectionOf(session, where);
  const file = await session.api['uploads.show']({ connectionId, token });
  if (file === null) {
    const gone = 'The file is no longer there: an agreement used it, or it was deleted.';
    return answer({ token, state: 'used-or-deleted' }, gone);
  }
  const { fileName, createdOn } = file;
  const text = `${token} is not used by an agreement yet: ${fileName}`;
  return answer({ token, state: 'waiting', fileName, createdOn }, text);
}

async function removeUpload(
  session: Session,
  where: UploadConnectionOption,
  token: string,
): Promise<Answer> {
  const connectionId = await connectionOf(session, where);
  const outcome = await session.api['uploads.remove']({ connectionId, token });
  const wasGone = outcome.outcome === 'done' && outcome.wasAlready;
  return outcomeAnswer(outcome, wasGone ? 'The file was already removed.' : 'Removed the file.');
}

/** Returns the named connection, or the only connection of API v2. */
async function connectionOf(
  session: Session,
  { connection }: UploadConnectionOption,
): Promise<ConnectionId> {
  if (connection !== undefined) return (await connectionNamed(session, connection)).id;
  const all = (await session.api['connections.list']({})).filter(({ api }) => api === 'v2');
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only.id;
  const names = all.map(({ name }) => name).join(', ');
  const message =
    only === undefined
      ? 'Uploads need a connection that uses API v2. Add such a connection first'
      : `Several connections use API v2; choose one with --connection: ${names}`;
  throw new AppError('invalid', message);
}

export const uploadCommands: AddCommands = (group, run) => {
  const list = group
    .command('list')
    .description('list the uploaded files that no agreement uses yet')
    .addOption(connectionOption())
    .action((where: UploadConnectionOption) =>
      run.withDesk('data', (session) => listUploads(session, where)),
    );
  example(list, 'uploads list --connection Old');
  const token = 'token of the file, as `uploads list` shows it';
  for (const [word, takes, value, about, work, sample] of [
    ['add', '<file>', 'file to upload', 'upload a file', addUpload, 'lease.pdf'],
    ['show', '<token>', token, 'show whether a file is still unused', showUpload, '3f1c…'],
    ['remove', '<token>', token, 'remove an unused file', removeUpload, '3f1c…'],
  ] as const) {
    const command = group
      .command(word)
      .argument(takes, value)
      .description(about)
      .addOption(connectionOption())
      .action((named: string, where: UploadConnectionOption) =>
        run.withDesk('data', (session) => work(session, where, named)),
      );
    example(command, `uploads ${word} ${sample}`);
  }
};
