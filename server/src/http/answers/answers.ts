/**
 * What a handler returns if its endpoint gives no JSON: a file, a redirect, a page. The types of the kinds are not compatible with each
 * other.
 */
import type { Readable } from 'node:stream';
import type { Coding } from './accept-encoding.ts';

/** Marks the kind of a response, so that the types do not accept it as return values. */
declare const kind: unique symbol;

/** The kind of a response; return values have none. */
export interface OfKind<Kind extends string> {
  readonly [kind]?: Kind;
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file on disk, in memory or in a store. */
export interface FileSource {
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt?: Date;
  /** Changes with the content; letters, digits and `-` only. */
  readonly version: string;
  readonly contentType: string;
  /**
   * Opens a part of the content. It is called at most once, and not if the client has the content or asks only about it. The layer destroys
   * the stream when the client disconnects.
   */
  open(range: ByteRange): Readable | Promise<Readable>;
  /** The same content, compressed in advance. The best coding comes first. A request for a range gets the content without a coding. */
  readonly coded?: readonly CodedFile[];
}

/** A file that was compressed in advance. */
export interface CodedFile {
  readonly coding: Coding;
  /** Bytes. */
  readonly size: number;
  open(): Readable;
}

export interface FileOptions {
  /** The name under which browsers save it. */
  readonly name?: string;
  /** `inline`: browsers show it. Otherwise they save it. */
  readonly disposition?: 'inline' | 'attachment';
  /** The `Cache-Control` header. Without it nothing caches the file. */
  readonly cacheControl?: string;
  /** The file belongs to the web app, so browsers may run it. They run no other file. */
  readonly isOfApp?: boolean;
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

export interface RedirectOptions {
  /** The browser removes the files and data that it has stored for this server: another person may use it next. */
  readonly emptiesBrowser?: boolean;
}

export class RedirectAnswer implements OfKind<'redirect'> {
  declare readonly [kind]?: 'redirect';
  readonly location: string;
  readonly status: 302 | 303 | 308;
  readonly options: RedirectOptions;

  constructor(location: string, status: 302 | 303 | 308, options: RedirectOptions) {
    this.location = location;
    this.status = status;
    this.options = options;
  }
}

/** The response of another protocol: its status, headers and body. */
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
  /** Default: 200. */
  readonly status?: number;
  readonly cacheControl?: string;
  /** The page runs scripts of this server, which send requests to it. The content security policy forbids scripts otherwise. */
  readonly hasScripts?: boolean;
  /** The hash of the only script that the page may run, like `sha256-…`. The script is part of the page. */
  readonly inlineScript?: `sha256-${string}`;
  /** A form of the page may lead to an app, by the scheme of its addresses. Otherwise forms stay on this server. */
  readonly formsOpen?: 'zulip:';
  /** The page is the web app, which has a policy of its own. The other options of policies have no effect then. */
  readonly app?: AppPolicy;
}

/** What the policy of the web app depends on. */
export interface AppPolicy {
  /** Random for each response. Style elements with this nonce have an effect. */
  readonly styleNonce: string;
  /** The origins of pictures outside this server. */
  readonly pictureOrigins: readonly string[];
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

/** Responds with a file, or with the part that the client requests. */
export function file(source: FileSource, options: FileOptions = {}): FileAnswer {
  return new FileAnswer(source, options);
}

/**
 * Redirects the client to another address.
 * @param location a path of this server or a whole URL. It must not come from the client unchecked.
 * @param status 302: temporary; 303: after a form; 308: permanent
 */
export function redirect(
  location: string,
  status: 302 | 303 | 308 = 302,
  options: RedirectOptions = {},
): RedirectAnswer {
  return new RedirectAnswer(location, status, options);
}

/** Responds with a page. Its content must be escaped. */
export function page(html: string, options: PageOptions = {}): PageAnswer {
  return new PageAnswer(html, options);
}
