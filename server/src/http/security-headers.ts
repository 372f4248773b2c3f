/** Headers for pages and files, so that browsers run nothing that a user has written. */

import type { PageOptions } from './answers.ts';

interface SecurityHeaders {
  readonly [name: string]: string;
  readonly 'content-security-policy': string;
  readonly 'x-content-type-options': 'nosniff';
  readonly 'referrer-policy': 'no-referrer' | 'same-origin';
}

const common = { 'x-content-type-options': 'nosniff' } as const;

/** A page loads only our resources; icons may be data. It cannot be framed, and its forms lead to us. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * Pages without scripts, and pages with scripts of ours. Other sites do not learn their addresses. We do, because browsers would otherwise
 * hide where a form comes from (`Origin: null`).
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
 * Anyone can upload files. So a file that a browser shows loads and runs nothing, whatever its type, and has no origin. Only PDF viewers do
 * not work in a sandbox.
 */
export function fileHeaders(contentType: string): SecurityHeaders {
  const policy = contentType === 'application/pdf' ? filePolicy : `${filePolicy}; sandbox`;
  return { ...common, 'referrer-policy': 'no-referrer', 'content-security-policy': policy };
}
