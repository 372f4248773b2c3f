/** An attacker who tries passwords at all processes at a time. */
import { call } from './calls.ts';
import { type Clients, type Person, pause } from './scene.ts';

const PAUSE_MS = 1_500;

/** Together they stay below the limit of an address, so that the limit of an account decides. */
const MAX_VICTIMS = 4;

/** Rounds for one victim. Each round has one attempt at each process. */
const ROUNDS_PER_VICTIM = 12;

/** Guesses until the signal, or until there are no victims left. */
export async function guess(clients: Clients, victims: readonly Person[]): Promise<void> {
  const { recorder, places } = clients;
  for (const { email } of victims.slice(0, MAX_VICTIMS))
    for (let round = 0; round < ROUNDS_PER_VICTIM && !clients.sending.aborted; round += 1) {
      const fields = { username: email, password: `guess ${round}` };
      const attempts = places.map((place) =>
        call(recorder, place, undefined, { method: 'POST', path: '/fetch_api_key', fields }),
      );
      for (const { request } of await Promise.all(attempts))
        recorder.add({ kind: 'login', client: 'guesser', ...request, account: email });
      await pause(clients, PAUSE_MS);
    }
}
