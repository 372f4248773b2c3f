import type { OpenRooms } from '../app.ts';
import type { UserRecord } from '../directory/records.ts';
import { apiKeyFor } from '../features/authentication/api-keys.ts';
import type { Rooms } from '../features/rooms.ts';
import type { CommandContext } from './command.ts';

/**
 * Does a command's work with the rooms that the server's own requests use: what it changes is committed with its events,
 * and a running server is told. Resolves when all of that is done and everything is closed again. Commands load what they work with
 * when they work: to explain themselves they need none of it.
 */
export async function withRooms<Result>(
  { config, log }: Pick<CommandContext, 'config' | 'log'>,
  act: (rooms: OpenRooms) => Promise<Result>,
): Promise<Result> {
  const [{ openRooms }, { openDatabase }] = await Promise.all([import('../app.ts'), import('./database.ts')]);
  const database = await openDatabase(config, log, 'command');
  try {
    const rooms = await openRooms({ config, log, connection: database.connection, purpose: 'command' });
    try {
      return await act(rooms);
    } finally {
      await rooms.close();
    }
  } finally {
    await database.stop();
  }
}

/** The API key of a user, who may just have been created. */
export function apiKeyOf({ secret }: Pick<Rooms, 'secret'>, organizationId: number, user: UserRecord): string {
  return apiKeyFor(secret, organizationId, user.id, user.apiKeyVersion);
}
