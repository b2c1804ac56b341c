import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { type Reply, Task } from './worker-messages.ts';

/** One task; whatever is no refusal ends the thread. */
parentPort?.once('message', (message: unknown) => {
  void answer(Task.parse(message)).then((reply) => parentPort?.postMessage(reply));
});

async function answer(task: Task): Promise<Reply> {
  try {
    return { ok: true, value: await work(task) };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}

async function work(task: Task): Promise<unknown> {
  switch (task.task) {
    case 'prepare': {
      const { prepareDocument } = await import('./word/prepare.ts');
      return prepareDocument(task.data, task.codes);
    }
    case 'clean': {
      const { withoutAnchors } = await import('./office/anchors.ts');
      return { data: await withoutAnchors(task.data) };
    }
    case 'outside': {
      const { refuseOutside } = await import('./outside/refuse-outside.ts');
      const { refuseLinkedPackages } = await import('./word/clean-parts.ts');
      for (const object of refuseOutside(task.data, task.kind)) await refuseLinkedPackages(object);
      return null;
    }
    case 'picture': {
      const { pictureAsPdf } = await import('./picture.ts');
      return { data: await pictureAsPdf(task.data, task.kind) };
    }
  }
}
