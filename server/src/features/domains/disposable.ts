/** Hosts that give out addresses for a few minutes to whoever asks. */

let known: Promise<ReadonlySet<string>> | undefined;

/** Whether a host is one of these, or a part of one. The list is loaded with the first address that somebody asks about. */
export async function disposableDomains(): Promise<(host: string) => boolean> {
  known ??= import('disposable-email-domains-js').then(({ default: list }) => list.disposableEmailBlocklistSet());
  const domains = await known;
  return (host) => {
    const labels = host.split('.');
    return labels.some((_, index) => domains.has(labels.slice(index).join('.')));
  };
}
