/** Hosts that give short-lived addresses to anyone. */

let known: Promise<ReadonlySet<string>> | undefined;

/** Whether a host is on the list, or is a subdomain of an entry. The list is loaded on first use. */
export async function disposableDomains(): Promise<(host: string) => boolean> {
  known ??= import('disposable-email-domains-js').then(({ default: list }) => list.disposableEmailBlocklistSet());
  const domains = await known;
  return (host) => {
    const labels = host.split('.');
    return labels.some((_, index) => domains.has(labels.slice(index).join('.')));
  };
}
