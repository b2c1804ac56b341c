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

interface Where {
  readonly connection?: string;
}

/** `uploads list`: files that no agreement has used up; orphans are named by no draft here. */
async function listUploads(session: Session, where: Where): Promise<Answer> {
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
  return answer({ items, total }, table(heading, rows, 'No file is waiting.'));
}

/** `uploads add` */
async function addUpload(session: Session, where: Where, file: string): Promise<Answer> {
  const data = await readBytes(file);
  const connectionId = await connectionOf(session, where);
  const name = path.basename(file);
  const bytes = session.giveBytes(data);
  const outcome = await session.api['uploads.add']({ connectionId, name, bytes });
  if (outcome.outcome === 'unknown') return outcomeAnswer(outcome, '');
  const { token, fileName, createdOn } = outcome.file;
  return answer({ token, fileName, createdOn }, `Uploaded as ${token}.`);
}

/** `uploads show` */
async function showUpload(session: Session, where: Where, token: string): Promise<Answer> {
  const connectionId = await connectionOf(session, where);
  const file = await session.api['uploads.show']({ connectionId, token });
  if (file === null) return answer({ token, state: 'used-or-deleted' }, 'Used, or deleted.');
  const { fileName, createdOn } = file;
  return answer({ token, state: 'waiting', fileName, createdOn }, `${token} waits: ${fileName}`);
}

/** `uploads remove` */
async function removeUpload(session: Session, where: Where, token: string): Promise<Answer> {
  const connectionId = await connectionOf(session, where);
  const outcome = await session.api['uploads.remove']({ connectionId, token });
  const wasGone = outcome.outcome === 'done' && outcome.wasAlready;
  return outcomeAnswer(outcome, wasGone ? 'It was gone already.' : 'Removed.');
}

/** The one connection of API v2, unless it is named. */
async function connectionOf(session: Session, { connection }: Where): Promise<ConnectionId> {
  if (connection !== undefined) return (await connectionNamed(session, connection)).id;
  const all = (await session.api['connections.list']({})).filter(({ api }) => api === 'v2');
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only.id;
  const names = all.map(({ name }) => name).join(', ');
  const message =
    only === undefined
      ? 'There is no connection of API v2'
      : `Several connections are of API v2; name one with --connection: ${names}`;
  throw new AppError('invalid', message);
}

/** `uploads …` */
export const uploadCommands: AddCommands = (group, run) => {
  const list = group
    .command('list')
    .description('list the files that wait')
    .addOption(connectionOption())
    .action((where: Where) => run.withDesk('data', (session) => listUploads(session, where)));
  example(list, 'uploads list --connection Old');
  for (const [usage, about, work, sample] of [
    ['add <file>', 'upload a file', addUpload, 'add lease.pdf'],
    ['show <token>', 'whether a file still waits', showUpload, 'show 3f1c…'],
    ['remove <token>', 'remove a file that waits', removeUpload, 'remove 3f1c…'],
  ] as const) {
    const command = group
      .command(usage)
      .description(about)
      .addOption(connectionOption())
      .action((named: string, where: Where) =>
        run.withDesk('data', (session) => work(session, where, named)),
      );
    example(command, `uploads ${sample}`);
  }
};
