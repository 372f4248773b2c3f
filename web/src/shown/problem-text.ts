import { isApiError, isTemporary, NetworkError } from '@heddle/client/calls/errors.ts';
import type { ErrorCode } from '@heddle/client/calls/types.ts';
import { type Message, t, type Values } from '../base/i18n.ts';
import { TEXTS_OF_CODES, TEXTS_OF_SERVER } from './server-texts.ts';

/** Why a request failed, and what to do, as a sentence in the language of the user. */
export function problemText(error: unknown): string {
  if (isApiError(error, 'RATE_LIMIT_HIT')) return t('You did this too often. Wait a little.');
  if (isApiError(error) && !isTemporary(error)) {
    return serverText(error.status === 404 ? 'NOT_FOUND' : error.code, error.message);
  }
  if (error instanceof NetworkError && error.failure === 'offline') return t('You are offline. Try again later.');
  if (isTemporary(error)) return t('The server cannot be reached. Try again later.');
  return t('Something went wrong. Please try again.');
}

/**
 * The server's reason in the language of the user. A reason for which the app has no text stays as it is.
 * @param code of the error  @param said the server's text for people
 */
export function serverText(code: string | undefined, said: string): string {
  const known =
    code !== undefined && Object.hasOwn(TEXTS_OF_CODES, code) ? TEXTS_OF_CODES[code as ErrorCode] : undefined;
  if (known !== undefined) return t(known);
  patterns ??= Object.entries(TEXTS_OF_SERVER).map(([text, message]) => [patternOf(text), message]);
  for (const [pattern, message] of patterns) {
    const match = pattern.exec(said);
    if (match !== null) return t(message, match.groups as Values | undefined);
  }
  return said;
}

let patterns: readonly (readonly [RegExp, Message])[] | undefined;

/** Finds a text with placeholders. `{count}` is a number. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return `(?<${part}>${part === 'count' ? '[0-9]+' : '.+'})`;
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}
