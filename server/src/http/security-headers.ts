/** What browsers are told of pages and files, so that neither runs what somebody else has written. */

interface SecurityHeaders {
  readonly [name: string]: string;
  readonly 'content-security-policy': string;
  readonly 'x-content-type-options': 'nosniff';
  readonly 'referrer-policy': 'no-referrer';
}

const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;

/** Everything that a page loads is ours; icons may be data. It cannot be framed, and its forms come to us. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** Pages that run nothing, and those with scripts of ours. */
export function pageHeaders(hasScripts: boolean): SecurityHeaders {
  const scripts = hasScripts ? ["script-src 'self'", "connect-src 'self'"] : [];
  return { ...common, 'content-security-policy': [...pagePolicy, ...scripts].join('; ') };
}

const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; object-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Files may be anybody's: one that is shown loads and runs nothing, whatever it says that it is, and is of no origin. Only what shows PDF
 * works in no sandbox.
 */
export function fileHeaders(contentType: string): SecurityHeaders {
  const policy = contentType === 'application/pdf' ? filePolicy : `${filePolicy}; sandbox`;
  return { ...common, 'content-security-policy': policy };
}
