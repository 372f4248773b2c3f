import Negotiator from 'negotiator';

/** The content codings of this server, the cheapest first. */
const CODINGS = ['zstd', 'br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];
/** A zstd response of several pieces has several frames. Browsers read these. Some libraries of Python fail at the end of a frame. */
const JOINED_CODINGS = { browser: ['zstd', 'gzip'], other: ['gzip'] } as const;
export type ClientKind = keyof typeof JOINED_CODINGS;

/** What a client accepts. */
export interface AcceptedCodings {
  /** The coding that the client prefers; among equals the cheapest. Undefined where the client prefers the response as it is. */
  readonly coding: Coding | undefined;
  /** The same among the codings of which compressed pieces can be joined. */
  readonly joinedCoding: 'zstd' | 'gzip' | undefined;
  /** Whether the client also takes a response that has no coding. */
  readonly acceptsIdentity: boolean;
}

/** Clients send the same few headers in all requests. */
const parsed = { browser: new Map<string, AcceptedCodings>(), other: new Map<string, AcceptedCodings>() };
const MAX_PARSED_HEADERS = 200;
const MAX_HEADER_CHARACTERS = 200;

const NOTHING: AcceptedCodings = { coding: undefined, joinedCoding: undefined, acceptsIdentity: true };

/** Reads an `Accept-Encoding` header (RFC 9110, section 12.5.3). Without the header a response has no coding. */
export function acceptedCodings(header: string | undefined, client: ClientKind = 'other'): AcceptedCodings {
  if (header === undefined || header.length > MAX_HEADER_CHARACTERS) return NOTHING;
  const known = parsed[client];
  let accepted = known.get(header);
  if (accepted === undefined) {
    accepted = {
      ...parse(header, CODINGS),
      joinedCoding: parse<'zstd' | 'gzip'>(header, JOINED_CODINGS[client]).coding,
    };
    if (known.size >= MAX_PARSED_HEADERS) known.clear();
    known.set(header, accepted);
  }
  return accepted;
}

/**
 * The coding in which a client prefers a response that exists in these codings only.
 * @param available the best one first
 * @returns undefined if the client prefers the response without a coding
 */
export function preferredCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  if (header === undefined || header.length > MAX_HEADER_CHARACTERS) return undefined;
  return parse(header, available).coding;
}

function parse<Some extends Coding>(
  header: string,
  codings: readonly Some[],
): { readonly coding: Some | undefined; readonly acceptsIdentity: boolean } {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const acceptable = negotiator.encodings([...codings, 'identity'], { preferred: [...codings] });
  return {
    coding: codings.find((coding) => coding === acceptable[0]),
    // A header that allows nothing at all gets the response as it is.
    acceptsIdentity: acceptable.length === 0 || acceptable.includes('identity'),
  };
}
