/**
 * What an attacker from another organization sends to a feature's operations. Each feature's folder exports `isolationProbes`
 * from its `isolation-probes.ts`. Only tests load these files: `isolation.test.ts` finds them by folder and runs them with the
 * most powerful callers. It fails for an operation or a parameter without a decision.
 */
import type { Endpoint } from '@heddle/api/contract.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An account of the other organization. */
export interface VictimUser {
  readonly userId: number;
  readonly email: string;
  /** Calls the API as this account. Returns the body of the success. */
  ok(method: string, path: string, fields?: Fields): Promise<Fields>;
}

export interface VictimChannel {
  readonly id: number;
  readonly name: string;
}

/** The objects in the other organization that all features can use. Both accounts are subscribed to both channels. */
export interface Victim {
  readonly owner: VictimUser;
  readonly member: VictimUser;
  readonly publicChannel: VictimChannel;
  readonly privateChannel: VictimChannel;
  readonly groupId: number;
  /** Each organization counts message ids for itself. The attacker's organization has no message with this id. */
  readonly messageId: number;
  readonly queueId: string;
  /** The owner of the attacker's own organization, which has a channel `general`. */
  readonly ownUserId: number;
  /** A text for objects that a feature adds here. The attacker never sends it and must never receive it. */
  secret(about: string): string;
}

/** Parameters by name, including those in the path. */
export type ProbeOf<E extends Endpoint> = { readonly [Name in keyof E['parameters']]?: unknown };

/** Each parameter of the endpoint is in an probe or named as harmless, but not both. */
export interface ProbesOf<E extends Endpoint> {
  /** Requests that must be refused. */
  readonly refused?: readonly ProbeOf<E>[];
  /** Requests that may succeed, without reaching the other organization. */
  readonly contained?: readonly ProbeOf<E>[];
  /** Parameters that cannot name an object of the other organization. */
  readonly harmless?: readonly (keyof E['parameters'])[];
}

export interface OperationProbes {
  readonly endpoint: Endpoint;
  readonly refused: readonly Fields[];
  readonly contained: readonly Fields[];
  readonly harmless: readonly string[];
}

/** The probes of a feature. It can first add objects of its own to the other organization. */
export type IsolationProbes = (victim: Victim) => readonly OperationProbes[] | Promise<readonly OperationProbes[]>;

/**
 * The probes on one operation.
 * @example
 * probesOf(getUser, { refused: [{ user_id: victim.owner.userId }], harmless: ['client_gravatar'] })
 */
export function probesOf<const E extends Endpoint>(endpoint: E, probes: ProbesOf<E>): OperationProbes {
  const { refused = [], contained = [], harmless = [] } = probes;
  return { endpoint, refused, contained, harmless: harmless.map(String) };
}
