import type { UserRecord } from '../../directory/records.ts';

/** What `realm_user` events carry in the log. */
export type UserEvent =
  | { readonly op: 'add'; readonly user: UserRecord }
  | { readonly op: 'deactivated'; readonly userId: number };
