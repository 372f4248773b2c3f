/** Reads the log for messages with links. Sends do nothing for that. */
import { sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { messageUpdateBody } from '../../domain/editing/body.ts';
import { messageBody } from '../../domain/messages/message-body.ts';
import { LINK_PREVIEWS } from '../../domain/organizations/link-previews.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { addJobs } from '../../jobs/adding.ts';
import type { LogConsumer } from '../../jobs/consumers.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { previewableLinks } from '../../markup/index.ts';
import { previewLinks } from './jobs.ts';

/** Messages of an organization that wait for previews. Further ones get none. */
const MAX_WAITING = 1000;

const areShown = (directory: Directory) => organizationSetting(directory, 'inline_url_embed_preview');

/** Reads only the logs of organizations that ever enabled previews. */
export function linkConsumer({ jobs }: Pick<AppContext, 'jobs'>): LogConsumer {
  return {
    name: LINK_PREVIEWS,
    isUrgent: (event, directory) => areShown(directory) && hasLinks(event),
    async reader({ id: organizationId, directory }) {
      return {
        types: areShown(directory) ? ['message', 'update_message'] : [],
        async read(db, events) {
          const ids = events.flatMap((event) => (hasLinks(event) && event.messageId ? [event.messageId] : []));
          if (ids.length === 0) return { handled: events.length };
          const room = MAX_WAITING - (await waiting(db, organizationId));
          const payloads = ids.slice(0, Math.max(0, room)).map((messageId) => ({ messageId }));
          await addJobs(db, previewLinks, { organizationId, payloads });
          return { handled: events.length, afterCommit: () => jobs.wake() };
        },
      };
    },
  };
}

function hasLinks(event: LoggedEvent): boolean {
  const html = newHtmlOf(event);
  return html !== undefined && previewableLinks(html).length > 0;
}

/** The HTML of a new or edited message. The text of a deleted message is gone. */
function newHtmlOf(event: LoggedEvent): string | undefined {
  if (event.body === null) return undefined;
  if (event.type === 'message') return messageBody(event).renderedContent;
  if (event.type !== 'update_message') return undefined;
  const { content, isRenderingOnly } = messageUpdateBody(event);
  return isRenderingOnly ? undefined : content?.after.html;
}

async function waiting(db: DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM jobs
     WHERE organization_id = ${organizationId} AND kind = ${previewLinks.name} AND failed_at IS NULL`.execute(db);
  return rows[0]?.count ?? 0;
}
