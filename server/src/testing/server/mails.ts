/** Mails of a test server without a mail server, stored as files. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { sendBulkMail, sendMail } from '../../mail/kind.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  /** Decoded; both parts, one after the other. */
  readonly body: string;
  /** As sent. */
  readonly source: string;
  /** The path of the link in the mail. */
  readonly path: string;
}

/**
 * Returns all mails so far, the oldest first, after all pending ones are sent. Fails if an attempt failed and the mail
 * is postponed.
 */
export async function mailsOf({ app }: TestServer): Promise<readonly ReadMail[]> {
  let unsent: readonly { last_error: string | null }[] = [];
  // Another process of the test can be sending a mail.
  await until(async () => {
    await app.jobs.settled();
    const { rows } = await sql<{ attempts: number; last_error: string | null; mail: string }>`
      SELECT attempts, last_error, payload->>'mail' AS mail FROM jobs
      WHERE kind IN (${sendMail.name}, ${sendBulkMail.name})`.execute(app.db);
    unsent = rows;
    return rows.every(({ last_error }) => last_error !== null);
  }, 'all mails to be sent or to have failed');
  assert.deepEqual(unsent, [], 'a mail is not sent');
  const directory = join(app.config.dataDirectory, 'mail');
  const names = await readdir(directory).catch(() => []);
  const sources = await Promise.all(names.sort().map((name) => readFile(join(directory, name), 'utf8')));
  return sources.map(readMail);
}

/** @param source with line ends of one character */
export function readMail(source: string): ReadMail {
  const end = source.indexOf('\n\n');
  const head = source.slice(0, end).replace(/\n[ \t]/g, '');
  const body = source
    .slice(end)
    .split(/^--.*$/m)
    .map(decodedPart)
    .join('\n');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const [, path = ''] = /:\nhttps?:\/\/[^/\s]+(\/\S+)/.exec(body) ?? [];
  return { to: header('To'), subject: decodedHeader(header('Subject')), body, source, path };
}

/** Texts in other alphabets have base64. */
function decodedPart(part: string): string {
  if (!/^content-transfer-encoding: base64$/im.test(part)) return decoded(part);
  return Buffer.from(part.slice(part.indexOf('\n\n', 1)), 'base64').toString();
}

/** Decodes the words of RFC 2047. */
function decodedHeader(text: string): string {
  return text
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(.)\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : decoded(word.replaceAll('_', ' ')),
    );
}

/** Decodes quoted-printable, as far as our mails use it. */
function decoded(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
