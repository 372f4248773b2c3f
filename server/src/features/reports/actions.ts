import { badRequest } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import { messageQueries } from '../../domain/reading/history/queries.ts';
import { noticeContextOf, noticeInChannels } from '../../domain/sending/sending/notices.ts';
import { checkedTopic } from '../../domain/texts/shared/topic-names.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { turn } from '../../http/limits/turns.ts';
import { type Report, reportText, reportTopic } from './text.ts';

export interface ReportRequest {
  readonly messageId: number;
  readonly type: 'spam' | 'harassment' | 'inappropriate' | 'norms' | 'other';
  readonly description: string;
}

/**
 * The notification bot reports a message to the organization's moderators, in their channel (interface document, "POST
 * /messages/{message_id}/report"). Every user who may read a message may report it. Only the moderators learn of it.
 * @throws ApiError `BAD_REQUEST`: no description where one is required, the organization has no such channel, or no such message for this
 *   user
 */
export async function reportMessage(
  app: Pick<AppContext, 'db' | 'address'>,
  organization: Organization,
  caller: UserRecord,
  { messageId, type, description }: ReportRequest,
): Promise<void> {
  if (type === 'other' && description.trim() === '') throw badRequest('An explanation is required.');
  moderationChannel(organization.directory);
  const { content: message } = await organization.read(caller, (reading) =>
    messageQueries(app).one(reading, messageId),
  );
  const report: Report = { reporter: caller, messageId, message, type, description };
  const content = reportText(report);
  const noticeContext = noticeContextOf(
    organization.directory,
    caller,
    app.address.of(organization.directory.organization.subdomain),
  );
  // The report is rendered before the transaction.
  await turn();
  noticeContext.render(content);
  await organization.transact(caller, 'optimistic', async (change, actor) => {
    const { directory } = change;
    const channel = moderationChannel(directory);
    const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : checkedTopic(reportTopic(report));
    const isSubscribed = (userId: number) => directory.subscriptions.has(channel.id, userId);
    noticeInChannels(change, [{ channel, topic, content }], { ...noticeContext, actor, isSubscribed });
  });
}

/**
 * @throws ApiError `BAD_REQUEST`
 */
function moderationChannel(directory: Directory): ChannelRecord {
  const channel = directory.channel(organizationSetting(directory, 'moderation_request_channel_id'));
  if (channel === undefined || channel.isArchived || directory.systemBot('notification') === undefined) {
    throw badRequest('Message reporting is not enabled in this organization.');
  }
  return channel;
}
