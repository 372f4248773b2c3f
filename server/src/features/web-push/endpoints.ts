import { isIP } from 'node:net';
import { isWebPort, Networks } from '../../outbound/networks.ts';

const PUBLIC = new Networks([]);

/**
 * The address of a push service that a browser names; undefined if the server must not call it. Each request checks the addresses of a name
 * (`outbound/`). Without encryption, only a numeric address in the operator's own networks is possible.
 */
export function endpointUrl(text: string, own: Networks): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isNumeric = isIP(host) !== 0;
  if (isNumeric && !own.allows(host)) return undefined;
  const isOwn = isNumeric && !PUBLIC.allows(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn)) return undefined;
  if (url.port !== '' && !isWebPort(Number(url.port))) return undefined;
  url.hash = '';
  return url;
}
