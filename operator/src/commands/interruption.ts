import { CommandError, type Terminal } from './command.ts';

/** What a long command says if it is interrupted, or if it loses the database. */
interface Endings {
  readonly interrupted: string;
  readonly unavailable: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'];

/** Runs a long command with a signal that SIGINT and SIGTERM abort. A second signal ends the process. */
export async function interruptible<Result>(
  { host }: Pick<Terminal, 'host'>,
  { interrupted, unavailable }: Endings,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new CommandError(interrupted));
  for (const signal of SIGNALS) host.once(signal, interrupt);
  try {
    return await act(stop.signal);
  } catch (error) {
    const { isUnavailable } = await import('@heddle/server/db/failures.ts');
    if (!isUnavailable(error)) throw error;
    throw new CommandError(unavailable, { cause: error });
  } finally {
    for (const signal of SIGNALS) host.off(signal, interrupt);
  }
}
