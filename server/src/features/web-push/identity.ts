/**
 * The identity of this installation for push services (VAPID, RFC 8292). Its key follows from the server's secret. So all processes have the
 * same one, and nothing must be configured or stored. Browsers bind their subscriptions to it.
 */
import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { type Config, externalUrl, mailSender } from '../../config.ts';

/** RFC 8292 allows a day. */
const TOKEN_LIFETIME_SECONDS = 12 * 3600;
/** A token is used for so long. Then there is still time for a slow clock of the push service. */
const TOKEN_USE_SECONDS = 3600;
/** Tokens in memory, one per push service. There are few push services. */
const MAX_TOKENS = 1000;
/** How push services reach the operator (`sub`): the address of the server, or that of its mails if it is not public. */
export function contactOf(config: Config): string {
  const url = externalUrl(config, config.port);
  return url.startsWith('https:') ? new URL(url).origin : `mailto:${mailSender(config).address}`;
}

const PRIVATE_KEY_BYTES = 32;
/** One in four billion values is no key of the curve. */
const MAX_TRIED_KEYS = 4;

interface Token {
  readonly text: string;
  /** Seconds since the epoch. */
  readonly usedUntil: number;
}

export class VapidIdentity {
  /** An uncompressed point of P-256 in Base64 for URLs: the `applicationServerKey` of browsers. */
  readonly publicKey: string;
  readonly #privateKey: KeyObject;
  readonly #contact: string;
  readonly #tokens = new Map<string, Token>();

  /** @param contact how push services reach the operator: an `https:` or `mailto:` address */
  constructor(secret: Buffer, contact: string) {
    const { point, privateKey } = keysFrom(secret);
    this.publicKey = point.toString('base64url');
    this.#privateKey = createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.toString('base64url', 1, 33),
        y: point.toString('base64url', 33),
        d: privateKey.toString('base64url'),
      },
    });
    this.#contact = contact;
  }

  /** The `Authorization` header of a request to this endpoint. */
  authorization(endpoint: URL): string {
    return `vapid t=${this.#tokenFor(endpoint.origin)}, k=${this.publicKey}`;
  }

  #tokenFor(origin: string): string {
    const now = Math.floor(Date.now() / 1000);
    const known = this.#tokens.get(origin);
    if (known !== undefined && known.usedUntil > now) return known.text;
    const claims = { aud: origin, exp: now + TOKEN_LIFETIME_SECONDS, sub: this.#contact };
    const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const token = `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.clear();
    this.#tokens.set(origin, { text: token, usedUntil: now + TOKEN_USE_SECONDS });
    return token;
  }
}

function keysFrom(secret: Buffer): { readonly point: Buffer; readonly privateKey: Buffer } {
  const keys = createECDH('prime256v1');
  for (let tried = 1; ; tried++) {
    const about = `heddle: key for push services of browsers, ${tried}`;
    const privateKey = Buffer.from(hkdfSync('sha256', secret, '', about, PRIVATE_KEY_BYTES));
    try {
      keys.setPrivateKey(privateKey);
      return { point: keys.getPublicKey(), privateKey };
    } catch (error) {
      if (tried === MAX_TRIED_KEYS) throw error;
    }
  }
}
