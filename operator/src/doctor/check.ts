import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';

/** What `heddle doctor` finds: one finding per check, in words for the operator. */

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}

export type Found = Omit<Finding, 'check'>;

export interface DoctorCheck {
  readonly name: string;
  /** A check of several processes finds something for each fault. */
  run(): Promise<Found | readonly Found[]>;
  /** What to do if the check takes too long. */
  lateAdvice?(): Promise<string>;
}

/** Each check gets this time, in milliseconds. A silent mail server needs longest. */
const CHECK_TIMEOUT_MS = timeoutOf(30_000);

export function ok(message: string): Found {
  return { status: 'ok', message };
}

export function skipped(message: string): Found {
  return { status: 'skipped', message };
}

export function warning(message: string, advice: string): Found {
  return { status: 'warning', message, advice };
}

export function failed(message: string, advice: string): Found {
  return { status: 'failed', message, advice };
}

/** Runs the checks one after the other. A check that throws or takes too long has failed, and the others still run. */
export async function runChecks(
  checks: readonly DoctorCheck[],
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run, lateAdvice = async () => 'Check the network and the service.' } of checks) {
    const late = Promise.withResolvers<Found>();
    const timer = setTimeout(() => {
      const found = (advice: string) => failed(`no response for ${timeoutMs / 1000} s`, advice);
      late.resolve(lateAdvice().then(found, unexpected));
    }, timeoutMs);
    const found = await Promise.race([run().catch(unexpected), late.promise]);
    clearTimeout(timer);
    for (const each of [found].flat()) findings.push({ check: name, ...each });
  }
  return findings;
}

function unexpected(error: unknown): Found {
  return failed(reasonOf(error), 'See the message. HEDDLE_LOG_LEVEL=debug logs more.');
}

/** A connection attempt to several addresses has a cause for each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const message = inWords(error.message || error.name);
  const cause = error.cause instanceof Error ? reasonOf(error.cause) : '';
  return cause === '' || message.includes(cause) ? message : `${message}: ${cause}`;
}

/** What the codes of the network mean. */
function inWords(message: string): string {
  return message
    .replace(/getaddrinfo ENOTFOUND (\S+)/, 'no name server knows $1')
    .replace(/getaddrinfo EAI_AGAIN (\S+)/, 'the name server does not respond (asked for $1)')
    .replace(/connect ECONNREFUSED (\S+)/, 'nothing listens at $1')
    .replace(/connect (?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) (\S+)/, '$1 cannot be reached');
}

/** The first advice whose pattern matches the reason. */
export function adviceOn(reason: string, advice: readonly (readonly [RegExp, string])[], otherwise: string): string {
  return advice.find(([pattern]) => pattern.test(reason))?.[1] ?? otherwise;
}
