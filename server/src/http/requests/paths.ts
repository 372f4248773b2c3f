/** The contract's paths in the form of the router, and the methods of a path. */
import { type Endpoint, fullPathOf, type Method, otherResponseOf } from '@heddle/api/contract.ts';
import { jsonSchemaOf } from '@heddle/api/json-schema.ts';

/** An endpoint's path for Fastify: `/users/:user_id(^-?\d+$)`. A parameter that takes the rest of the path becomes the wildcard `*`. */
export function routerPath(endpoint: Endpoint): string {
  return fullPathOf(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = patternOf(endpoint, name);
    if (pattern === REST) return '*';
    return pattern === INTEGER ? `:${name}(^${INTEGER}$)` : `:${name}`;
  });
}

/** The name of the parameter that takes the rest of the path. The router calls it `*`. */
export function restOfPathName(endpoint: Endpoint): string | undefined {
  return Object.entries(endpoint.parameters).find(([, parameter]) => parameter.restOfPath)?.[0];
}

const REST = '.*';
const INTEGER = '-?\\d+';
const SEGMENT = '[^/]+';

/** A regular expression for the values of a path parameter. */
function patternOf(endpoint: Endpoint, name: string): string {
  const parameter = endpoint.parameters[name];
  if (parameter?.restOfPath) return REST;
  return parameter && jsonSchemaOf(parameter.schema).type === 'integer' ? INTEGER : SEGMENT;
}

/** The headers that `OPTIONS` returns for a path. */
export type Capabilities = Readonly<Record<string, string>>;

interface Entry {
  readonly pattern: RegExp;
  readonly method: Method;
  readonly isPage: boolean;
  readonly capabilities: Capabilities | undefined;
}

/** Responses for paths that no route handles. */
export class PathTable {
  readonly #entries: readonly Entry[];

  constructor(routes: readonly { readonly endpoint: Endpoint; readonly capabilities?: Capabilities | undefined }[]) {
    this.#entries = routes.map(({ endpoint, capabilities }) => ({
      pattern: expressionOf(endpoint),
      method: endpoint.method,
      isPage: otherResponseOf(endpoint)?.kind === 'page',
      capabilities,
    }));
  }

  /** Whether the path has a page for people. */
  hasPage(path: string): boolean {
    return this.#entries.some(({ pattern, method, isPage }) => isPage && method === 'GET' && pattern.test(path));
  }

  /** What the routes of the path declare about themselves. */
  capabilitiesOf(path: string): Capabilities {
    const here = this.#entries.filter(({ pattern }) => pattern.test(path));
    return Object.assign({}, ...here.map(({ capabilities }) => capabilities));
  }

  /** The methods of the path, for `Allow`; none if the path is unknown. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, method } of this.#entries) if (pattern.test(path)) methods.add(method);
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}

function expressionOf(endpoint: Endpoint): RegExp {
  const source = fullPathOf(endpoint).replaceAll(/\{(\w+)\}|[^{}]+/g, (text, name: string | undefined) =>
    name === undefined ? RegExp.escape(text) : patternOf(endpoint, name),
  );
  return new RegExp(`^${source}$`);
}
