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
  const results = resultsIn(newest.slice(0, MAX_EXAMINED_CHARACTERS).toLowerCase()).slice(1);
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  const policy = results.map((result) => resultOf(result, 'dmarc')).find((verdict) => verdict !== undefined);
  // A domain without a policy has `none`. Its signatures count.
  if (policy !== undefined && policy !== 'none') return policy === 'pass';
  return results.some(
    (result) =>
      (resultOf(result, 'dkim') === 'pass' && isOf(domain, property(result, ['header.d', 'header.i']))) ||
      (resultOf(result, 'spf') === 'pass' && isOf(domain, property(result, ['smtp.mailfrom']))),
  );
}

function resultOf(result: string, method: string): string | undefined {
  return new RegExp(`^\\s*${method}\\s*=\\s*([a-z]+)`).exec(result)?.[1];
}

/** A property and its value, or a quoted string outside of them, in which no property counts. */
const PROPERTY = /"(?:\\.|[^"\\])*"|(?<![\w.-])([\w.-]+)\s*=\s*((?:"(?:\\.|[^"\\])*"|[^\s"])+)/gs;

/** The domain of the first of these properties, which can be an address. Its part before the `@` can be a quoted string. */
function property(result: string, names: readonly string[]): string {
  const found = result.matchAll(PROPERTY).find(([, name = '']) => names.includes(name));
  const value = found?.[2] ?? '';
  return value.slice(value.lastIndexOf('@') + 1).replaceAll('"', '');
}

/** The domain, or one above it: `mail.example.com` signs as `example.com`. A domain has at least two parts. */
function isOf(domain: string, signer: string): boolean {
  return signer.includes('.') && (domain === signer || domain.endsWith(`.${signer}`));
}

/**
 * What stands between semicolons, without comments, which can contain others (RFC 5322, section 3.2.2). Anyone can write an address such as
 * `"; dmarc=pass"@example.org`, so quoted strings stay whole. A header in which a comment or a quoted string has no end confirms nothing.
 */
function resultsIn(header: string): readonly string[] {
  const results = [''];
  let depth = 0;
  let isQuoted = false;
  for (const [token] of header.matchAll(/\\?./gs)) {
    if (token === '"' && depth === 0) isQuoted = !isQuoted;
    if (token === '(' && !isQuoted) depth += 1;
    if (token === ';' && depth === 0 && !isQuoted) results.push('');
    else results.push(results.pop() + (depth === 0 ? token : ' '));
    if (token === ')' && depth > 0) depth -= 1;
  }
  return depth === 0 && !isQuoted ? results : [];
}
