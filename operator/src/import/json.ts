import type { Readable } from 'node:stream';
import { LIMITS } from './limits.ts';
import { ImportError } from './source.ts';

/**
 * Parses JSON that an archive brings.
 * @param where for the error: `users.json` or `messages.jsonl, line 3`
 * @throws ImportError
 */
export function parseJson(text: string, where: string): unknown {
  checkDepth(text, where);
  try {
    // The largest bigint of PostgreSQL stands for "without end". A number of JavaScript would round it.
    if (text.includes(LARGEST_BIGINT)) return JSON.parse(text, keepLargest);
    return JSON.parse(text);
  } catch (error) {
    throw new ImportError(
      `${where} is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : error}`,
    );
  }
}

const LARGEST_BIGINT = '9223372036854775807';

function keepLargest(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return source === LARGEST_BIGINT ? source : value;
}

function checkDepth(text: string, where: string): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 92) index += 1;
      else if (code === 34) isInString = false;
    } else if (code === 34) isInString = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > LIMITS.jsonDepth)
        throw new ImportError(`${where} is nested more than ${LIMITS.jsonDepth} levels deep.`);
    } else if (code === 93 || code === 125) depth -= 1;
  }
}

/** Reads a whole JSON document. */
export async function readJson(content: Readable, where: string): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > LIMITS.documentBytes) throw new ImportError(`${where} is larger than ${LIMITS.documentBytes} bytes.`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString(), where);
}

/** Reads lines of JSON, one value per line. Empty lines are skipped. */
export async function* readJsonLines(content: AsyncIterable<Buffer>, path: string): AsyncGenerator<unknown> {
  let number = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const parsed = (line: Buffer): unknown => {
    number += 1;
    const text = line.toString();
    return text.trim() === '' ? undefined : parseJson(text, `${path}, line ${number}`);
  };
  for await (const chunk of content) {
    let begin = 0;
    for (;;) {
      const end = chunk.indexOf(10, begin);
      const piece = chunk.subarray(begin, end < 0 ? chunk.length : end);
      restBytes += piece.length;
      if (restBytes > LIMITS.lineBytes) {
        throw new ImportError(`${path}, line ${number + 1} is longer than ${LIMITS.lineBytes} bytes.`);
      }
      rest.push(piece);
      if (end < 0) break;
      const value = parsed(rest.length === 1 ? piece : Buffer.concat(rest));
      rest = [];
      restBytes = 0;
      begin = end + 1;
      if (value !== undefined) yield value;
    }
  }
  const last = restBytes === 0 ? undefined : parsed(Buffer.concat(rest));
  if (last !== undefined) yield last;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
