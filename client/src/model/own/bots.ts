import type { BotServices, EventOfType, InitialState, Bot as WireBot } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import type { Account } from './account.ts';

/** A bot that the account manages, with its secrets. `Users` has its other fields. Immutable. */
export interface BotRecord {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly type: number | null;
  readonly isActive: boolean;
  readonly apiKey: string;
  readonly avatarUrl: string;
  readonly ownerId: number | null;
  /** The name of a channel, or null. */
  readonly defaultSendingChannel: string | null;
  readonly defaultEventsChannel: string | null;
  readonly receivesAllPublicChannels: boolean;
  readonly services: BotServices;
}

/**
 * The bots that the account manages: its own, or all of them for administrators.
 *
 * Invariant: if `isComplete`, this is what a new registration would list.
 */
export class Bots {
  readonly changes = new Subject();
  readonly #account: Account;
  readonly #bots = new Map<number, BotRecord>();
  /**
   * False after the account became an administrator or stopped being one. The server then sends no events about the
   * bots of others; only a new registration lists them.
   */
  isComplete: boolean;

  constructor(state: InitialState, account: Account) {
    this.#account = account;
    this.isComplete = state.realm_bots !== undefined;
    for (const bot of state.realm_bots ?? []) this.#bots.set(bot.user_id, botRecord(bot));
  }

  get all(): ReadonlyMap<number, BotRecord> {
    return this.#bots;
  }

  apply(event: EventOfType<'realm_bot'>): void {
    const { user_id: id } = event.bot;
    if (event.op === 'add') this.#bots.set(id, botRecord(event.bot));
    else if (event.op === 'delete') this.#bots.delete(id);
    else {
      const before = this.#bots.get(id);
      if (before !== undefined) this.#bots.set(id, { ...before, ...changedFields(event.bot) });
    }
    this.changes.changed();
  }

  /** Call this before the account applies the event, because it compares the roles. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'update' || !('role' in event.person) || event.person.user_id !== this.#account.userId) return;
    if (event.person.role <= 200 === this.#account.isAdministrator) return;
    this.isComplete = false;
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return { bots: [...this.#bots.values()].sort((a, b) => a.id - b.id) };
  }
}

function botRecord(bot: WireBot): BotRecord {
  return {
    id: bot.user_id,
    email: bot.email,
    name: bot.full_name,
    type: bot.bot_type,
    isActive: bot.is_active,
    apiKey: bot.api_key,
    avatarUrl: bot.avatar_url,
    ownerId: bot.owner_id,
    defaultSendingChannel: bot.default_sending_stream,
    defaultEventsChannel: bot.default_events_register_stream,
    receivesAllPublicChannels: bot.default_all_public_streams,
    services: bot.services,
  };
}

type BotUpdate = Extract<EventOfType<'realm_bot'>, { readonly op: 'update' }>['bot'];

function changedFields(bot: BotUpdate): Partial<BotRecord> {
  return {
    ...(bot.email !== undefined && { email: bot.email }),
    ...(bot.full_name !== undefined && { name: bot.full_name }),
    ...(bot.bot_type !== undefined && { type: bot.bot_type }),
    ...(bot.is_active !== undefined && { isActive: bot.is_active }),
    ...(bot.api_key !== undefined && { apiKey: bot.api_key }),
    ...(bot.avatar_url !== undefined && { avatarUrl: bot.avatar_url }),
    ...(bot.owner_id !== undefined && { ownerId: bot.owner_id }),
    ...(bot.default_sending_stream !== undefined && { defaultSendingChannel: bot.default_sending_stream }),
    ...(bot.default_events_register_stream !== undefined && {
      defaultEventsChannel: bot.default_events_register_stream,
    }),
    ...(bot.default_all_public_streams !== undefined && { receivesAllPublicChannels: bot.default_all_public_streams }),
    ...(bot.services !== undefined && { services: bot.services }),
  };
}
