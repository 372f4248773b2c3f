import type {
  Domain,
  EventOfType,
  InitialState,
  Linkifier,
  OrganizationPermissions,
  Playground,
  UserSettingsDefaults,
} from '../calls/types.ts';
import { Subject } from './changes.ts';
import { isNamingUsers, withoutUser } from './people/group-values.ts';

/** The fields of the initial state with this prefix, without it. */
type Prefixed<Prefix extends string> = {
  readonly [Key in keyof InitialState as Key extends `${Prefix}${infer Name}` ? Name : never]-?: Exclude<
    InitialState[Key],
    undefined
  >;
};

/** Fields with the prefix of settings that other parts of the model own. */
const ELSEWHERE = [
  'users',
  'non_active_users',
  'bots',
  'embedded_bots',
  'incoming_webhook_bots',
  'user_groups',
  'default_streams',
  'default_stream_groups',
  'emoji',
  'domains',
  'linkifiers',
  'filters',
  'playgrounds',
  'user_settings_defaults',
] as const;

/** The settings of the organization: the fields `realm_<name>` of the initial state, as `<name>`. */
export type OrganizationSettings = Omit<Prefixed<'realm_'>, (typeof ELSEWHERE)[number]>;
export type OrganizationPermission = keyof OrganizationPermissions;

/** The properties of the server: the fields `server_<name>` of the initial state, as `<name>`. */
export type ServerProperties = Omit<Prefixed<'server_'>, 'timestamp'>;

/** The limits of texts and files: the fields `max_<name>` of the initial state, as `<name>`. */
export type Limits = Omit<Prefixed<'max_'>, 'message_id'>;

/** The rules for passwords: the fields `password_<name>` of the initial state, as `<name>`. */
export type PasswordRules = Prefixed<'password_'>;

export interface ServerVersion {
  readonly version: string;
  readonly mergeBase: string;
  readonly featureLevel: number;
}

/**
 * The organization and its server: settings, permissions, limits and the lists that administrators maintain.
 *
 * Invariants:
 * - `settings` and `server` have the values and the names of the wire. They are replaced after each change.
 * - No permission names a deactivated user.
 * - All records are without fields if the client did not fetch `realm`.
 */
export class Organization {
  /** Notified of every change of the organization or the server. */
  readonly changes = new Subject();
  settings: OrganizationSettings;
  server: ServerProperties;
  version: ServerVersion;
  readonly limits: Limits;
  readonly passwordRules: PasswordRules;
  linkifiers: readonly Linkifier[];
  playgrounds: readonly Playground[];
  domains: readonly Domain[];
  /** The channels of new users. Empty for guests. */
  defaultChannelIds: ReadonlySet<number>;
  /** The settings of new users. Without fields if the client did not fetch them. */
  userSettingsDefaults: UserSettingsDefaults;
  /**
   * Set when the server asks web clients to reload their code. Each client waits for a random time, unless
   * `isImmediate` is true.
   */
  requestedReload: { readonly isImmediate: boolean } | undefined;

  constructor(state: InitialState) {
    const { timestamp: _, ...server } = withPrefix<Prefixed<'server_'>>(state, 'server_');
    const { message_id: __, ...limits } = withPrefix<Prefixed<'max_'>>(state, 'max_');
    const elsewhere = new Set<string>(ELSEWHERE);
    this.settings = withPrefix<OrganizationSettings>(state, 'realm_', (name) => !elsewhere.has(name));
    this.server = server;
    this.version = versionOf(state);
    this.limits = limits;
    this.passwordRules = withPrefix<PasswordRules>(state, 'password_');
    this.linkifiers = state.realm_linkifiers ?? [];
    this.playgrounds = state.realm_playgrounds ?? [];
    this.domains = state.realm_domains ?? [];
    this.defaultChannelIds = new Set(state.realm_default_streams);
    this.userSettingsDefaults = state.realm_user_settings_defaults ?? ({} as UserSettingsDefaults);
  }

  /** The address of the Jitsi server: that of the organization, or else of the server. Null if there is none. */
  get jitsiUrl(): string | null {
    return this.settings.jitsi_server_url ?? this.server.jitsi_server_url;
  }

  /** The topics policy of a channel, after its inheritance. */
  topicsPolicy(
    ofChannel: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only',
  ): 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' {
    return ofChannel === 'inherit' ? this.settings.topics_policy : ofChannel;
  }

  apply(event: EventOfType<'realm'>): void {
    const changed = event.op === 'update' ? { [event.property]: event.value } : event.data;
    this.settings = { ...this.settings, ...changed } as OrganizationSettings;
    this.changes.changed();
  }

  /** A deactivated user disappears from permissions without an event. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'update' || !('is_active' in event.person) || event.person.is_active) return;
    const { user_id: userId } = event.person;
    const changed = Object.entries(this.settings).flatMap(([name, value]) => {
      const without = isNamingUsers(value) ? withoutUser(value, userId) : value;
      return without === value ? [] : [[name, without]];
    });
    if (changed.length === 0) return;
    this.settings = { ...this.settings, ...Object.fromEntries(changed) };
    this.changes.changed();
  }

  applyLinkifiers({ realm_linkifiers }: EventOfType<'realm_linkifiers'>): void {
    this.linkifiers = realm_linkifiers;
    this.changes.changed();
  }

  applyPlaygrounds({ realm_playgrounds }: EventOfType<'realm_playgrounds'>): void {
    this.playgrounds = realm_playgrounds;
    this.changes.changed();
  }

  applyDomains(event: EventOfType<'realm_domains'>): void {
    const name = event.op === 'remove' ? event.domain : event.realm_domain.domain;
    if (event.op === 'add') this.domains = [...this.domains, event.realm_domain];
    else if (event.op === 'remove') this.domains = this.domains.filter(({ domain }) => domain !== name);
    else this.domains = this.domains.map((one) => (one.domain === name ? event.realm_domain : one));
    this.changes.changed();
  }

  applyDefaultChannels({ default_streams }: EventOfType<'default_streams'>): void {
    this.defaultChannelIds = new Set(default_streams);
    this.changes.changed();
  }

  applyUserSettingsDefaults({ property, value }: EventOfType<'realm_user_settings_defaults'>): void {
    this.userSettingsDefaults = { ...this.userSettingsDefaults, [property]: value };
    this.changes.changed();
  }

  applyRestart(event: EventOfType<'restart'>): void {
    this.version = versionOf(event);
    this.server = { ...this.server, generation: event.server_generation };
    this.changes.changed();
  }

  applyReload({ immediate }: EventOfType<'web_reload_client'>): void {
    this.requestedReload = { isImmediate: immediate };
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    const { settings, server, version, limits, passwordRules, linkifiers, playgrounds, userSettingsDefaults } = this;
    return {
      ...{ settings, server, version, limits, passwordRules, linkifiers, playgrounds, userSettingsDefaults },
      domains: this.domains.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)),
      defaultChannelIds: [...this.defaultChannelIds].sort((a, b) => a - b),
    };
  }
}

function withPrefix<Fields>(state: InitialState, prefix: string, isWanted = (_name: string) => true): Fields {
  const entries = Object.entries(state).flatMap(([key, value]) => {
    const name = key.slice(prefix.length);
    return key.startsWith(prefix) && isWanted(name) ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

function versionOf(
  state: Pick<InitialState, 'service_version' | 'service_merge_base' | 'service_feature_level'>,
): ServerVersion {
  return {
    version: state.service_version,
    mergeBase: state.service_merge_base,
    featureLevel: state.service_feature_level,
  };
}
