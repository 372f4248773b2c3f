import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { LOGIN_SETTINGS, type LoginConfig, problemsWith } from './config/logins.ts';
import { isAddressRange, oneOf, parseBaseUrl, parseUrl, wholeNumber } from './config/parsing.ts';
import { problemsWithServices, SERVICE_SETTINGS, type ServiceConfig } from './config/services.ts';
import type { Setting, SettingsOf } from './config/setting.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The server's settings. They are read from the environment once, checked, and never changed. `docs/settings.md`
 * explains each.
 */
export interface Config extends LoginConfig, ServiceConfig {
  readonly host: string;
  /** 0: the system picks a free one. */
  readonly port: number;
  /** An absolute path. */
  readonly dataDirectory: string;
  /** null: the embedded PostgreSQL in the data directory. May hold a password. */
  readonly databaseUrl: string | null;
  /** The base URL for clients, without a slash at the end. null: see {@link externalUrl}. */
  readonly url: string | null;
  /** null: see {@link ownerEmail}. */
  readonly ownerEmail: string | null;
  /** null: generated on first start. */
  readonly ownerPassword: string | null;
  readonly ownerName: string;
  readonly organizationName: string;
  /** Whether `POST /dev_fetch_api_key` returns keys without a password. Only possible on a loopback host. */
  readonly devLogin: boolean;
  readonly rateLimits: boolean;
  /** Whether organizations may have channels that are readable without an account. */
  readonly webPublicChannels: boolean;
  /** Whether users without an uploaded picture get one from gravatar, which then learns who views whom. */
  readonly gravatar: boolean;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  /** null: mails are files in the data directory. May hold a password. */
  readonly smtpUrl: string | null;
  /** null: see {@link mailSender}. */
  readonly mailFrom: MailSender | null;
  /** The lifetime of an invitation whose inviter did not choose one. */
  readonly invitationLinkValidityMinutes: number;
  /** The number of invitations by mail per organization. */
  readonly invitationsPerDay: number;
  readonly logLevel: LogLevel;
  /** `auto`: text if standard error is a terminal, else JSON. */
  readonly logFormat: 'auto' | 'text' | 'json';
  /** How server processes wake each other: `local` for one process, `postgres` for several on one database. */
  readonly bus: 'local' | 'postgres';
  /** Which proxies may set `X-Forwarded-*` headers: none, all, the given number of hops, or these addresses. */
  readonly trustProxy: boolean | number | readonly string[];
}

/** The sender of mails. */
export interface MailSender {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

type SettingsTable = SettingsOf<Config>;

/** All settings, in the order of the documentation. */
export const settings: SettingsTable = {
  host: {
    variable: 'HEDDLE_HOST',
    default: '127.0.0.1',
    accepted: 'an IP address or a host name to listen on',
    parse: (text) => (isIP(text) !== 0 || isHostName(text) ? text : undefined),
  },
  port: {
    variable: 'HEDDLE_PORT',
    default: '9991',
    accepted: 'a whole number from 0 to 65535',
    parse: wholeNumber(0, 65_535),
  },
  dataDirectory: {
    variable: 'HEDDLE_DATA_DIR',
    default: './data',
    accepted: 'a path',
    parse: (text) => resolve(text),
  },
  databaseUrl: {
    variable: 'HEDDLE_DATABASE_URL',
    default: null,
    defaultInWords: 'the embedded PostgreSQL',
    accepted: 'a URL like postgresql://user:password@host:5432/database',
    isSecret: true,
    parse: (text) => (/^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? '') ? text : undefined),
  },
  url: {
    variable: 'HEDDLE_URL',
    default: null,
    defaultInWords: 'http://localhost:<port>',
    accepted: 'a URL like https://chat.example.com, without a path, user name or query',
    parse: parseBaseUrl,
  },
  ownerEmail: {
    variable: 'HEDDLE_OWNER_EMAIL',
    default: null,
    defaultInWords: 'owner@<host of HEDDLE_URL>',
    accepted: 'an email address',
    parse: (text) => (isEmail(text) ? text : undefined),
  },
  ownerPassword: {
    variable: 'HEDDLE_OWNER_PASSWORD',
    default: null,
    defaultInWords: 'generated and printed once',
    accepted: 'a password',
    isSecret: true,
    parse: (text) => text,
  },
  ownerName: {
    variable: 'HEDDLE_OWNER_NAME',
    default: 'Owner',
    accepted: 'a name of at most 100 characters',
    parse: nameOfAtMost(100),
  },
  organizationName: {
    variable: 'HEDDLE_ORGANIZATION_NAME',
    default: 'Heddle',
    accepted: 'a name of at most 40 characters',
    parse: nameOfAtMost(40),
  },
  devLogin: {
    variable: 'HEDDLE_DEV_LOGIN',
    default: '0',
    accepted: '1 or 0',
    parse: oneOf({ '1': true, '0': false }),
  },
  rateLimits: {
    variable: 'HEDDLE_RATE_LIMITS',
    default: 'on',
    accepted: 'on or off',
    parse: oneOf({ on: true, off: false }),
  },
  webPublicChannels: {
    variable: 'HEDDLE_WEB_PUBLIC_CHANNELS',
    default: 'off',
    accepted: 'on or off',
    parse: oneOf({ on: true, off: false }),
  },
  gravatar: {
    variable: 'HEDDLE_GRAVATAR',
    default: 'on',
    accepted: 'on or off',
    parse: oneOf({ on: true, off: false }),
  },
  ...SERVICE_SETTINGS,
  queueIdleSeconds: {
    variable: 'HEDDLE_QUEUE_IDLE_SECONDS',
    default: '600',
    accepted: 'a whole number from 1 to 604800',
    parse: wholeNumber(1, 604_800),
  },
  heartbeatSeconds: {
    variable: 'HEDDLE_HEARTBEAT_SECONDS',
    default: '60',
    accepted: 'a whole number from 1 to 3600',
    parse: wholeNumber(1, 3600),
  },
  smtpUrl: {
    variable: 'HEDDLE_SMTP_URL',
    default: null,
    defaultInWords: 'mails are files in the data directory',
    accepted: 'a URL like smtp://user:password@mail.example.com:587 or smtps://…',
    isSecret: true,
    parse: (text) => (isSmtpUrl(text) ? text : undefined),
  },
  mailFrom: {
    variable: 'HEDDLE_MAIL_FROM',
    default: null,
    defaultInWords: 'noreply@<host of HEDDLE_URL>',
    accepted: 'an email address, or one with a name like Heddle <noreply@example.com>',
    parse: parseMailSender,
  },
  invitationLinkValidityMinutes: {
    variable: 'HEDDLE_INVITATION_LINK_VALIDITY_MINUTES',
    default: '14400',
    accepted: 'a whole number from 1 to 5256000',
    parse: wholeNumber(1, 5_256_000),
  },
  invitationsPerDay: {
    variable: 'HEDDLE_INVITATIONS_PER_DAY',
    default: '100',
    accepted: 'a whole number from 1 to 100000',
    parse: wholeNumber(1, 100_000),
  },
  logLevel: {
    variable: 'HEDDLE_LOG_LEVEL',
    default: 'info',
    accepted: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text),
  },
  logFormat: {
    variable: 'HEDDLE_LOG_FORMAT',
    default: 'auto',
    accepted: 'auto, text or json',
    parse: oneOf({ auto: 'auto', text: 'text', json: 'json' }),
  },
  bus: {
    variable: 'HEDDLE_BUS',
    default: 'local',
    accepted: 'local or postgres',
    parse: oneOf({ local: 'local', postgres: 'postgres' }),
  },
  trustProxy: {
    variable: 'HEDDLE_TRUST_PROXY',
    default: 'off',
    accepted: 'off, on, a number of proxies from 1 to 10, or a comma-separated list of addresses like 10.0.0.0/8',
    parse: parseTrustProxy,
  },
  ...LOGIN_SETTINGS,
};

/** The environment has invalid values. `message` has a line for each of them and for each warning, without secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The settings from the environment. `warnings` names variables that look like settings but are not. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from an environment such as `process.env`. An empty variable counts as unset.
 * @throws SettingsError with the variable, the value and the accepted values of each bad setting
 */
export function readConfig(environment: Environment): ReadConfig {
  const problems: string[] = [];

  function read<Key extends keyof Config>(key: Key): Config[Key] {
    // An index of a type parameter loses the connection between key and value. The type of the table has checked it.
    const setting = settings[key] as Setting<Config[Key]>;
    const text = environment[setting.variable] || setting.default;
    if (text === null) return null as Config[Key];
    const value = setting.parse(text);
    if (value === undefined) problems.push(complaint(setting, text));
    return value as Config[Key];
  }

  // The table has an entry for each field.
  const names = Object.keys(settings) as (keyof Config)[];
  const config: Config = Object.freeze(
    Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as Config,
  );
  if (config.devLogin && config.host !== undefined && !isLoopback(config.host)) {
    const hosts = '127.0.0.1, ::1 or localhost';
    problems.push(`HEDDLE_DEV_LOGIN=1 requires HEDDLE_HOST to be ${hosts}, but it is ${config.host}`);
  }
  if (problems.length === 0) problems.push(...problemsWith(config), ...problemsWithServices(config));
  const warnings = warningsAbout(environment);
  // A missing variable may be the misspelled one, so the error includes the warnings.
  if (problems.length > 0) throw new SettingsError([...problems, ...warnings].join('\n'));
  return { config, warnings };
}

/** The base URL for clients, once the port of the server is known. */
export function externalUrl(config: Config, port: number): string {
  return config.url ?? `http://localhost:${port}`;
}

/**
 * A warning if other machines may reach the server but `HEDDLE_URL` is not set: links then work on this machine only.
 * The `Host` header of requests is no substitute, because clients can forge it.
 */
export function addressWarning(config: Config, port: number): string | undefined {
  if (config.url !== null || (isLoopback(config.host) && config.smtpUrl === null)) return undefined;
  return `HEDDLE_URL is not set: links in invitations and mails begin with ${externalUrl(config, port)}, which works only on this machine`;
}

/** The address of the owner that the first start creates. */
export function ownerEmail(config: Config): string {
  return config.ownerEmail ?? `owner@${mailHost(config)}`;
}

/** The sender of mails. */
export function mailSender(config: Config): MailSender {
  return config.mailFrom ?? { name: '', address: `noreply@${mailHost(config)}` };
}

function mailHost(config: Config): string {
  const host = new URL(externalUrl(config, config.port)).hostname;
  return isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : 'localhost';
}

function complaint(setting: Setting<unknown>, text: string): string {
  const shown = setting.isSecret ? '(not shown)' : JSON.stringify(text);
  return `${setting.variable} is ${shown}; accepted is ${setting.accepted}`;
}

/** The prefix of variables for tests, which are not settings of the server. */
const testPrefix = 'HEDDLE_TEST_';

function warningsAbout(environment: Environment): string[] {
  const known = Object.values(settings).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('HEDDLE_') && !name.startsWith(testPrefix) && !known.includes(name))
    .map((name) => {
      const near = known.find((variable) => distance(variable, name) <= 2);
      return `${name} is not a setting and has no effect.${near === undefined ? '' : ` Did you mean ${near}?`}`;
    });
}

function nameOfAtMost(characters: number): (text: string) => string | undefined {
  return (text) => {
    const name = text.trim();
    return name.length > 0 && [...name].length <= characters ? name : undefined;
  };
}

function parseTrustProxy(text: string): boolean | number | readonly string[] | undefined {
  if (text === 'on') return true;
  if (text === 'off') return false;
  if (/^\d+$/.test(text)) return wholeNumber(1, 10)(text);
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every(isAddressRange) ? addresses : undefined;
}

function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^(?!-)[a-z\d-]{1,63}(?<!-)$/i.test(label));
}

/** Deliberately loose: one @ with text on both sides. Only a mail can prove that the address works. */
function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;
}

function isSmtpUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && url.hash === '';
}

function parseMailSender(text: string): MailSender | undefined {
  const [, name = '', address = text.trim()] = /^([^<>"\r\n]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  return isEmail(address) && !/[,;<>"]/.test(address) ? { name: name.trim(), address } : undefined;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
