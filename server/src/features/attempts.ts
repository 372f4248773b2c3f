/**
 * What an attacker from another organization puts into a feature's operations: part of the feature, tried by `isolation.test.ts` with
 * the most powerful callers there are. An operation or a parameter that nobody has decided on fails there.
 */
import type { Endpoint } from '@heddle/api/contract.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An account of the other organization. */
export interface VictimUser {
  readonly userId: number;
  readonly email: string;
  /** Calls the API as this account; the success body. */
  ok(method: string, path: string, fields?: Fields): Promise<Fields>;
}

export interface VictimChannel {
  readonly id: number;
  readonly name: string;
}

/** What exists in the other organization, whatever the feature. Both accounts are subscribed to both channels. */
export interface Victim {
  readonly owner: VictimUser;
  readonly member: VictimUser;
  readonly publicChannel: VictimChannel;
  readonly privateChannel: VictimChannel;
  readonly groupId: number;
  /** Ids of messages are counted by each organization for itself: this one is beyond the attacker's. */
  readonly messageId: number;
  readonly queueId: string;
  /** The owner of the attacker's own organization, where there is a channel `general`. */
  readonly ownUserId: number;
  /** A text for what a feature adds here: the attacker never says it, and must never read it. */
  secret(about: string): string;
}

/** Parameters by name; in the path too. */
export type AttemptOn<E extends Endpoint> = { readonly [Name in keyof E['parameters']]?: unknown };

/** Each of the endpoint's parameters is put into an attempt, or named as harmless; never both. */
export interface AttemptsOn<E extends Endpoint> {
  /** What must be refused. */
  readonly refused?: readonly AttemptOn<E>[];
  /** What may be carried out, without reaching the other organization. */
  readonly contained?: readonly AttemptOn<E>[];
  /** Parameters that name nothing of anybody's here. */
  readonly harmless?: readonly (keyof E['parameters'])[];
}

export interface OperationAttempts {
  readonly endpoint: Endpoint;
  readonly refused: readonly Fields[];
  readonly contained: readonly Fields[];
  readonly harmless: readonly string[];
}

/** A feature's: it may first add to the other organization what its operations are about. */
export type Attempts = (victim: Victim) => readonly OperationAttempts[] | Promise<readonly OperationAttempts[]>;

/**
 * What is tried on one operation.
 *
 * @example
 * attemptsOn(getUser, { refused: [{ user_id: victim.owner.userId }], harmless: ['client_gravatar'] })
 */
export function attemptsOn<const E extends Endpoint>(endpoint: E, attempts: AttemptsOn<E>): OperationAttempts {
  const { refused = [], contained = [], harmless = [] } = attempts;
  return { endpoint, refused, contained, harmless: harmless.map(String) };
}
