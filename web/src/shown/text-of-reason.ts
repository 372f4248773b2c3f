import type { ErrorCode } from '@heddle/client/calls/types.ts';
import { type Message, t, type Values } from '../base/i18n.ts';
import { TEXTS_OF_CODES, TEXTS_OF_SERVER } from './server-texts.ts';

let patterns: readonly (readonly [RegExp, Message])[] | undefined;

/**
 * The server's reason in the language of the user. Undefined if the app has no text for it.
 * @param code of the error  @param said the server's text for people
 */
export function textOfReason(code: string | undefined, said: string): string | undefined {
  const known =
    code !== undefined && Object.hasOwn(TEXTS_OF_CODES, code) ? TEXTS_OF_CODES[code as ErrorCode] : undefined;
  if (known !== undefined) return t(known);
  patterns ??= Object.entries(TEXTS_OF_SERVER).map(([text, message]) => [patternOf(text), message]);
  for (const [pattern, message] of patterns) {
    const match = pattern.exec(said);
    if (match !== null) return t(message, match.groups as Values | undefined);
  }
  return undefined;
}

/** Finds a text with placeholders. `{count}` is a number. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return `(?<${part}>${part === 'count' ? '[0-9]+' : '.+'})`;
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}
