/** The name of the client program, which the `client` field of a message reports. */

const maximumLength = 30;
const unknownClient = 'Unspecified';

/** The product's name: up to its version, a comment or the next number. The first word may contain digits. */
const productName = /^[^/ ]*[^0-9/(]*/;

/**
 * @param parameter the deprecated `client` parameter, which takes precedence
 * @param userAgent the `User-Agent` header: `ZulipMobile/27.1 (Android 14)` is `ZulipMobile`
 */
export function clientName(parameter: string | readonly string[] | undefined, userAgent: string | undefined): string {
  const given = typeof parameter === 'string' ? parameter : parameter?.at(-1);
  const name = given?.replaceAll('\0', '').trim() || (productName.exec(userAgent ?? '')?.[0] ?? '').trim();
  return name === '' ? unknownClient : truncated(name);
}

function truncated(name: string): string {
  if (name.length <= maximumLength) return name;
  return Array.from(name).slice(0, maximumLength).join('');
}
