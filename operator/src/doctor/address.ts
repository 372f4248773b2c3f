/** Whether clients reach the server at HEDDLE_URL: its name, and what responds there. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { Config } from '@heddle/server/config.ts';
import { type DoctorCheck, failed, ok, reasonOf, skipped, warning } from './check.ts';

const REACH_TIMEOUT_MS = timeoutOf(10_000);

/** What listens on the port of the server, without a proxy. A server that cannot start often finds its port in use. */
export function portCheck({ host, port }: Config): DoctorCheck {
  return { name: 'port', run: () => checkPort(hostOf(host), port) };
}

/** What listens for mail. It runs only if there is a gateway. */
export function gatewayChecks({ mailGateway }: Config): readonly DoctorCheck[] {
  if (mailGateway === null) return [];
  return [{ name: 'gateway', run: () => checkGateway(mailGateway) }];
}

/** An address to which programs of this machine can connect. */
function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}

async function checkPort(host: string, port: number) {
  if (port === 0) return skipped('the server picks a free port');
  const place = `${host}:${port}`;
  const text = await fetch(`http://${place}/health/live`, { signal: AbortSignal.timeout(REACH_TIMEOUT_MS) }).then(
    (response) => response.text(),
    reasonOf,
  );
  if (text.includes('"status":"live"')) return ok(`a server of Heddle listens on ${place}`);
  if (text.includes('nothing listens')) {
    return warning(
      `no server runs: nothing listens on ${place}`,
      'Start the server. If it ended, its last log lines say why.',
    );
  }
  if (/timeout/i.test(text))
    return failed(`${place} does not respond`, 'The server hangs. Its log says why; then restart it.');
  return usedByOther(place, port, 'HEDDLE_PORT');
}

async function checkGateway({ host, port }: { readonly host: string; readonly port: number }) {
  if (port === 0) return skipped('the gateway for mail picks a free port');
  const place = `${hostOf(host)}:${port}`;
  const socket = connect({ host: hostOf(host).replace(/^\[|\]$/g, ''), port });
  socket.setTimeout(REACH_TIMEOUT_MS, () => socket.destroy(new Error('timeout')));
  socket.once('end', () => socket.destroy(new Error('closed')));
  try {
    const [greeting] = await once(socket, 'data');
    return String(greeting).endsWith(' Heddle\r\n')
      ? ok(`the gateway for mail listens on ${place}`)
      : usedByOther(place, port, 'HEDDLE_MAIL_GATEWAY');
  } catch (error) {
    const reason = reasonOf(error);
    if (reason.includes('nothing listens')) {
      return warning(
        `no gateway for mail runs: nothing listens on ${place}`,
        'Start the server with HEDDLE_MAIL_GATEWAY.',
      );
    }
    if (reason === 'timeout') {
      const advice = `The server hangs, or another program uses the port (ss -ltnp 'sport = :${port}' names it).`;
      return failed(`${place} does not respond`, advice);
    }
    return usedByOther(place, port, 'HEDDLE_MAIL_GATEWAY');
  } finally {
    socket.destroy();
  }
}

function usedByOther(place: string, port: number, setting: string) {
  return failed(
    `another program uses ${place}`,
    `Stop that program (ss -ltnp 'sport = :${port}' names it), or set ${setting}.`,
  );
}

export function addressChecks({ url, bus }: Config): readonly DoctorCheck[] {
  if (url === null) {
    const run = async () =>
      warning(
        'HEDDLE_URL is not set: links in mails work on this machine only',
        'Set it to the address that people open.',
      );
    return [{ name: 'address', run }];
  }
  return [
    { name: 'dns', run: () => checkName(new URL(url).hostname.replace(/^\[|\]$/g, '')) },
    { name: 'address', run: () => checkReach(url, bus) },
  ];
}

async function checkName(host: string) {
  if (isIP(host) !== 0) return skipped(`${host} is an address and needs no name server`);
  try {
    const found = await lookup(host, { all: true });
    return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failed(
      reasonOf(error),
      `Add an A or AAAA record for ${host}, and one for *.${host} if there are several organizations.`,
    );
  }
}

/** Through the proxy, as clients do. */
async function checkReach(url: string, bus: Config['bus']) {
  let response: Response;
  try {
    response = await fetch(`${url}/health/ready`, {
      signal: AbortSignal.timeout(REACH_TIMEOUT_MS),
      redirect: 'manual',
    });
  } catch (error) {
    return warning(
      `${url} does not respond: ${reasonOf(error)}`,
      'If the server runs, check the proxy, its certificate and the firewall.',
    );
  }
  const text = await response.text();
  if (response.status === 200 && text.includes('"ready"')) return ok(`${url} is ready`);
  if (response.status === 503 && text.includes('"checks"')) {
    return failed(
      `${url} says that it is not ready: ${text.slice(0, 500)}`,
      'The response names the check that fails.',
    );
  }
  const processes = bus !== 'local' ? ' Check also that it sends requests to every process.' : '';
  return failed(
    `something else than Heddle responds at ${url} (status ${response.status})`,
    `Let the proxy pass /health/ready to Heddle.${processes}`,
  );
}
