/** Facts about the whole server, by name. */
import type { Db } from './schema.ts';

/**
 * The fact, which the first process records. It writes only then: a server can start while the database accepts no changes.
 * @param value recorded if there is none yet
 */
export async function firstFact(db: Db, key: string, value: string): Promise<string> {
  const known = await readFact(db, key);
  if (known !== undefined) return known;
  await db
    .insertInto('server_facts')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readFact(db, key)) ?? value;
}

export async function readFact(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('server_facts').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function forgetFact(db: Db, key: string): Promise<void> {
  await db.deleteFrom('server_facts').where('key', '=', key).execute();
}
