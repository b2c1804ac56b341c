import type * as z from 'zod';

export type Query = Readonly<Record<string, string>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface EndpointHead {
  /** Name of the request in logs and errors, which must not contain its address. */
  readonly name: string;
  readonly method: Method;
  /**
   * Path relative to the connection's address. `{name}` is one segment, encoded when it is filled
   * in.
   */
  readonly path: string;
  /**
   * Whether the request may be repeated if its outcome is unknown. The method of the
   * request does not matter: a `once` request is never repeated.
   */
  readonly repeat: 'read' | 'once';
  /** The only status that means success. */
  readonly success: number;
  /** Whether the request names the acting user, if the API has one. */
  readonly actingUser?: 'required' | 'when-known';
}

/** Read-only request, answered with JSON of the given shape. */
export interface ReadEndpoint<Reply> extends EndpointHead {
  readonly repeat: 'read';
  readonly reply: z.ZodType<Reply>;
  readonly none?: EmptyReply<Reply>;
}

/** Error of the API that only means "none" or "already gone", with the reply to return instead. */
interface EmptyReply<Reply> {
  readonly status: number;
  readonly reply: Reply;
}

/** Read-only request, answered with a text of the given media subtype, which is not parsed. */
export interface TextEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly text: 'xml';
}

export interface ListEndpoint<Reply> extends ReadEndpoint<Reply> {
  readonly paging: Paging<Reply>;
}

export interface WriteEndpoint<Reply> extends EndpointHead {
  readonly repeat: 'once';
  readonly reply: z.ZodType<Reply>;
  /** True if the answer is a text for people or an empty body, not JSON. */
  readonly isPlainText?: true;
  readonly none?: EmptyReply<Reply>;
}

export interface FileEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly file: string;
}

/**
 * Request that is answered with a redirect to a file on another server. Without a redirect, the
 * link is read from the body.
 */
export interface LinkEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly link: z.ZodType<string>;
}

export type Endpoint =
  | ReadEndpoint<unknown>
  | TextEndpoint
  | WriteEndpoint<unknown>
  | FileEndpoint
  | LinkEndpoint;

/** Progress in a list. */
interface PagePosition {
  /** Position requested for this page; null for the first. */
  readonly position: number | null;
  /** Pages read, including this one. */
  readonly pages: number;
}

export interface Paging<Reply> {
  /** Returns the query for the page at a position; null is the first page. */
  query(position: number | null): Query;
  /**
   * Returns the position after this page; 'end' after the last page, 'astray' if the page is not
   * the requested one.
   */
  next(reply: Reply, mark: PagePosition): number | 'end' | 'astray';
  total(reply: Reply): number;
  /** Returns the IDs on the page, to detect repeated pages. */
  ids(reply: Reply): readonly string[];
  /**
   * Returns further positions that are expected after `next`, nearest first; these pages may be
   * requested early.
   */
  ahead(reply: Reply, next: number): readonly number[];
}
