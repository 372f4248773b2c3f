/**
 * Who may call what: a row for each request, with what becomes of it in the hands of each caller. The organization is as it begins,
 * with every setting at its default; only a channel for reports is chosen.
 */
import { OF_ACCOUNTS, OF_EMOJI, OF_GROUPS, OF_LOGIN_PAGES } from './access-of-accounts.ts';
import { OF_BOTS, OF_PICTURES } from './access-of-bots.ts';
import { OF_CHANNELS, OF_SUBSCRIPTIONS } from './access-of-channels.ts';
import { OF_FILES } from './access-of-files.ts';
import { OF_INVITATIONS } from './access-of-invitations.ts';
import { OF_LATER, OF_MESSAGES } from './access-of-messages.ts';
import { OF_OWN_THINGS } from './access-of-own-things.ts';
import { OF_LEAVING, OF_PEOPLE } from './access-of-people.ts';
import { OF_PHONES } from './access-of-phones.ts';
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
  ...OF_BOTS,
  ...OF_PICTURES,
  ...OF_OWN_THINGS,
  ...OF_PEOPLE,
  ...OF_PHONES,
  ...OF_INVITATIONS,
  ...OF_LOGIN_PAGES,
  ...OF_LEAVING,
];
