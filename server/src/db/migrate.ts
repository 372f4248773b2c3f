import { type Migration, Migrator } from 'kysely/migration';
import * as spine from './migrations/0001-spine.ts';
import * as readState from './migrations/0002-read-state.ts';
import * as groups from './migrations/0003-groups.ts';
import * as jobs from './migrations/0004-jobs.ts';
import * as logEpochs from './migrations/0005-log-epochs.ts';
import * as savedSnippets from './migrations/0006-saved-snippets.ts';
import * as queueStarts from './migrations/0007-queue-starts.ts';
import * as queuesOfUsers from './migrations/0008-queues-of-users.ts';
import * as systemBots from './migrations/0009-system-bots.ts';
import * as queueWrites from './migrations/0010-queue-writes.ts';
import * as userGroups from './migrations/0011-user-groups.ts';
import * as fullMembers from './migrations/0012-full-members.ts';
import * as messageEdits from './migrations/0013-message-edits.ts';
import * as userTopics from './migrations/0014-user-topics.ts';
import * as reactions from './migrations/0015-reactions.ts';
import * as erasing from './migrations/0016-erasing.ts';
import * as channelFolders from './migrations/0017-channel-folders.ts';
import * as scheduledMessages from './migrations/0019-scheduled-messages.ts';
import * as retention from './migrations/0020-retention.ts';
import * as draftsAndViews from './migrations/0024-drafts-and-views.ts';
import * as channelActivity from './migrations/0025-channel-activity.ts';
import * as userSettings from './migrations/0026-user-settings.ts';
import * as indexesOfAddresses from './migrations/0027-indexes-of-addresses.ts';
import * as invitations from './migrations/0028-invitations.ts';
import * as domains from './migrations/0029-domains.ts';
import * as attachments from './migrations/0032-attachments.ts';
import * as resumableUploads from './migrations/0033-resumable-uploads.ts';
import * as profileFields from './migrations/0036-profile-fields.ts';
import * as powersOfUsers from './migrations/0037-powers-of-users.ts';
import * as botsAndPictures from './migrations/0040-bots-and-pictures.ts';
import * as botStorage from './migrations/0041-bot-storage.ts';
import * as presences from './migrations/0043-presences.ts';
import * as linkifiers from './migrations/0044-linkifiers.ts';
import * as submessages from './migrations/0045-submessages.ts';
import * as pushDevices from './migrations/0046-push-devices.ts';
import * as pushNotifications from './migrations/0047-push-notifications.ts';
import * as sessions from './migrations/0048-sessions.ts';
import * as accountLinks from './migrations/0049-account-links.ts';
import * as invitationsByEmail from './migrations/0050-invitations-by-email.ts';
import * as confirmedAddresses from './migrations/0051-confirmed-addresses.ts';
import * as acquaintances from './migrations/0052-acquaintances.ts';
import * as outgoingWebhooks from './migrations/0053-outgoing-webhooks.ts';
import * as addressConfirmations from './migrations/0055-address-confirmations.ts';
import * as desktopLogins from './migrations/0056-desktop-logins.ts';
import * as uploadLocks from './migrations/0057-upload-locks.ts';
import * as subscriptionsCheckedTogether from './migrations/0061-subscriptions-checked-together.ts';
import * as toldServer from './migrations/0063-told-server.ts';
import * as alertWordsAndMutes from './migrations/0065-alert-words-and-mutes.ts';
import * as subscriptionsWrittenAhead from './migrations/0066-subscriptions-written-ahead.ts';
import * as messageWords from './migrations/0071-message-words.ts';
import * as onboardingSteps from './migrations/0072-onboarding-steps.ts';
import * as countedLogs from './migrations/0073-counted-logs.ts';
import * as groupMembersCheckedTogether from './migrations/0074-group-members-checked-together.ts';
import * as quickerSearchable from './migrations/0075-quicker-searchable.ts';
import type { Db } from './schema.ts';

/** Forward-only, in order of their names. A change must be safe beside a running process that does not know it yet. */
const migrations: Record<string, Migration> = {
  '0001-spine': spine,
  '0002-read-state': readState,
  '0003-groups': groups,
  '0004-jobs': jobs,
  '0005-log-epochs': logEpochs,
  '0006-saved-snippets': savedSnippets,
  '0007-queue-starts': queueStarts,
  '0008-queues-of-users': queuesOfUsers,
  '0009-system-bots': systemBots,
  '0010-queue-writes': queueWrites,
  '0011-user-groups': userGroups,
  '0012-full-members': fullMembers,
  '0013-message-edits': messageEdits,
  '0014-user-topics': userTopics,
  '0015-reactions': reactions,
  '0016-erasing': erasing,
  '0017-channel-folders': channelFolders,
  '0019-scheduled-messages': scheduledMessages,
  '0020-retention': retention,
  '0024-drafts-and-views': draftsAndViews,
  '0025-channel-activity': channelActivity,
  '0026-user-settings': userSettings,
  '0027-indexes-of-addresses': indexesOfAddresses,
  '0028-invitations': invitations,
  '0029-domains': domains,
  '0032-attachments': attachments,
  '0033-resumable-uploads': resumableUploads,
  '0036-profile-fields': profileFields,
  '0037-powers-of-users': powersOfUsers,
  '0040-bots-and-pictures': botsAndPictures,
  '0041-bot-storage': botStorage,
  '0043-presences': presences,
  '0044-linkifiers': linkifiers,
  '0045-submessages': submessages,
  '0046-push-devices': pushDevices,
  '0047-push-notifications': pushNotifications,
  '0048-sessions': sessions,
  '0049-account-links': accountLinks,
  '0050-invitations-by-email': invitationsByEmail,
  '0051-confirmed-addresses': confirmedAddresses,
  '0052-acquaintances': acquaintances,
  '0053-outgoing-webhooks': outgoingWebhooks,
  '0055-address-confirmations': addressConfirmations,
  '0056-desktop-logins': desktopLogins,
  '0057-upload-locks': uploadLocks,
  '0061-subscriptions-checked-together': subscriptionsCheckedTogether,
  '0063-told-server': toldServer,
  '0065-alert-words-and-mutes': alertWordsAndMutes,
  '0066-subscriptions-written-ahead': subscriptionsWrittenAhead,
  '0071-message-words': messageWords,
  '0072-onboarding-steps': onboardingSteps,
  '0073-counted-logs': countedLogs,
  '0074-group-members-checked-together': groupMembersCheckedTogether,
  '0075-quicker-searchable': quickerSearchable,
};

/**
 * Brings the database up to this version. Processes that start together take turns under Kysely's advisory lock; all that is
 * missing commits in one transaction. Returns the names of the migrations that it ran.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}
