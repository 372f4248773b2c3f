/** A real OpenID Connect provider on a loopback port, which authenticates everybody as the test's user. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

export interface TestProvider {
  readonly issuer: string;
  /** The claims for the next user. */
  person: Record<string, unknown>;
  /** Allows redirects to this URL. */
  allow(redirectUri: string): void;
  stop(): Promise<void>;
}

export const CLIENT_ID = 'heddle';
export const CLIENT_SECRET = 'a secret of the provider’s'.replace('’', '');

export async function startProvider(): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  const issuer = `http://localhost:${address.port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const redirectUris = ['http://localhost:1/complete/oidc/'];
  const of: { person: Record<string, unknown> } = { person: {} };
  let handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  function build(): void {
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['of the test'] },
      jwks: { keys: [privateKey.export({ format: 'jwk' })] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...of.person }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc: { client, session, provider: own } }) {
        const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    handler = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) callback(request, response);
      else
        provider
          .interactionFinished(request, response, { login: { accountId: 'somebody' } })
          .catch(() => response.end());
    };
  }
  build();
  server.on('request', (request, response) => handler?.(request, response));
  return {
    issuer,
    get person() {
      return of.person;
    },
    set person(person) {
      of.person = person;
    },
    allow(redirectUri) {
      redirectUris.push(redirectUri);
      build();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
