import { BlockList, isIP } from 'node:net';
import { distance } from 'fastest-levenshtein';
import type { StaticDecode } from 'typebox';
import { Value } from 'typebox/value';
import { databaseHosts } from './config/database-url.ts';
import { areHmac, type MailSender } from './config/kinds.ts';
import { SETTINGS, type Setting } from './config/settings.ts';
import { SettingsError } from './config/settings-error.ts';

type ValueOf<S extends Setting> = StaticDecode<S['schema']> | (S['default'] extends null ? null : never);

/** The settings of the server. They are read from the environment once, checked, and never changed. */
export type Config = { readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/** The settings from the environment. `warnings` names variables that look like settings but are not. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from an environment such as `process.env`. An empty variable counts as unset.
 * @throws SettingsError with a line for each problem and each warning
 */
export function readConfig(environment: Environment): ReadConfig {
  const problems: string[] = [];
  const read = ({ variable, default: fallback, schema }: Setting): unknown => {
    const text = environment[variable] || fallback;
    if (text === null) return null;
    if (Value.Check(schema, text)) return Value.Decode(schema, text);
    const { description, writeOnly } = schema as { description?: string; writeOnly?: boolean };
    problems.push(`${variable} must be ${description}, but it is ${writeOnly ? 'not' : JSON.stringify(text)}.`);
    return undefined;
  };
  const values = Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting)]);
  // The table has an entry for each field.
  const config: Config = Object.freeze(Object.fromEntries(values));
  if (config.devLogin && config.host !== undefined && !isLoopback(config.host)) {
    const hosts = '127.0.0.1, ::1 or localhost';
    problems.push(`HEDDLE_DEV_LOGIN=1 requires HEDDLE_HOST to be ${hosts}, but it is "${config.host}".`);
  }
  if (problems.length === 0) problems.push(...problemsBetween(config, environment));
  const warnings = warningsAbout(environment);
  // A missing variable may be the misspelled one, so the error includes the warnings.
  if (problems.length > 0) throw new SettingsError([...problems, ...warnings].join('\n'));
  return { config, warnings };
}

/** The first setting of each line requires the others. Without them it would have no effect. */
const REQUIREMENTS: readonly (readonly [keyof Config, ...(keyof Config)[]])[] = [
  ['metricsHost', 'metricsPort'],
  ['pushUrl', 'pushId', 'pushKey'],
  ['pushId', 'pushUrl'],
  ['pushKey', 'pushUrl'],
  ['bigBlueButtonUrl', 'bigBlueButtonSecret'],
  ['bigBlueButtonSecret', 'bigBlueButtonUrl'],
  ['s3Endpoint', 's3Bucket'],
  ['s3Region', 's3Bucket'],
  ['s3AccessKeyId', 's3Bucket', 's3SecretAccessKey'],
  ['s3SecretAccessKey', 's3Bucket', 's3AccessKeyId'],
  ['mailGatewayDomain', 'mailGateway'],
  ['ldapUrl', 'ldapBase'],
  ['ldapBase', 'ldapUrl'],
  ['ldapBindDn', 'ldapUrl', 'ldapBindPassword'],
  ['ldapBindPassword', 'ldapBindDn'],
  ['ldapFilter', 'ldapUrl'],
  ['ldapEmailAttribute', 'ldapUrl'],
  ['ldapNameAttribute', 'ldapUrl'],
  ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'],
  ['oidcClientId', 'oidcIssuer'],
  ['oidcClientSecret', 'oidcIssuer'],
  ['oidcName', 'oidcIssuer'],
  ['jwtAlgorithms', 'jwtKey'],
  ['jwtSubdomain', 'jwtKey'],
];

function problemsBetween(config: Config, environment: Environment): string[] {
  const isSet = (key: keyof Config): boolean => Boolean(environment[SETTINGS[key].variable]);
  const problems = REQUIREMENTS.flatMap(([given, ...required]) =>
    required
      .filter((key) => isSet(given) && !isSet(key))
      .map((key) => `${SETTINGS[key].variable} is not set, but ${SETTINGS[given].variable} requires it.`),
  );
  const { jwtKey, jwtAlgorithms } = config;
  if (jwtKey !== null && jwtKey.includes('-----BEGIN') === areHmac(jwtAlgorithms)) {
    const kinds = 'HS algorithms need a secret, and the others need a public key';
    problems.push(`HEDDLE_JWT_ALGORITHMS does not match HEDDLE_JWT_KEY: ${kinds}.`);
  }
  const hosts = databaseHosts(config.databaseUrl ?? '') ?? [];
  if (config.standbyReads && hosts.length < 2)
    problems.push('HEDDLE_STANDBY_READS=on requires HEDDLE_DATABASE_URL to name several hosts.');
  return problems;
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

/** The domain of the addresses at which the server receives mail. */
export function gatewayDomain(config: Config): string {
  return (config.mailGatewayDomain ?? mailHost(config)).toLowerCase();
}

function mailHost(config: Config): string {
  const host = new URL(externalUrl(config, config.port)).hostname;
  return isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : 'localhost';
}

/** The prefix of variables for tests, which are not settings of the server. */
const TEST_PREFIX = 'HEDDLE_TEST_';

function warningsAbout(environment: Environment): string[] {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('HEDDLE_') && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .map((name) => {
      const near = known.find((variable) => distance(variable, name) <= 2);
      return `${name} is not a setting and has no effect.${near === undefined ? '' : ` Did you mean ${near}?`}`;
    });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
