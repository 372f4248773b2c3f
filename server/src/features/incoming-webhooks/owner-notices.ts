/** Notifies the owner of a bot if a request causes no message. The other service shows errors where few people look. */
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { noticeContextOf, noticeDirectly, silentMention, withoutMarkup } from '../../domain/sending/sending/notices.ts';
import { isPassing } from '../../domain/texts/shared/due.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { RateLimiter } from '../../http/limits/limits.ts';
import type { Integration } from './integration.ts';

/** For each bot and reason, in this process. A service can report thousands of events. */
const NOTICES = { requests: 1, windowSeconds: 3600 };
/** For all bots of an owner. */
const NOTICES_OF_OWNER = { requests: 10, windowSeconds: 3600 };
/** Kinds of unknown requests of which the owner is notified, for each bot. A program with the URL can invent more. */
const MAX_KINDS_PER_BOT = 50;
const MAX_NAME_LENGTH = 100;
const MAX_REASON_LENGTH = 300;

/** A request that caused no message. */
interface Failure {
  readonly integration: Pick<Integration, 'name' | 'title'>;
  /** What the service gets as the response. */
  readonly error: unknown;
}

export class OwnerNotices {
  readonly #app: Pick<AppContext, 'address' | 'log'>;
  readonly #ofReason = new RateLimiter(NOTICES);
  readonly #ofOwner = new RateLimiter(NOTICES_OF_OWNER);

  constructor(app: Pick<AppContext, 'address' | 'log'>) {
    this.#app = app;
  }

  /**
   * The bot may not post the message. The owner is notified once per hour of each reason.
   * @param channel as the URL names it; undefined if the message was for the owner
   */
  async cannotPost(
    organization: Organization,
    bot: UserRecord,
    { integration, error, channel }: Failure & { readonly channel: string | undefined },
  ): Promise<void> {
    if (!(error instanceof ApiError) || isPassing(error)) return;
    const name = withoutMarkup(channel ?? '').slice(0, MAX_NAME_LENGTH);
    const place = name === '' ? '' : ` in the channel **${name}**`;
    const content = [
      `Your bot ${silentMention(bot)} could not post a message about an event of ${integration.title}${place}:`,
      quoted(error),
      'Check the URL that the service calls, and whether the bot may post there.',
    ];
    await this.#notify(organization, bot, error.code, content.join('\n\n'), async () => true);
  }

  /** The integration does not know the event, or the format of the payload. The owner is notified once of each kind. */
  async unknownPayload(organization: Organization, bot: UserRecord, { integration, error }: Failure): Promise<void> {
    if (!(error instanceof ApiError) || isPassing(error)) return;
    const page = `${this.#app.address.of(organization.directory.organization.subdomain)}/integrations/#${integration.name}`;
    const content = [
      `Your bot ${silentMention(bot)} received a request of ${integration.title} that causes no message:`,
      quoted(error),
      `The service got status 400. The [page of the integrations](${page}) lists the events that cause messages. You get no further notice of such requests.`,
    ];
    const kind = oneLine(error.message).replaceAll(/\d+/g, '0').slice(0, MAX_REASON_LENGTH);
    const reason = `${integration.name} ${kind}`;
    await this.#notify(organization, bot, reason, content.join('\n\n'), (change) =>
      isFirst(change, bot.id, integration.name, kind),
    );
  }

  /**
   * Sends the owner a direct message of the notification bot. If that fails, only the log says so: the other service gets the first error.
   * @param isDue decides in the transaction of the message
   */
  async #notify(
    organization: Organization,
    bot: UserRecord,
    reason: string,
    content: string,
    isDue: (change: OptimisticChange) => Promise<boolean>,
  ): Promise<void> {
    const owner = bot.botOwnerId === null ? undefined : organization.directory.user(bot.botOwnerId);
    if (owner?.isActive !== true || !this.#isAllowed(organization.id, bot.id, owner.id, reason)) return;
    try {
      const isSent = await organization.transact('server', 'optimistic', async (change) => {
        if (!(await isDue(change))) return false;
        const { directory } = change;
        const noticeContext = noticeContextOf(directory, bot, this.#app.address.of(directory.organization.subdomain));
        await noticeDirectly(change, [{ user: owner, content }], noticeContext);
        return true;
      });
      if (!isSent) this.#ofOwner.giveBack(ownerKey(organization.id, owner.id));
    } catch (failure) {
      this.#app.log.warn({ err: failure }, 'the owner of a bot could not be notified');
    }
  }

  #isAllowed(organizationId: number, botId: number, ownerId: number, reason: string): boolean {
    return (
      this.#ofReason.take(`${organizationId} ${botId} ${reason}`).isAllowed &&
      this.#ofOwner.take(ownerKey(organizationId, ownerId)).isAllowed
    );
  }
}

function ownerKey(organizationId: number, ownerId: number): string {
  return `${organizationId} ${ownerId}`;
}

/** Remembers the kind for ever, so that neither a restart nor another process repeats the notice. Index: the primary key. */
async function isFirst(
  { db, directory }: OptimisticChange,
  botId: number,
  integration: string,
  kind: string,
): Promise<boolean> {
  const organizationId = directory.organization.id;
  // Concurrent requests of the bot are all counted.
  await lockUsers(db, organizationId, [botId]);
  const { numAffectedRows } = await sql`
    INSERT INTO webhook_notices (organization_id, bot_id, integration, kind)
    SELECT ${organizationId}, ${botId}, ${integration}, ${kind}
     WHERE (SELECT count(*) FROM webhook_notices WHERE organization_id = ${organizationId} AND bot_id = ${botId}) < ${MAX_KINDS_PER_BOT}
        ON CONFLICT DO NOTHING`.execute(db);
  return numAffectedRows === 1n;
}

function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, ' ');
}

function quoted({ message }: ApiError): string {
  return `> ${withoutMarkup(oneLine(message)).slice(0, MAX_REASON_LENGTH)}`;
}
