/** The parts that tests use. The package has no type declarations. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface Account {
    readonly accountId: string;
    claims(): Record<string, unknown> & { readonly sub: string };
  }

  export interface Configuration {
    readonly clients: readonly Record<string, unknown>[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly cookies: { readonly keys: readonly string[] };
    readonly jwks: { readonly keys: readonly unknown[] };
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>;
    readonly pkce: { required(): boolean };
    findAccount(context: unknown, id: string): Account;
    readonly interactions: { url(context: unknown, interaction: { readonly uid: string }): string };
    loadExistingGrant(context: Context): Promise<unknown>;
  }

  interface Context {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: Provider;
    };
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
    interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
    readonly Grant: new (
      properties: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<unknown> };
  }
}
