import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { ChannelKind } from '@heddle/client/model/permissions/channel-permissions.ts';
import { type Message, msg } from '../base/i18n.ts';

/** Who can read a channel. `protected`: private, and new subscribers do not see earlier messages. */
export type Privacy = 'public' | 'private' | 'protected' | 'web-public';

interface PrivacyTexts {
  readonly label: Message;
  readonly description: Message;
}

export const PRIVACIES: Readonly<Record<Privacy, PrivacyTexts>> = {
  public: {
    label: msg('Public'),
    description: msg('Members of the organization can join. Guests must be added.'),
  },
  private: {
    label: msg('Private, shared history'),
    description: msg('People must be added. They can read earlier messages.'),
  },
  protected: {
    label: msg('Private, protected history'),
    description: msg('People must be added. They can read only what is sent from then on.'),
  },
  'web-public': {
    label: msg('Web-public'),
    description: msg('Anyone on the internet can read it without an account.'),
  },
};

export function privacyOf({ isPrivate, isWebPublic, hasSharedHistory }: ChannelRecord): Privacy {
  if (isWebPublic) return 'web-public';
  if (!isPrivate) return 'public';
  return hasSharedHistory ? 'private' : 'protected';
}

/** The parameters of a request. */
export function privacyParameters(privacy: Privacy) {
  return {
    isPrivate: privacy === 'private' || privacy === 'protected',
    is_web_public: privacy === 'web-public',
    history_public_to_subscribers: privacy !== 'protected',
  };
}

/** The kind by which the organization allows the creation. */
export function kindOf(privacy: Privacy): ChannelKind {
  return privacy === 'protected' ? 'private' : privacy;
}
