import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import { layRelay, type Relayed, type Relay } from '../../support/relay.ts';
import { type DeskApp, startDeskApp } from './desk.ts';
import { apiOf } from './prepared-draft.ts';

const CHILD = path.join(import.meta.dirname, '../children/sitting.ts');

/** Steps of the two sessions that end with a kill; the test itself is the third. */
export interface Story {
  readonly first: (page: Page, files: readonly string[]) => Promise<void>;
  readonly second: (page: Page, files: readonly string[]) => Promise<void>;
}

/** Arguments of a session: its data folder and connection. */
export interface AppSession {
  readonly story: string;
  readonly part: keyof Story;
  readonly dataDir: string;
  readonly api: ApiName;
  readonly url: string;
  readonly secret: string;
  readonly accountId: string | null;
  readonly files: readonly string[];
}

/** A program with its own data folder, and a service that is not reachable yet. */
export class Office {
  readonly demo: Demo;
  readonly folder: string;
  readonly relay: Relay;
  readonly #api: ApiName;

  private constructor(api: ApiName, demo: Demo, relay: Relay, folder: string) {
    this.#api = api;
    this.demo = demo;
    this.relay = relay;
    this.folder = folder;
  }

  static async open(api: ApiName): Promise<Office> {
    const demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    const relay = await layRelay(api === 'v1' ? demo.v1Url : demo.v2Url);
    return new Office(api, demo, relay, await mkdtemp(path.join(tmpdir(), 'office-')));
  }

  async close(): Promise<void> {
    await this.relay.down();
    await this.demo.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs both sessions, each in its own process that is killed after the last key. */
  async sitTwice(story: string, files: readonly string[]): Promise<void> {
    await this.#sit({ story, part: 'first', files });
    await this.#sit({ story, part: 'second', files });
  }

  startApp(): Promise<DeskApp> {
    return startDeskApp({ dataDir: this.#dataDir, demo: this.demo });
  }

  /** The successful create requests so far. */
  creates(): readonly Relayed[] {
    return this.relay.passed.filter(
      ({ method, path: at }) => method === 'POST' && at.endsWith('/agreements'),
    );
  }

  /** Body of the only create request, once the request has succeeded. */
  async created(): Promise<unknown> {
    await expect
      .poll(() => this.creates(), { message: 'creates that went through' })
      .toHaveLength(1);
    return JSON.parse(this.creates()[0]?.body.toString() ?? '');
  }

  get #dataDir(): string {
    return path.join(this.folder, 'data');
  }

  async #sit(about: Pick<AppSession, 'story' | 'part' | 'files'>): Promise<void> {
    const { token, accessKey, accountId } = this.demo.credentials;
    const isV1 = this.#api === 'v1';
    const sitting: AppSession = {
      ...about,
      dataDir: this.#dataDir,
      api: this.#api,
      url: this.relay.through(isV1 ? this.demo.v1Url : this.demo.v2Url),
      ...(isV1 ? { secret: token, accountId: null } : { secret: accessKey, accountId }),
    };
    // Leftovers of the killed process are removed with the folder.
    const rest = path.join(this.folder, about.part);
    await mkdir(rest);
    const env = { ...process.env, TMPDIR: rest };
    const child = fork(CHILD, [JSON.stringify(sitting)], { execArgv: [], env, silent: true });
    expect(await Promise.race([message(child), crash(child)])).toBe('typed');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const [said] = await once(child, 'message');
  return said;
}

/** Message about a session that ended without a kill, with its output. */
async function crash(child: ChildProcess): Promise<string> {
  const written = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'exit');
  return `ended with ${String(code)} before it was killed: ${await written}`;
}

/** Contents of the only draft. */
export async function onlyDraft(app: DeskApp): Promise<DraftContent> {
  const api = apiOf(app);
  const [one, ...others] = await api['drafts.list']({});
  expect(others).toEqual([]);
  if (one === undefined) throw new Error('The draft is gone');
  return (await api['drafts.show']({ id: one.id })).content;
}
