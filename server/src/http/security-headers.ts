/** What browsers are told of pages and files, so that neither runs what somebody else has written. */

import type { PageOptions } from './answers.ts';

interface SecurityHeaders {
  readonly [name: string]: string;
  readonly 'content-security-policy': string;
  readonly 'x-content-type-options': 'nosniff';
  readonly 'referrer-policy': 'no-referrer' | 'same-origin';
}

const common = { 'x-content-type-options': 'nosniff' } as const;

/** Everything that a page loads is ours; icons may be data. It cannot be framed, and its forms come to us. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * Pages that run nothing, and those with scripts of ours. No other site hears of their addresses; we do, or browsers would not say where
 * a form comes from (`Origin: null`).
 */
export function pageHeaders({
  hasScripts = false,
  formsOpen,
}: Pick<PageOptions, 'hasScripts' | 'formsOpen'>): SecurityHeaders {
  const scripts = hasScripts ? ["script-src 'self'", "connect-src 'self'"] : [];
  const forms = ["form-action 'self'", ...(formsOpen === undefined ? [] : [formsOpen])].join(' ');
  const policy = [...pagePolicy, forms, ...scripts].join('; ');
  return { ...common, 'referrer-policy': 'same-origin', 'content-security-policy': policy };
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
  return { ...common, 'referrer-policy': 'no-referrer', 'content-security-policy': policy };
}
