import type * as z from 'zod';

export type Query = Readonly<Record<string, string>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface EndpointHead {
  /** Name of the request in logs and errors, which must not contain its address. */
  readonly name: string;
  readonly method: Method;
  /** Relative to the connection's address; `{name}` is one segment, encoded when filled in. */
  readonly path: string;
  /**
   * Whether it may be repeated if its outcome is unknown. Independent of the method: `once` is
   * never repeated.
   */
  readonly repeat: 'read' | 'once';
  /** The only status that means success. */
  readonly success: number;
  /** Whether the request names the acting user, if the API has one. */
  readonly actingUser?: 'required' | 'when-known';
}

/** Read-only; answers with JSON of this shape. */
export interface ReadEndpoint<Reply> extends EndpointHead {
  readonly repeat: 'read';
  readonly reply: z.ZodType<Reply>;
  readonly none?: EmptyReply<Reply>;
}

/** An API error that only means "none" or "already gone". */
interface EmptyReply<Reply> {
  readonly status: number;
  readonly reply: Reply;
}

/** Read-only; answers with a text of this media subtype that is not parsed. */
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
  /** Answers with text for people or an empty body, not JSON. */
  readonly isPlainText?: true;
  readonly none?: EmptyReply<Reply>;
}

export interface FileEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly file: string;
}

/**
 * Answers with a redirect to a file elsewhere; without a redirect, the link is read from the body.
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
  /** Query for the page at a position; null is the first page. */
  query(position: number | null): Query;
  /** Position after this page, 'end' after the last, 'astray' if it is not the requested page. */
  next(reply: Reply, mark: PagePosition): number | 'end' | 'astray';
  total(reply: Reply): number;
  /** Ids on the page, to detect repeated pages. */
  ids(reply: Reply): readonly string[];
  /** Further positions expected after `next`, nearest first; they may be requested early. */
  ahead(reply: Reply, next: number): readonly number[];
}
