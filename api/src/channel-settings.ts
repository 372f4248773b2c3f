/**
 * The plain settings of channels: each changes alone, and decides neither who sees the channel nor what it is called. Everything else
 * follows from this table: parameters, fields and events of the contract, and records, statements, checks and exports of the server.
 * Permissions are in `permissions.ts`.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { text } from './bounds.ts';
import { optional, type Parameter } from './contract.ts';
import { topicsPolicy } from './objects/topics-policy.ts';
import type { Requirement } from './permissions.ts';

/** One setting. Its name is the name of its field, its parameters, its events and its column. */
interface ChannelSetting<Value extends TSchema, New extends TSchema, Changed extends TSchema> {
  /** The value in objects and events, and as it is stored: a number, text, boolean or null. */
  readonly value: Value;
  /** The value of a new channel. */
  readonly default: Static<Value>;
  /** How requests name the default, if they have another word for it. */
  readonly defaultInRequests: unknown;
  /** A user must meet all of these to change the setting. The creator of a channel can always choose the default. */
  readonly changedBy: readonly Requirement[];
  /** Whether a change to the default only needs the right to administer the channel. */
  readonly isResetByAdministrators: boolean;
  /** The parameter of requests that create channels. */
  readonly newParameter: Parameter<New, 'optional'>;
  /** The parameter of requests that change a channel. */
  readonly parameter: Parameter<Changed, 'optional'>;
}

interface Options<Value extends TSchema, New extends TSchema, Changed extends TSchema>
  extends Partial<Omit<ChannelSetting<Value, New, Changed>, 'value'>> {
  readonly default: Static<Value>;
  /** Of both parameters, if they are not given. */
  readonly description?: string;
}

function setting<Value extends TSchema, New extends TSchema = Value, Changed extends TSchema = Value>(
  value: Value,
  options: Options<Value, New, Changed>,
): ChannelSetting<Value, New, Changed> {
  const { changedBy = ['channel-administrator'], description } = options;
  const likeValue = optional(value, description === undefined ? {} : { description });
  return {
    value,
    changedBy,
    isResetByAdministrators: false,
    defaultInRequests: options.default,
    // A type that is not inferred from an option is that of the value.
    newParameter: likeValue as unknown as Parameter<New, 'optional'>,
    parameter: likeValue as unknown as Parameter<Changed, 'optional'>,
    ...options,
  };
}

const integerOrNull = Type.Union([Type.Integer(), Type.Null()]);
const days = Type.Union([Type.Integer(), text()]);

export const PLAIN_CHANNEL_SETTINGS = {
  /** Null: the setting of the organization. -1: forever. */
  message_retention_days: setting(integerOrNull, {
    default: null,
    defaultInRequests: 'realm_default',
    changedBy: ['channel-administrator', 'owner'],
    newParameter: optional(days, { description: 'A number of days, `realm_default` or `unlimited`' }),
    parameter: optional(days, {
      description:
        'A number of days, `realm_default` or `unlimited`. Only for owners. The server deletes older messages, after a change at the earliest one day later.',
    }),
  }),
  topics_policy: setting(topicsPolicy, {
    default: 'inherit',
    changedBy: ['channel-administrator', 'topics-policy'],
    isResetByAdministrators: true,
    newParameter: optional(topicsPolicy),
    parameter: optional(topicsPolicy, {
      description: '`empty_topic_only` requires that all messages of the channel are in the empty topic',
    }),
  }),
  /** Null: in no folder. */
  folder_id: setting(integerOrNull, {
    default: null,
    newParameter: optional(Type.Integer()),
    parameter: optional(integerOrNull, { description: 'Null removes the channel from its folder' }),
  }),
} as const;

type Settings = typeof PLAIN_CHANNEL_SETTINGS;
export type PlainChannelSetting = keyof Settings;

/** The values of all plain settings, by their names. */
export type PlainChannelSettings = { readonly [Name in PlainChannelSetting]: Static<Settings[Name]['value']> };

export const PLAIN_CHANNEL_SETTING_NAMES = Object.keys(PLAIN_CHANNEL_SETTINGS) as readonly PlainChannelSetting[];

/** One column of the table, by the names of the settings. */
export function eachChannelSetting<
  Column extends 'value' | 'default' | 'defaultInRequests' | 'newParameter' | 'parameter',
>(column: Column): { [Name in PlainChannelSetting]: Settings[Name][Column] } {
  const entries = PLAIN_CHANNEL_SETTING_NAMES.map((name) => [name, PLAIN_CHANNEL_SETTINGS[name][column]]);
  return Object.fromEntries(entries) as { [Name in PlainChannelSetting]: Settings[Name][Column] };
}
