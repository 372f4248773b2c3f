/** Reads the log for messages with links. Sends do nothing for that. */
import { sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { messageUpdateBody } from '../../domain/editing/editing/body.ts';
import { messageBody } from '../../domain/messages/messages/message-body.ts';
import { LINK_PREVIEWS } from '../../domain/organizations/organizations/link-previews.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { addJobs } from '../../jobs/adding.ts';
import type { LogConsumer } from '../../jobs/consumers.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { previewableLinks } from '../../markup/index.ts';
import { previewLinks } from './jobs.ts';

/** Messages of an organization that wait for previews. Further ones get none. */
const MAX_WAITING_PAGES = 1000;
/** Those of one user, whose websites may be slow and delay the previews of others. */
const MAX_WAITING_PAGES_PER_USER = 30;

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
          const linking = events.filter(hasLinks);
          if (linking.length === 0) return { handled: events.length };
          const waiting = await waitingByUser(db, organizationId);
          let room = MAX_WAITING_PAGES - waiting.values().reduce((sum, count) => sum + count, 0);
          const payloads = linking.flatMap((event) => {
            const [userId, messageId] = [authorOf(event), event.messageId];
            const ofUser = waiting.get(userId) ?? 0;
            if (messageId === undefined || room <= 0 || ofUser >= MAX_WAITING_PAGES_PER_USER) return [];
            room -= 1;
            waiting.set(userId, ofUser + 1);
            return [{ messageId, userId }];
          });
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

/** Who wrote the text of a new or edited message; 0 for the server. */
function authorOf(event: LoggedEvent): number {
  return event.type === 'message' ? messageBody(event).sender.id : (messageUpdateBody(event).userId ?? 0);
}

/** How many messages wait, by the user who wrote them. Index: `jobs_due`. */
async function waitingByUser(db: DbTransaction, organizationId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ userId: number; count: number }>`
    SELECT coalesce((payload->>'userId')::integer, 0) AS "userId", count(*)::integer AS count FROM jobs
     WHERE organization_id = ${organizationId} AND kind = ${previewLinks.name} AND failed_at IS NULL
     GROUP BY 1`.execute(db);
  return new Map(rows.map(({ userId, count }) => [userId, count]));
}
