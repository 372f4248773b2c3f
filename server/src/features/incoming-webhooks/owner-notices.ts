/** Notifies the owner of a bot why the message about an event could not be posted. The other service shows errors where few people look. */
import { ApiError, type ErrorCode } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { noticeContextOf, noticeDirectly, silentMention, withoutMarkup } from '../../domain/sending/sending/notices.ts';
import { isPassing } from '../../domain/texts/shared/due.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { RateLimiter } from '../../http/limits/limits.ts';

/** For each bot and reason, in this process. A service can report thousands of events. */
const NOTICES = { requests: 1, windowSeconds: 3600 };
/** For all bots of an owner. */
const NOTICES_OF_OWNER = { requests: 10, windowSeconds: 3600 };
const MAX_NAME_LENGTH = 100;

export class OwnerNotices {
  readonly #app: Pick<AppContext, 'address' | 'log'>;
  readonly #ofReason = new RateLimiter(NOTICES);
  readonly #ofOwner = new RateLimiter(NOTICES_OF_OWNER);

  constructor(app: Pick<AppContext, 'address' | 'log'>) {
    this.#app = app;
  }

  /**
   * Sends the owner a direct message of the notification bot. If that fails, only the log says so: the other service gets the first error.
   * @param service the name of the service
   * @param channel as the URL names it; undefined if the message was for the owner
   */
  async notify(
    organization: Organization,
    bot: UserRecord,
    {
      service,
      channel,
      error,
    }: { readonly service: string; readonly channel: string | undefined; readonly error: unknown },
  ): Promise<void> {
    if (!(error instanceof ApiError) || isPassing(error)) return;
    const owner = bot.botOwnerId === null ? undefined : organization.directory.user(bot.botOwnerId);
    if (owner?.isActive !== true || !this.#isAllowed(organization.id, bot.id, owner.id, error.code)) return;
    const content = textOf(bot, service, channel, error);
    try {
      await organization.transact('server', 'optimistic', async (change) => {
        const { directory } = change;
        const noticeContext = noticeContextOf(directory, bot, this.#app.address.of(directory.organization.subdomain));
        await noticeDirectly(change, [{ user: owner, content }], noticeContext);
      });
    } catch (failure) {
      this.#app.log.warn({ err: failure }, 'the owner of a bot could not be notified');
    }
  }

  #isAllowed(organizationId: number, botId: number, ownerId: number, code: ErrorCode): boolean {
    return (
      this.#ofReason.take(`${organizationId} ${botId} ${code}`).isAllowed &&
      this.#ofOwner.take(`${organizationId} ${ownerId}`).isAllowed
    );
  }
}

function textOf(bot: UserRecord, service: string, channel: string | undefined, { message }: ApiError): string {
  const name = withoutMarkup(channel ?? '').slice(0, MAX_NAME_LENGTH);
  const place = name === '' ? '' : ` in the channel **${name}**`;
  return [
    `Your bot ${silentMention(bot)} could not post a message about an event of ${service}${place}:`,
    `> ${withoutMarkup(message.replaceAll(/\s+/g, ' ')).slice(0, 300)}`,
    'Check the URL that the service calls, and whether the bot may post there.',
  ].join('\n\n');
}
