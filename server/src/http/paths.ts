/** The contract's paths as the router writes them, and which methods a path has. */
import { type Endpoint, fullPathOf, type Method } from '@heddle/api/contract.ts';
import { jsonSchemaOf } from '@heddle/api/json-schema.ts';

/** An endpoint's path for Fastify: `/users/:user_id(^-?\d+$)`. What takes the rest of the path is its wildcard, `*`. */
export function routerPath(endpoint: Endpoint): string {
  return fullPathOf(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    switch (kindOf(endpoint, name)) {
      case 'rest':
        return '*';
      case 'integer':
        return `:${name}(^-?\\d+$)`;
      case 'segment':
        return `:${name}`;
    }
  });
}

/** The name of the parameter that takes the rest of the path; the router knows it as `*`. */
export function restOfPathName(endpoint: Endpoint): string | undefined {
  return Object.entries(endpoint.parameters).find(([, parameter]) => parameter.restOfPath)?.[0];
}

function kindOf(endpoint: Endpoint, name: string): 'rest' | 'integer' | 'segment' {
  const parameter = endpoint.parameters[name];
  if (parameter?.restOfPath) return 'rest';
  return parameter && jsonSchemaOf(parameter.schema).type === 'integer' ? 'integer' : 'segment';
}

/** What `OPTIONS` tells of a path, in headers. */
export type Capabilities = Readonly<Record<string, string>>;

interface Entry {
  readonly pattern: RegExp;
  readonly method: Method;
  readonly isPage: boolean;
  readonly capabilities: Capabilities | undefined;
}

/** Answers for paths that no route took. */
export class PathTable {
  readonly #entries: readonly Entry[];

  constructor(routes: readonly { readonly endpoint: Endpoint; readonly capabilities?: Capabilities | undefined }[]) {
    this.#entries = routes.map(({ endpoint, capabilities }) => ({
      pattern: patternOf(endpoint),
      method: endpoint.method,
      isPage: endpoint.response !== undefined && 'gives' in endpoint.response && endpoint.response.gives === 'page',
      capabilities,
    }));
  }

  /** Whether people find a page there. */
  hasPage(path: string): boolean {
    return this.#entries.some(({ pattern, method, isPage }) => isPage && method === 'GET' && pattern.test(path));
  }

  /** What the path's routes say that they can. */
  capabilitiesOf(path: string): Capabilities {
    const here = this.#entries.filter(({ pattern }) => pattern.test(path));
    return Object.assign({}, ...here.map(({ capabilities }) => capabilities));
  }

  /** The methods that the path has, for `Allow`; none if the path is unknown. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, method } of this.#entries) if (pattern.test(path)) methods.add(method);
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}

function patternOf(endpoint: Endpoint): RegExp {
  const source = fullPathOf(endpoint).replaceAll(/\{(\w+)\}|[^{}]+/g, (text, name: string | undefined) => {
    if (name === undefined) return RegExp.escape(text);
    switch (kindOf(endpoint, name)) {
      case 'rest':
        return '.*';
      case 'integer':
        return '-?\\d+';
      case 'segment':
        return '[^/]+';
    }
  });
  return new RegExp(`^${source}$`);
}
