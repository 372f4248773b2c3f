/** What the `User-Agent` says: the name of the client program, and whether it is too old (public reference: "Client compatibility"). */

/** The product, up to its version, a comment or the next number, and its version. The first word may contain digits. */
const PRODUCT = /^([^/ ]*[^0-9/(]*)(?:\/([^/ ]*))?/;

/**
 * The first supported releases. Older releases of the Android app show broken notifications. Older desktop apps have known vulnerabilities.
 */
const FIRST_ON_ANDROID = '16.2.96';
const FIRST_ON_DESKTOPS = '5.4.3';

/** Whether the program no longer works with this server. */
export function isTooOld(userAgent: string | undefined): boolean {
  const [, name = '', version = ''] = PRODUCT.exec(userAgent ?? '') ?? [];
  switch (name.trim()) {
    // Names for tests of outdated clients, and a desktop app that was discontinued in 2016.
    case 'ZulipInvalid':
    case 'ZulipDesktop':
      return true;
    case 'ZulipMobile':
      return /\bAndroid\b/i.test(userAgent ?? '') && isBefore(version, FIRST_ON_ANDROID);
    case 'ZulipElectron':
      return isBefore(version, FIRST_ON_DESKTOPS);
    default:
      return false;
  }
}

/** The desktop app. It shows our pages itself and opens other sites in a browser. */
export function isDesktopApp(userAgent: string | undefined): boolean {
  return PRODUCT.exec(userAgent ?? '')?.[1]?.trim() === 'ZulipElectron';
}

/** The first different numbers of the versions decide. Versions that cannot be compared are not before anything. */
function isBefore(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version), numbersOf(other)];
  if (one.length === 0) return false;
  for (const [index, number] of two.entries()) {
    const own = one[index];
    if (own === undefined) return version === one.join('.');
    if (own !== number) return own < number;
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  const [numbers] = /^\d+(?:\.\d+)*/.exec(version.slice(0, 100)) ?? [];
  return numbers === undefined ? [] : numbers.split('.').map(Number);
}

const MAX_CLIENT_NAME_LENGTH = 30;

/**
 * The name of the client program, for the field `client` of messages.
 * @param parameter the deprecated parameter `client`; it takes precedence
 * @param userAgent the `User-Agent` header: `ZulipMobile/27.1 (Android 14)` is `ZulipMobile`
 */
export function clientName(parameter: string | readonly string[] | undefined, userAgent: string | undefined): string {
  const given = typeof parameter === 'string' ? parameter : parameter?.at(-1);
  const name = given?.replaceAll('\0', '').trim() || (PRODUCT.exec(userAgent ?? '')?.[1] ?? '').trim() || 'Unspecified';
  return name.length <= MAX_CLIENT_NAME_LENGTH ? name : Array.from(name).slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}
