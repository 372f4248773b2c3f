import { type Kysely, sql } from 'kysely';

/** The public reference calls BigBlueButton 4; 3 is Zoom there. A server of the previous version offers no calls in these organizations meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE organizations SET settings = jsonb_set(settings, '{video_chat_provider}', '4')
     WHERE settings->'video_chat_provider' = '3'::jsonb`.execute(db);
}
