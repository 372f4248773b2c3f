/** Single sign-on by OpenID Connect: the authorization code flow with state, nonce and PKCE. */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type { Configuration } from 'openid-client';
import { TIMEOUT_FACTOR } from '../../config/timeout-factor.ts';
import type { Config } from '../../config.ts';
import type { KnownPerson } from './directory-login.ts';

/** The timeout of each response of the provider, in seconds. */
const RESPONSE_TIMEOUT_SECONDS = 5 * TIMEOUT_FACTOR;
/** How long the provider's description is cached, in milliseconds. */
const DESCRIPTION_LIFETIME_MS = 3_600_000;

/** The state that the browser keeps during a login at the provider. */
export interface ProviderFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The parameters that the provider returns by way of the browser. */
export type ProviderAnswer = Readonly<Record<string, string | undefined>>;

/** The provider refused the login, or its response is not valid. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

/** The provider in the server's settings. */
export class Provider {
  readonly #config: Config;
  #known: { readonly provider: Promise<Configuration>; readonly since: number } | undefined;

  constructor(config: Config) {
    this.#config = config;
  }

  /**
   * The address to send the browser to.
   * @param redirectUri where the provider sends the browser back; the provider must know it
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
   * The person who has logged in.
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
    if (this.#known !== undefined && now - this.#known.since < DESCRIPTION_LIFETIME_MS) return this.#known.provider;
    const provider = this.#discover();
    this.#known = { provider, since: now };
    // The next login tries again.
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
        timeout: RESPONSE_TIMEOUT_SECONDS,
        // The settings allow plain HTTP on this machine only.
        ...(issuer.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
      });
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** An address that the provider has not verified can belong to anyone. */
function personIn(claims: Readonly<Record<string, unknown>>): KnownPerson {
  const { email, email_verified: isVerified, name } = claims;
  if (typeof email !== 'string' || isVerified !== true)
    throw new ProviderRefusal('the provider has no verified address');
  return {
    email,
    fullName: typeof name === 'string' && name.trim() !== '' ? name.trim() : (email.split('@')[0] ?? email),
  };
}

/** The provider did not respond, or reported that it cannot. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error instanceof TypeError) return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 500;
}

function unavailable(cause: unknown): Error {
  return Object.assign(serviceUnavailable('Single sign-on is not available; please try again'), { cause });
}
