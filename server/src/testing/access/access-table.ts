/**
 * The access table: a row for each request, with its outcome for each caller. The rows of a folder are in its `access-
 * rows.ts`, which is found by its path. The organization has default settings, except for a moderation channel.
 */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OF_ACCOUNTS, OF_EMOJI, OF_GROUPS, OF_LOGIN_PAGES } from './access-of-accounts.ts';
import { OF_BOTS, OF_PICTURES } from './access-of-bots.ts';
import { OF_CHANNELS, OF_SUBSCRIPTIONS } from './access-of-channels.ts';
import { OF_FILES } from './access-of-files.ts';
import { OF_INVITATIONS } from './access-of-invitations.ts';
import { OF_LATER, OF_MESSAGES } from './access-of-messages.ts';
import { OF_LEAVING, OF_PEOPLE } from './access-of-people.ts';
import { OF_PHONES } from './access-of-phones.ts';
import type { AccessRow } from './access-row.ts';

const source = join(import.meta.dirname, '..', '..');

/** The rows that folders of the domain and of features declare. */
async function rowsOfFolders(): Promise<readonly AccessRow[]> {
  const paths = await Array.fromAsync(glob('{domain/{*,*/*},features/*}/access-rows.ts', { cwd: source }));
  const loaded = paths.toSorted().map(async (path) => {
    const { rows }: { rows?: readonly AccessRow[] } = await import(pathToFileURL(join(source, path)).href);
    if (rows === undefined) throw new Error(`${path} does not export rows`);
    return rows;
  });
  return (await Promise.all(loaded)).flat();
}

export const ACCESS_TABLE: readonly AccessRow[] = [
  ...(await rowsOfFolders()),
  ...OF_ACCOUNTS,
  ...OF_MESSAGES,
  ...OF_CHANNELS,
  ...OF_SUBSCRIPTIONS,
  ...OF_LATER,
  ...OF_EMOJI,
  ...OF_FILES,
  ...OF_GROUPS,
  ...OF_BOTS,
  ...OF_PICTURES,
  ...OF_PEOPLE,
  ...OF_PHONES,
  ...OF_INVITATIONS,
  ...OF_LOGIN_PAGES,
  ...OF_LEAVING,
];
