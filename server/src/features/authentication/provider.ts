/** Single sign-on by OpenID Connect: the authorization code flow with state, nonce and PKCE. */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type { Configuration } from 'openid-client';
import type { LoginConfig } from '../../config/logins.ts';
import type { KnownPerson } from './directory-login.ts';

/** For each answer of the provider, in seconds. */
const ANSWER_WITHIN = 5;
/** Known once, the provider is asked about itself again after so long, in milliseconds. */
const KNOWN_FOR = 3_600_000;

/** What the browser keeps between the way to the provider and the way back. */
export interface ProviderFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider sends back, by way of the browser. */
export type ProviderAnswer = Readonly<Record<string, string | undefined>>;

/** The provider does not let the person in, or what came back is none of its answers to us. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

/** The provider that the server's settings name. */
export class Provider {
  readonly #config: LoginConfig;
  #known: { readonly provider: Promise<Configuration>; readonly since: number } | undefined;

  constructor(config: LoginConfig) {
    this.#config = config;
  }

  /**
   * Where to send the browser.
   * @param redirectUri where the provider sends it back to; the provider must know it
   * @throws ApiError `SERVICE_UNAVAILABLE`
   */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly flow: ProviderFlow }> {
    const openid = await import('openid-client');
    const provider = await this.#provider();
    const flow = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { url, flow };
  }

  /**
   * Who came back.
   * @throws ProviderRefusal, ApiError `SERVICE_UNAVAILABLE`
   */
  async complete(redirectUri: string, flow: ProviderFlow, answer: ProviderAnswer): Promise<KnownPerson> {
    const openid = await import('openid-client');
    const provider = await this.#provider();
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
    try {
      const tokens = await openid.authorizationCodeGrant(provider, url, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderRefusal('no claims');
      if (typeof claims.email === 'string') return personIn(claims);
      return personIn(await openid.fetchUserInfo(provider, tokens.access_token, claims.sub));
    } catch (error) {
      if (error instanceof ProviderRefusal) throw error;
      if (isOutage(error)) throw unavailable(error);
      throw new ProviderRefusal('the answer was not right', { cause: error });
    }
  }

  #provider(): Promise<Configuration> {
    const now = performance.now();
    if (this.#known !== undefined && now - this.#known.since < KNOWN_FOR) return this.#known.provider;
    const provider = this.#discover();
    this.#known = { provider, since: now };
    // What failed is tried again by whoever comes next.
    provider.catch(() => {
      this.#known = undefined;
    });
    return provider;
  }

  async #discover(): Promise<Configuration> {
    const openid = await import('openid-client');
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.#config;
    if (oidcIssuer === null || oidcClientId === null) throw new Error('there is no provider');
    const issuer = new URL(oidcIssuer);
    try {
      return await openid.discovery(issuer, oidcClientId, oidcClientSecret ?? undefined, undefined, {
        timeout: ANSWER_WITHIN,
        // The settings take plain HTTP on this machine only.
        ...(issuer.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
      });
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** An address that the provider does not vouch for may be anybody's. */
function personIn(claims: Readonly<Record<string, unknown>>): KnownPerson {
  const { email, email_verified: isVerified, name } = claims;
  if (typeof email !== 'string' || isVerified !== true)
    throw new ProviderRefusal('the provider has no verified address');
  return {
    email,
    fullName: typeof name === 'string' && name.trim() !== '' ? name.trim() : (email.split('@')[0] ?? email),
  };
}

/** It did not answer, or said itself that it cannot. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error instanceof TypeError) return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 500;
}

function unavailable(cause: unknown): Error {
  return Object.assign(serviceUnavailable('Single sign-on is not available; please try again'), { cause });
}
