/** What a handler answers where its endpoint gives no JSON: a file, a way elsewhere, a page. The kinds cannot be taken for each other. */
import type { Readable } from 'node:stream';

/** Marks an answer as of its kind, so that no type lets it pass for return values. */
declare const kind: unique symbol;

/** The kind of an answer; return values have none. */
export interface OfKind<Kind extends string> {
  readonly [kind]?: Kind;
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file wherever it is: on disk, in memory, in a store. */
export interface FileSource {
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt?: Date;
  /** Changes whenever the content does; letters, digits and `-` only. */
  readonly version: string;
  readonly contentType: string;
  /**
   * Opens a part of the content; called at most once, and never where the client has the content or asks only about it. The layer
   * destroys the stream when the client hangs up.
   */
  open(range: ByteRange): Readable | Promise<Readable>;
}

export interface FileOptions {
  /** The name that it is saved under. */
  readonly name?: string;
  /** `inline` to be shown; it is to be saved otherwise. */
  readonly disposition?: 'inline' | 'attachment';
  /** The `Cache-Control` header; nothing keeps it otherwise. */
  readonly cacheControl?: string;
}

export class FileAnswer implements OfKind<'file'> {
  declare readonly [kind]?: 'file';
  readonly source: FileSource;
  readonly options: FileOptions;

  constructor(source: FileSource, options: FileOptions) {
    this.source = source;
    this.options = options;
  }
}

export class RedirectAnswer implements OfKind<'redirect'> {
  declare readonly [kind]?: 'redirect';
  readonly location: string;
  readonly status: 302 | 303 | 308;

  constructor(location: string, status: 302 | 303 | 308) {
    this.location = location;
    this.status = status;
  }
}

/** An answer of another protocol: its status, its headers and its body. */
export class ProtocolAnswer implements OfKind<'protocol'> {
  declare readonly [kind]?: 'protocol';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export interface PageOptions {
  /** 200 if not given. */
  readonly status?: number;
  readonly cacheControl?: string;
  /** The page runs scripts that this server has, and asks it from them; its content-security-policy forbids any otherwise. */
  readonly hasScripts?: boolean;
  /** Its forms may be answered with a redirect to an app, by the scheme of its addresses; else they stay here. */
  readonly formsOpen?: 'zulip:';
}

export class PageAnswer implements OfKind<'page'> {
  declare readonly [kind]?: 'page';
  readonly html: string;
  readonly options: PageOptions;

  constructor(html: string, options: PageOptions) {
    this.html = html;
    this.options = options;
  }
}

/** Answers with a file, or with the part that the client asks for. */
export function file(source: FileSource, options: FileOptions = {}): FileAnswer {
  return new FileAnswer(source, options);
}

/**
 * Leads the client to another address.
 * @param location where to; a path of ours, or a whole URL. It must not come from the client unchecked.
 * @param status 302 is for now, 303 answers a form, 308 is for ever
 */
export function redirect(location: string, status: 302 | 303 | 308 = 302): RedirectAnswer {
  return new RedirectAnswer(location, status);
}

/** Answers with a page. What is in it must have been escaped. */
export function page(html: string, options: PageOptions = {}): PageAnswer {
  return new PageAnswer(html, options);
}
