/** Clients that are too old for this server, by what they call themselves (public reference: "Client compatibility"). */

/** The product and its version; a name that holds a number goes up to the slash. */
const PRODUCT = /^([^/ ]*[^0-9/(]*)(?:\/([^/ ]*))?/;

/** The first releases that will do. Older ones of the Android app show broken notifications, older desktop apps have known holes. */
const FIRST_ON_ANDROID = '16.2.96';
const FIRST_ON_DESKTOPS = '5.4.3';

/** Whether the program does not work with this server any more. */
export function isTooOld(userAgent: string | undefined): boolean {
  const [, name = '', version = ''] = PRODUCT.exec(userAgent ?? '') ?? [];
  switch (name.trim()) {
    // What clients that pretend to be too old call themselves, to be tested; and a desktop app that was given up in 2016.
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

/** The desktop app, which shows our pages itself and opens a browser for what other sites do. */
export function isDesktopApp(userAgent: string | undefined): boolean {
  return PRODUCT.exec(userAgent ?? '')?.[1]?.trim() === 'ZulipElectron';
}

/** Of versions that begin with numbers, the first that differ decide; what cannot be compared is not before anything. */
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
