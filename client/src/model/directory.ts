import type { EventOfType, InitialState, ServerEvent } from '../calls/types.ts';
import { ChannelFolders } from './channels/channel-folders.ts';
import { ChannelOrder } from './channels/channel-order.ts';
import { Channels } from './channels/channels.ts';
import { CustomEmoji } from './emoji.ts';
import { FetchedLists } from './fetched-lists.ts';
import { Organization } from './organization.ts';
import { Account } from './own/account.ts';
import { AlertWords } from './own/alert-words.ts';
import { Bots } from './own/bots.ts';
import { Drafts } from './own/drafts.ts';
import { MutedUsers } from './own/muted-users.ts';
import { NavigationViews } from './own/navigation-views.ts';
import { Reminders } from './own/reminders.ts';
import { SavedSnippets } from './own/saved-snippets.ts';
import { ScheduledMessages } from './own/scheduled-messages.ts';
import { TopicPolicies } from './own/topic-policies.ts';
import { Groups } from './people/groups.ts';
import { Presence } from './people/presence.ts';
import { ProfileFields } from './people/profile-fields.ts';
import { Statuses } from './people/statuses.ts';
import { Users } from './people/users.ts';
import { Permissions } from './permissions/permissions.ts';

/**
 * Everything of the model except messages and what follows from them.
 *
 * Invariant: after all events of a queue, each part equals that of a new registration. The comments of the parts name
 * the exceptions.
 */
export class Directory {
  readonly account: Account;
  readonly organization: Organization;
  readonly users: Users;
  readonly bots: Bots;
  readonly profileFields: ProfileFields;
  readonly mutedUsers: MutedUsers;
  readonly groups: Groups;
  readonly emoji: CustomEmoji;
  readonly channels: Channels;
  readonly channelFolders: ChannelFolders;
  readonly channelOrder: ChannelOrder;
  readonly topicPolicies: TopicPolicies;
  readonly presence: Presence;
  readonly statuses: Statuses;
  readonly drafts: Drafts;
  readonly scheduledMessages: ScheduledMessages;
  readonly reminders: Reminders;
  readonly savedSnippets: SavedSnippets;
  readonly alertWords: AlertWords;
  readonly navigationViews: NavigationViews;
  readonly fetchedLists = new FetchedLists();
  readonly permissions: Permissions;

  constructor(state: InitialState) {
    this.account = new Account(state);
    this.organization = new Organization(state);
    this.users = new Users(state);
    this.bots = new Bots(state, this.account);
    this.profileFields = new ProfileFields(state, this.users);
    this.mutedUsers = new MutedUsers(state);
    this.groups = new Groups(state);
    this.emoji = new CustomEmoji(state);
    this.channels = new Channels(state, this.account);
    this.channelFolders = new ChannelFolders(state);
    this.channelOrder = new ChannelOrder(this.channels, this.channelFolders, this.account);
    this.topicPolicies = new TopicPolicies(state);
    this.presence = new Presence(state, this.users, this.organization);
    this.statuses = new Statuses(state, this.users);
    this.drafts = new Drafts(state);
    this.scheduledMessages = new ScheduledMessages(state);
    this.reminders = new Reminders(state);
    this.savedSnippets = new SavedSnippets(state);
    this.alertWords = new AlertWords(state);
    this.navigationViews = new NavigationViews(state);
    this.permissions = new Permissions(this);
  }

  /**
   * Applies an event. Returns false if its type concerns no part of the directory.
   *
   * Five types of events are ignored on purpose. `device` and `push_device` are about phones, which read their own
   * registrations. `muted_topics`, `update_display_settings` and `update_global_notifications` are for older clients and
   * repeat `user_topic` and `user_settings`.
   */
  apply(event: ServerEvent): boolean {
    return this.#applyToOrganization(event) || this.#applyToConversations(event) || this.#applyToOwnLists(event);
  }

  /** Events about the organization, its people and its groups. */
  #applyToOrganization(event: ServerEvent): boolean {
    switch (event.type) {
      case 'realm':
        this.organization.apply(event);
        return true;
      case 'realm_linkifiers':
        this.organization.applyLinkifiers(event);
        return true;
      case 'realm_playgrounds':
        this.organization.applyPlaygrounds(event);
        return true;
      case 'realm_domains':
        this.organization.applyDomains(event);
        return true;
      case 'default_streams':
        this.organization.applyDefaultChannels(event);
        return true;
      case 'realm_user_settings_defaults':
        this.organization.applyUserSettingsDefaults(event);
        return true;
      case 'restart':
        this.organization.applyRestart(event);
        return true;
      case 'web_reload_client':
        this.organization.applyReload(event);
        return true;
      case 'realm_emoji':
        this.emoji.apply(event);
        return true;
      case 'realm_bot':
        this.bots.apply(event);
        return true;
      case 'custom_profile_fields':
        this.profileFields.apply(event);
        return true;
      case 'user_group':
        this.groups.apply(event);
        return true;
      case 'presence':
        this.presence.apply(event);
        return true;
      case 'user_status':
        this.statuses.apply(event);
        return true;
      case 'realm_user':
        this.#applyUser(event);
        return true;
      default:
        return false;
    }
  }

  #applyUser(event: EventOfType<'realm_user'>): void {
    // Before the account, because bots compare its role with the new one.
    this.bots.applyUser(event);
    this.account.applyUser(event);
    this.users.apply(event);
    this.organization.applyUser(event);
    this.groups.applyUser(event);
    this.channels.applyUser(event);
    this.presence.applyUser(event);
    this.statuses.applyUser(event);
  }

  /** Events about channels and topics. */
  #applyToConversations(event: ServerEvent): boolean {
    switch (event.type) {
      case 'stream':
        this.channels.applyChannel(event);
        return true;
      case 'subscription':
        this.channels.applySubscription(event);
        return true;
      case 'channel_folder':
        this.channelFolders.apply(event);
        return true;
      case 'user_topic':
        this.topicPolicies.apply(event);
        return true;
      default:
        return false;
    }
  }

  /** Events about what the user alone sees. */
  #applyToOwnLists(event: ServerEvent): boolean {
    switch (event.type) {
      case 'user_settings':
        this.account.applySettings(event);
        return true;
      case 'quiet_hours':
        this.account.applyQuietHours(event);
        return true;
      case 'onboarding_steps':
        this.account.applyOnboardingSteps(event);
        return true;
      case 'muted_users':
        this.mutedUsers.apply(event);
        return true;
      case 'drafts':
        this.drafts.apply(event);
        return true;
      case 'scheduled_messages':
        this.scheduledMessages.apply(event);
        return true;
      case 'reminders':
        this.reminders.apply(event);
        return true;
      case 'saved_snippets':
        this.savedSnippets.apply(event);
        return true;
      case 'alert_words':
        this.alertWords.apply(event);
        return true;
      case 'navigation_view':
        this.navigationViews.apply(event);
        return true;
      case 'attachment':
        this.fetchedLists.applyAttachment(event);
        return true;
      case 'invites_changed':
        this.fetchedLists.applyInvitations(event);
        return true;
      case 'realm_export':
      case 'realm_export_consent':
        this.fetchedLists.applyExports(event);
        return true;
      default:
        return false;
    }
  }

  /** The content of all parts in comparable form. */
  plain(): Readonly<Record<string, object>> {
    return {
      account: this.account.plain(),
      organization: this.organization.plain(),
      users: this.users.plain(),
      bots: this.bots.plain(),
      profileFields: this.profileFields.plain(),
      mutedUsers: this.mutedUsers.plain(),
      groups: this.groups.plain(),
      emoji: this.emoji.plain(),
      channels: this.channels.plain(),
      channelFolders: this.channelFolders.plain(),
      channelLists: this.channelOrder.lists,
      topicPolicies: this.topicPolicies.plain(),
      presence: this.presence.plain(),
      statuses: this.statuses.plain(),
      drafts: this.drafts.plain(),
      scheduledMessages: this.scheduledMessages.plain(),
      reminders: this.reminders.plain(),
      savedSnippets: this.savedSnippets.plain(),
      alertWords: this.alertWords.plain(),
      navigationViews: this.navigationViews.plain(),
    };
  }
}
