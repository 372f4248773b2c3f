import Type, { type TProperties } from 'typebox';
import { alertWordsState } from './alert-words.ts';
import { botsState } from './bots.ts';
import { channelFoldersState } from './channel-folders.ts';
import { channelsState, subscriptionsState } from './channels.ts';
import { customEmojiState } from './custom-emoji.ts';
import { domainsState } from './domains.ts';
import { draftsState } from './drafts.ts';
import { gifPickerState } from './gif-picker.ts';
import { linkifiersState } from './linkifiers.ts';
import { messagesState, typingState } from './messages.ts';
import { mobilePushState } from './mobile-push.ts';
import { mutedUsersState } from './muted-users.ts';
import { navigationViewsState } from './navigation-views.ts';
import { onboardingStepsState } from './onboarding-steps.ts';
import { pinnedMessagesState } from './pinned-messages.ts';
import { playgroundsState } from './playgrounds.ts';
import { presenceState } from './presence.ts';
import { profileFieldsState } from './profile-fields.ts';
import { quietHoursState } from './quiet-hours.ts';
import { realmState, versionState } from './realm.ts';
import { savedSnippetsState } from './saved-snippets.ts';
import { scheduledMessagesState } from './scheduled-messages.ts';
import { topicsState } from './topics.ts';
import { unsupportedState } from './unsupported.ts';
import { userGroupsState } from './user-groups.ts';
import { userSettingsState } from './user-settings.ts';
import { userStatusState } from './user-status.ts';
import { usersState } from './users.ts';
import { webPushState } from './web-push.ts';

/** All fields of the initial state. Each feature defines its fields in a separate file. */
export const initialState = {
  event_queue_longpoll_timeout_seconds: Type.Integer({ description: 'Clients stop a poll after this time' }),
  ...versionState,
  ...realmState,
  ...usersState,
  ...botsState,
  ...userGroupsState,
  ...channelsState,
  ...pinnedMessagesState,
  ...channelFoldersState,
  ...subscriptionsState,
  ...messagesState,
  ...typingState,
  ...topicsState,
  ...userSettingsState,
  ...savedSnippetsState,
  ...alertWordsState,
  ...mutedUsersState,
  ...draftsState,
  ...navigationViewsState,
  ...onboardingStepsState,
  ...mobilePushState,
  ...customEmojiState,
  ...profileFieldsState,
  ...domainsState,
  ...scheduledMessagesState,
  ...presenceState,
  ...linkifiersState,
  ...playgroundsState,
  ...gifPickerState,
  ...userStatusState,
  ...webPushState,
  ...quietHoursState,
  ...unsupportedState,
} satisfies TProperties;
