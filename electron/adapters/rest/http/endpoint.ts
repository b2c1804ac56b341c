import type * as z from 'zod';

export type Query = Readonly<Record<string, string>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface EndpointHead {
  /** Stands for the request in logs and errors, where its address must not. */
  readonly name: string;
  readonly method: Method;
  /** Below the connection's address; `{name}` stands for one segment, encoded when filled. */
  readonly path: string;
  /**
   * Whether it may be asked again when its outcome is not known. The verb says nothing about it:
   * `once` is never repeated, whatever its method.
   */
  readonly repeat: 'read' | 'once';
  /** The one status that means yes. */
  readonly success: number;
  /** Whether the acting user goes along, where the API has one. */
  readonly actingUser?: 'required' | 'when-known';
}

/** Answers with JSON of this shape, and changes nothing. */
export interface ReadEndpoint<Reply> extends EndpointHead {
  readonly repeat: 'read';
  readonly reply: z.ZodType<Reply>;
  readonly none?: None<Reply>;
}

/** A refusal by the API itself that says nothing but "none", or "gone already". */
interface None<Reply> {
  readonly status: number;
  readonly reply: Reply;
}

/** Answers with a text of this media subtype that nobody here reads, and changes nothing. */
export interface TextEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly text: 'xml';
}

/** Answers page by page. */
export interface ListEndpoint<Reply> extends ReadEndpoint<Reply> {
  readonly paging: Paging<Reply>;
}

/** Changes something on the service. */
export interface WriteEndpoint<Reply> extends EndpointHead {
  readonly repeat: 'once';
  readonly reply: z.ZodType<Reply>;
  /** Answers with words for people, or with nothing at all, instead of JSON. */
  readonly isPlainText?: true;
  readonly none?: None<Reply>;
}

/** Answers with a file of this type. */
export interface FileEndpoint extends EndpointHead {
  readonly repeat: 'read';
  readonly file: string;
}

/** Answers with a redirect to a file that lies elsewhere; the body is read for the same link. */
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

/** How far a listing has come. */
interface PageMark {
  /** What was asked for to get this page; null for the first. */
  readonly position: number | null;
  /** Pages read, this one included. */
  readonly pages: number;
}

export interface Paging<Reply> {
  /** The query for the page at a position; null is the first page. */
  query(position: number | null): Query;
  /** The position after this page, `end` after the last, `astray` when it is not what was asked. */
  next(reply: Reply, mark: PageMark): number | 'end' | 'astray';
  /** How many the listing announces in all. */
  total(reply: Reply): number;
  /** What is on the page, to tell whether it came before. */
  ids(reply: Reply): readonly string[];
  /** Positions that this page says will follow `next`, nearest first; they may be asked for early. */
  ahead(reply: Reply, next: number): readonly number[];
}
