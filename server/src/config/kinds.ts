/**
 * The kinds of values in the environment. Each is a schema that checks a text and decodes it. Its description completes the sentence
 * "… must be …". `writeOnly` marks a secret, which no message shows.
 */
import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import Type, { type TString } from 'typebox';
import { databaseHosts } from './database-url.ts';
import { type NatsServers, natsServers } from './nats-servers.ts';

/** The sender of mails. */
export interface MailSender {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

/** A text that `parse` accepts. `parse` returns undefined for others. */
function parsed<Value>(description: string, parse: (text: string) => Value | undefined, isSecret = false) {
  const all = isSecret ? secret(description) : text(description);
  const valid = Type.Refine(all, (given) => parse(given) !== undefined);
  // The refinement has refused all texts that have no value.
  return Type.Decode(valid, (given): Value => parse(given) as Value);
}

export function text(description: string, pattern = ''): TString {
  return Type.String({ description, pattern });
}

export function secret(description: string): TString {
  return Type.String({ description, writeOnly: true });
}

export function nameUpTo(characters: number) {
  return parsed(`a name of at most ${characters} characters`, (given) => {
    const name = given.trim();
    return name !== '' && [...name].length <= characters ? name : undefined;
  });
}

export function integer(least: number, most: number) {
  return parsed(`a whole number from ${least} to ${most}`, (given) => {
    const value = Number(given);
    return /^\d+$/.test(given) && value >= least && value <= most ? value : undefined;
  });
}

export function oneOf<const Name extends string>(...names: readonly Name[]) {
  const description = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return parsed(description, (given) => names.find((name) => name === given));
}

export const onOrOff = Type.Decode(oneOf('on', 'off'), (given) => given === 'on');
export const oneOrZero = Type.Decode(oneOf('1', '0'), (given) => given === '1');

export const path = Type.Decode(text('a path'), (given) => resolve(given));

export const host = parsed('an IP address or a host name', (given) => {
  const isName = given.length <= 253 && given.split('.').every((label) => /^(?!-)[a-z\d-]{1,63}(?<!-)$/i.test(label));
  return isIP(given) !== 0 || isName ? given : undefined;
});

export const databaseUrl = parsed(
  'a URL like postgresql://user:password@host:5432/database or postgresql://…@a:5432,b:5432/database?target_session_attrs=read-write',
  (given) => (databaseHosts(given) === undefined ? undefined : given),
  true,
);

export const bus = parsed(
  'local, postgres, or a URL like nats://user:password@a:4222,b:4222',
  (given): 'local' | 'postgres' | NatsServers | undefined =>
    given === 'local' || given === 'postgres' ? given : natsServers(given),
  true,
);

export const smtpUrl = parsed(
  'a URL like smtp://user:password@mail.example.com:587 or smtps://…',
  (given) => {
    const { protocol = '', hostname, hash } = URL.parse(given) ?? {};
    return /^smtps?:$/.test(protocol) && hostname !== '' && hash === '' ? given : undefined;
  },
  true,
);

export const ldapUrl = parsed('a URL like ldaps://directory.example.com', (given) =>
  /^ldaps?:$/.test(URL.parse(given)?.protocol ?? '') ? given : undefined,
);

export const distinguishedName = text('a distinguished name like ou=people,dc=example,dc=com', '=');
export const ldapFilter = text(
  'a filter with {username} in it, like (|(uid={username})(mail={username}))',
  '^\\(.*\\{username\\}.*\\)$',
);
export const ldapAttribute = text('the name of an attribute', '^[a-zA-Z][a-zA-Z0-9-]{0,100}$');

/** The address of a server, without a slash at the end. */
export function origin(like: string) {
  return parsed(`a URL like ${like}, without a path, user name or query`, (given) => {
    const parts = webUrl(given);
    return parts?.pathname === '/' ? parts.origin : undefined;
  });
}

/** Without a slash at the end. `none` is null. */
export const jitsiUrl = parsed('a URL like https://meet.example.com, or none', (given) =>
  given === 'none' ? null : webUrl(given)?.href.replace(/\/$/, ''),
);

/** With a slash at the end, which the text may omit. */
export const bigBlueButtonUrl = parsed(
  'a URL like https://bbb.example.com/bigbluebutton/, without a user name or query',
  (given) => webUrl(given)?.href.replace(/(?<!\/)$/, '/'),
);

function webUrl(given: string): URL | undefined {
  const { protocol = '', username, password, search, hash } = URL.parse(given) ?? {};
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && /^https?:$/.test(protocol) ? new URL(given) : undefined;
}

export const bucket = text('the name of a bucket', '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$');
export const subdomain = text('the subdomain of an organization', '^[a-z0-9-]{1,63}$');
/** Requests separate the id from the key by a colon. */
export const pushId = text('an id without a colon', '^[^:]*$');

export const issuer = parsed('a URL like https://login.example.com (http:// only on this machine)', (given) => {
  const { protocol, hostname = '' } = URL.parse(given) ?? {};
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? given : undefined;
});

/** Deliberately loose: one @ with text on both sides. Only a mail can prove that the address works. */
const EMAIL = /^(?=.{0,254}$)[^\s@]+@[^\s@]+$/;
export const email = text('an email address', EMAIL.source);

export const mailSender = parsed(
  'an email address, or one with a name like Heddle <noreply@example.com>',
  (given): MailSender | undefined => {
    const [, name = '', address = given.trim()] = /^([^<>"\r\n]*)<([^<>]+)>$/.exec(given.trim()) ?? [];
    return EMAIL.test(address) && !/[,;<>"]/.test(address) ? { name: name.trim(), address } : undefined;
  },
);

/** An address on which the server listens. */
export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

export const listeningAddress = parsed(
  'a host and a port like 127.0.0.1:2525',
  (given): ListeningAddress | undefined => {
    const [, address = '', port = ''] = /^\[?([^[\]\s/]+?)\]?:(\d{1,5})$/.exec(given) ?? [];
    return address === '' || Number(port) > 65_535 ? undefined : { host: address, port: Number(port) };
  },
);

export const networks = parsed('none, or a comma-separated list of addresses like 10.0.0.0/8,::1', (given) =>
  given === 'none' ? [] : addressRanges(given),
);

export const trustedProxies = parsed(
  'off, on, a number of proxies from 1 to 10, or a comma-separated list of addresses like 10.0.0.0/8',
  (given): boolean | number | readonly string[] | undefined => {
    if (given === 'on' || given === 'off') return given === 'on';
    const hops = Number(given);
    return /^\d+$/.test(given) && hops >= 1 && hops <= 10 ? hops : addressRanges(given);
  },
);

/** Addresses, or networks like `10.0.0.0/8`. */
function addressRanges(given: string): readonly string[] | undefined {
  const ranges = given.split(',').map((range) => range.trim());
  return ranges.every(isAddressRange) ? ranges : undefined;
}

function isAddressRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const HMAC = ['HS256', 'HS384', 'HS512'];
const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Never both kinds: an attacker could then use the public key as the secret. */
export const jwtAlgorithms = parsed(
  'a comma-separated list like HS256 or RS256,ES256: either only HS algorithms or none of them',
  (given): readonly string[] | undefined => {
    const names = given.split(',').map((name) => name.trim());
    return areHmac(names) || names.every((name) => SIGNATURES.includes(name)) ? names : undefined;
  },
);

export function areHmac(algorithms: readonly string[]): boolean {
  return algorithms.every((name) => HMAC.includes(name));
}

export const jwtKey = Type.Refine(secret('a secret of at least 32 characters, or a public key in PEM'), (given) =>
  given.includes('-----BEGIN') ? isPublicKey(given) : given.length >= 32,
);

function isPublicKey(given: string): boolean {
  if (!given.includes('-----BEGIN PUBLIC KEY-----')) return false;
  try {
    createPublicKey(given);
    return true;
  } catch {
    return false;
  }
}
