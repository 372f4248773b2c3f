import type { gifPicker } from '@heddle/api/objects/gif.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Rating, ServiceName } from './service.ts';

interface GifPickersTable {
  organization_id: number;
  service: ServiceName;
  rating: Rating;
  /** Of the organization, at the service. Encrypted. */
  sealed_key: Buffer;
}

declare module '../../db/schema.ts' {
  interface Database {
    gif_pickers: GifPickersTable;
  }
}

/** The service of an organization with its key; undefined if it has none. */
export async function gifPickerOf(
  db: Db | DbTransaction,
  organizationId: number,
): Promise<Omit<GifPickersTable, 'organization_id'> | undefined> {
  return db
    .selectFrom('gif_pickers')
    .select(['service', 'rating', 'sealed_key'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** What clients know of it. */
export function selectGifPicker(organizationId: RawBuilder<number>): RawBuilder<Static<typeof gifPicker>> {
  return sql`
    SELECT json_build_object('service', service, 'rating', rating)
      FROM gif_pickers WHERE organization_id = ${organizationId}`;
}
