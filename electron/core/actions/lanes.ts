/** ETags that our own actions replaced, by the one each replaced, while their lane was busy. */
export type Followers = Map<string, string>;

interface Lane {
  readonly end: Promise<void>;
  readonly followers: Followers;
}

/** Work in order of arrival within a lane; lanes do not wait for each other. */
export class ActionLanes {
  readonly #lanes = new Map<string, Lane>();

  async follow<Result>(
    name: string,
    work: (followers: Followers) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#lanes.get(name);
    const followers: Followers = before?.followers ?? new Map<string, string>();
    const mine = (before?.end ?? Promise.resolve()).then(() => work(followers));
    const end = mine.then(
      () => {},
      // Whoever ordered it gets its error; the next in the lane goes ahead.
      () => {},
    );
    this.#lanes.set(name, { end, followers });
    try {
      return await mine;
    } finally {
      if (this.#lanes.get(name)?.end === end) this.#lanes.delete(name);
    }
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ end }) => end));
  }
}

/** The newest ETag that our own actions put in the place of this one. */
export function newestOf(etag: string, followers: ReadonlyMap<string, string>): string {
  let newest = etag;
  // At most one step for each replacement, even where a service gives an ETag twice.
  for (const _ of followers) newest = followers.get(newest) ?? newest;
  return newest;
}
