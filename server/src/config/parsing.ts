/** Values that settings of several kinds have. */
import { isIP } from 'node:net';

export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

export function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

export function parseBaseUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  const isBare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isBare ? url.origin : undefined;
}

/** An address, or a network like `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || wholeNumber(0, version === 4 ? 32 : 128)(bits) !== undefined;
}

/** Accepts the names of the values and nothing else. */
export function oneOf<Value>(values: Readonly<Record<string, Value>>): (text: string) => Value | undefined {
  return (text) => (Object.hasOwn(values, text) ? values[text] : undefined);
}
