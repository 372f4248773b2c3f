/** What the profile field of an external account says. */
export interface ExternalAccountField {
  readonly subtype?: unknown;
  readonly url_pattern?: unknown;
}

/** The services that the server knows, by subtype. */
type Services = Readonly<Record<string, { readonly url_pattern: string }>>;

/** The address of a user's account at another service. Undefined if it is not a web address. */
export function accountUrl(field: ExternalAccountField, services: Services, username: string): string | undefined {
  const { subtype, url_pattern: own } = field;
  const known = typeof subtype === 'string' ? services[subtype]?.url_pattern : undefined;
  const pattern = subtype === 'custom' || known === undefined ? own : known;
  if (typeof pattern !== 'string') return undefined;
  return safeUrl(pattern.replaceAll('%(username)s', encodeURIComponent(username)));
}

/** The address if a browser can open it without harm: `http` and `https` only. */
export function safeUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
