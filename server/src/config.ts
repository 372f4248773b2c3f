import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The server's settings: read from the environment once, checked, and never changed. `docs/settings.md` explains each. */
export interface Config {
  readonly host: string;
  /** 0: the system picks a free one. */
  readonly port: number;
  /** An absolute path. */
  readonly dataDirectory: string;
  /** null: the embedded PostgreSQL in the data directory. May hold a password. */
  readonly databaseUrl: string | null;
  /** Where clients reach the server, without a slash at the end. null: see {@link externalUrl}. */
  readonly url: string | null;
  /** null: see {@link ownerEmail}. */
  readonly ownerEmail: string | null;
  /** null: generated on first start. */
  readonly ownerPassword: string | null;
  readonly ownerName: string;
  readonly organizationName: string;
  /** Whether `POST /dev_fetch_api_key` gives out keys without a password. Only ever true on a loopback host. */
  readonly devLogin: boolean;
  readonly rateLimits: boolean;
  /** Whether organizations may have channels that are read without an account. */
  readonly webPublicChannels: boolean;
  /** Of one file. */
  readonly maxFileUploadSizeMib: number;
  /** Of all files of an organization; null: no bound. */
  readonly uploadQuotaMib: number | null;
  /** null: files are kept in the data directory. */
  readonly s3Bucket: string | null;
  /** null: the provider's own, by its region. */
  readonly s3Endpoint: string | null;
  readonly s3Region: string;
  /** Both or neither null; then they are looked for where the provider's programs find theirs. */
  readonly s3AccessKeyId: string | null;
  readonly s3SecretAccessKey: string | null;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly logLevel: LogLevel;
  /** `auto`: for people where standard error is a terminal, JSON elsewhere. */
  readonly logFormat: 'auto' | 'text' | 'json';
  /** How server processes wake each other: `local` for one process, `postgres` for several on one database. */
  readonly bus: 'local' | 'postgres';
  /** Whose `X-Forwarded-*` headers count: nobody's, everybody's, that many hops', or these addresses'. */
  readonly trustProxy: boolean | number | readonly string[];
}

/** How one setting is read. */
export interface Setting<Value> {
  readonly variable: string;
  /** The text that stands for an unset variable; null where the value then is null. */
  readonly default: string | null;
  /** What the documentation calls the default of a setting that has no default text. */
  readonly defaultInWords?: string;
  /** Completes the sentence "accepted is …". */
  readonly accepted: string;
  /** Its value is never shown. */
  readonly isSecret?: boolean;
  /** undefined refuses the text. */
  readonly parse: (text: string) => Value | undefined;
}

type SettingsTable = { readonly [Key in keyof Config]: Setting<Config[Key]> };

/** Every setting there is, in the order of the documentation. */
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
  maxFileUploadSizeMib: {
    variable: 'HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB',
    default: '100',
    accepted: 'a whole number from 0 to 10240',
    parse: wholeNumber(0, 10_240),
  },
  uploadQuotaMib: {
    variable: 'HEDDLE_UPLOAD_QUOTA_MIB',
    default: null,
    defaultInWords: 'no bound',
    accepted: 'a whole number from 0 to 1000000000',
    parse: wholeNumber(0, 1_000_000_000),
  },
  s3Bucket: {
    variable: 'HEDDLE_S3_BUCKET',
    default: null,
    defaultInWords: 'files are in the data directory',
    accepted: 'the name of a bucket',
    parse: (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
  },
  s3Endpoint: {
    variable: 'HEDDLE_S3_ENDPOINT',
    default: null,
    defaultInWords: "the provider's own",
    accepted: 'a URL like https://s3.example.com, without a path, user name or query',
    parse: parseBaseUrl,
  },
  s3Region: {
    variable: 'HEDDLE_S3_REGION',
    default: 'us-east-1',
    accepted: 'the name of a region',
    parse: (text) => (/^[a-z0-9-]{1,64}$/.test(text) ? text : undefined),
  },
  s3AccessKeyId: {
    variable: 'HEDDLE_S3_ACCESS_KEY_ID',
    default: null,
    defaultInWords: "as the provider's own programs find it",
    accepted: 'a key id',
    parse: (text) => text,
  },
  s3SecretAccessKey: {
    variable: 'HEDDLE_S3_SECRET_ACCESS_KEY',
    default: null,
    defaultInWords: "as the provider's own programs find it",
    accepted: 'a secret key',
    isSecret: true,
    parse: (text) => text,
  },
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
};

/** The environment holds values that are not accepted. `message` has a line for each, and for each warning, without secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** What the environment says; `warnings` are about variables that look like settings and are none. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from an environment such as `process.env`. An empty variable counts as unset.
 * @throws SettingsError naming every variable with a bad value, the value, and what is accepted
 */
export function readConfig(environment: Environment): ReadConfig {
  const problems: string[] = [];

  function read<Key extends keyof Config>(key: Key): Config[Key] {
    // Indexing the table by a type parameter loses the tie between key and value; the table's type has checked it.
    const setting = settings[key] as Setting<Config[Key]>;
    const text = environment[setting.variable] || setting.default;
    if (text === null) return null as Config[Key];
    const value = setting.parse(text);
    if (value === undefined) problems.push(complaint(setting, text));
    return value as Config[Key];
  }

  const config: Config = Object.freeze({
    host: read('host'),
    port: read('port'),
    dataDirectory: read('dataDirectory'),
    databaseUrl: read('databaseUrl'),
    url: read('url'),
    ownerEmail: read('ownerEmail'),
    ownerPassword: read('ownerPassword'),
    ownerName: read('ownerName'),
    organizationName: read('organizationName'),
    devLogin: read('devLogin'),
    rateLimits: read('rateLimits'),
    webPublicChannels: read('webPublicChannels'),
    maxFileUploadSizeMib: read('maxFileUploadSizeMib'),
    uploadQuotaMib: read('uploadQuotaMib'),
    s3Bucket: read('s3Bucket'),
    s3Endpoint: read('s3Endpoint'),
    s3Region: read('s3Region'),
    s3AccessKeyId: read('s3AccessKeyId'),
    s3SecretAccessKey: read('s3SecretAccessKey'),
    queueIdleSeconds: read('queueIdleSeconds'),
    heartbeatSeconds: read('heartbeatSeconds'),
    logLevel: read('logLevel'),
    logFormat: read('logFormat'),
    bus: read('bus'),
    trustProxy: read('trustProxy'),
  });
  if (config.devLogin && config.host !== undefined && !isLoopback(config.host)) {
    const hosts = '127.0.0.1, ::1 or localhost';
    problems.push(`HEDDLE_DEV_LOGIN=1 is accepted only where HEDDLE_HOST is ${hosts}, and it is ${config.host}`);
  }
  if ((config.s3AccessKeyId === null) !== (config.s3SecretAccessKey === null)) {
    problems.push('HEDDLE_S3_ACCESS_KEY_ID and HEDDLE_S3_SECRET_ACCESS_KEY are set together or not at all');
  }
  const warnings = warningsAbout(environment);
  // A variable that is missing may be the misspelled one.
  if (problems.length > 0) throw new SettingsError([...problems, ...warnings].join('\n'));
  return { config, warnings };
}

/** The base URL that clients use, once it is known which port the server listens on. */
export function externalUrl(config: Config, port: number): string {
  return config.url ?? `http://localhost:${port}`;
}

/** The address of the owner whom the first start creates. */
export function ownerEmail(config: Config): string {
  if (config.ownerEmail !== null) return config.ownerEmail;
  const host = new URL(externalUrl(config, config.port)).hostname;
  return isIP(host.replace(/^\[|\]$/g, '')) === 0 ? `owner@${host}` : 'owner@localhost';
}

function complaint(setting: Setting<unknown>, text: string): string {
  const shown = setting.isSecret ? '(not shown)' : JSON.stringify(text);
  return `${setting.variable} is ${shown}; accepted is ${setting.accepted}`;
}

/** The tests' own variables begin so; they are no settings of the server. */
const testPrefix = 'HEDDLE_TEST_';

function warningsAbout(environment: Environment): string[] {
  const known = Object.values(settings).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('HEDDLE_') && !name.startsWith(testPrefix) && !known.includes(name))
    .map((name) => {
      const near = known.find((variable) => distance(variable, name) <= 2);
      return `${name} is no setting and has no effect${near === undefined ? '' : `; is ${near} meant?`}`;
    });
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

function nameOfAtMost(characters: number): (text: string) => string | undefined {
  return (text) => {
    const name = text.trim();
    return name.length > 0 && [...name].length <= characters ? name : undefined;
  };
}

function oneOf<Value>(values: Readonly<Record<string, Value>>): (text: string) => Value | undefined {
  return (text) => (Object.hasOwn(values, text) ? values[text] : undefined);
}

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

function parseBaseUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  const isBare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isBare ? url.origin : undefined;
}

function parseTrustProxy(text: string): boolean | number | readonly string[] | undefined {
  if (text === 'on') return true;
  if (text === 'off') return false;
  if (/^\d+$/.test(text)) return wholeNumber(1, 10)(text);
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every(isAddressRange) ? addresses : undefined;
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || wholeNumber(0, version === 4 ? 32 : 128)(bits) !== undefined;
}

function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^(?!-)[a-z\d-]{1,63}(?<!-)$/i.test(label));
}

/** Deliberately loose: one @ with something on both sides. Whether mail arrives there only mail can tell. */
function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
