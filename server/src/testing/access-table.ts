/**
 * Who may call what: a row for each request, with what becomes of it in the hands of each caller. The organization is as it begins,
 * with every setting at its default; only a channel for reports is chosen.
 */
import { OF_ACCOUNTS, OF_EMOJI, OF_GROUPS } from './access-of-accounts.ts';
import { OF_CHANNELS, OF_SUBSCRIPTIONS } from './access-of-channels.ts';
import { OF_FILES } from './access-of-files.ts';
import { OF_LATER, OF_MESSAGES } from './access-of-messages.ts';
import { OF_OWN_THINGS } from './access-of-own-things.ts';
import type { AccessRow } from './access-row.ts';

export const ACCESS_TABLE: readonly AccessRow[] = [
  ...OF_ACCOUNTS,
  ...OF_MESSAGES,
  ...OF_CHANNELS,
  ...OF_SUBSCRIPTIONS,
  ...OF_LATER,
  ...OF_EMOJI,
  ...OF_FILES,
  ...OF_GROUPS,
  ...OF_OWN_THINGS,
];
