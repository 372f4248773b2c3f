/** Whether the mail server in front of this one found that a mail is by its sender. */

type Headers = readonly { readonly key: string; readonly value: string }[];

/** Of a header. */
const MAX_EXAMINED_CHARACTERS = 4000;

/**
 * Servers add their results above those of others (RFC 8601), so only the newest header counts. Without such a header, the mail server
 * refuses forged mails itself.
 * @param from the address in `From`
 */
export function isSenderConfirmed(headers: Headers, from: string): boolean {
  if (headers.filter(({ key }) => key === 'from').length !== 1) return false;
  const newest = headers.find(({ key }) => key === 'authentication-results')?.value;
  if (newest === undefined) return true;
  const results = withoutComments(newest.slice(0, MAX_EXAMINED_CHARACTERS).toLowerCase()).split(';').slice(1);
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  const policy = results.map((result) => resultOf(result, 'dmarc')).find((verdict) => verdict !== undefined);
  // A domain without a policy has `none`. Its signatures count.
  if (policy !== undefined && policy !== 'none') return policy === 'pass';
  return results.some(
    (result) =>
      (resultOf(result, 'dkim') === 'pass' && isOf(domain, property(result, 'header\\.(?:d|i)'))) ||
      (resultOf(result, 'spf') === 'pass' && isOf(domain, property(result, 'smtp\\.mailfrom'))),
  );
}

function resultOf(result: string, method: string): string | undefined {
  return new RegExp(`^\\s*${method}\\s*=\\s*([a-z]+)`).exec(result)?.[1];
}

/** The domain of a property, which can be an address. */
function property(result: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}\\s*=\\s*"?([^\\s";]+)`).exec(result) ?? [];
  return value.slice(value.lastIndexOf('@') + 1);
}

/** The domain, or one above it: `mail.example.com` signs as `example.com`. A domain has at least two parts. */
function isOf(domain: string, signer: string): boolean {
  return signer.includes('.') && (domain === signer || domain.endsWith(`.${signer}`));
}

/** Comments can contain others (RFC 5322, section 3.2.2). */
function withoutComments(text: string): string {
  const less = text.replace(/\([^()]*\)/g, ' ');
  return less === text ? text : withoutComments(less);
}
