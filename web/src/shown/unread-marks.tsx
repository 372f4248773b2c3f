import type { TopicPolicy } from '@heddle/client/model/own/topic-policies.ts';
import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { Count } from '../design/count.tsx';
import { FollowIcon, MentionIcon, MuteIcon, NotifyIcon } from '../design/icons.ts';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import styles from './marks.module.css';

export interface UnreadMarksProps {
  count: number;
  mentions?: number;
  /** The user muted the conversation, so its number is quiet. */
  isMuted?: boolean;
  /** Shows a dot instead of the number. */
  isDot?: boolean;
  policy?: TopicPolicy;
}

/** What stands at the end of a conversation's row: its policy, mentions and unread messages. */
export function UnreadMarks({
  count,
  mentions = 0,
  isMuted = false,
  isDot = false,
  policy,
}: UnreadMarksProps): ReactNode {
  const label = t('{count, plural, one {# unread message} other {# unread messages}}', { count });
  return (
    <span className={styles.marks}>
      {policy !== undefined && <PolicyMark policy={policy} />}
      {mentions > 0 && (
        <span className={styles.mention}>
          <MentionIcon aria-hidden="true" />
          <VisuallyHidden>{t('mentions you')}</VisuallyHidden>
        </span>
      )}
      {isDot && count > 0 ? (
        <span className={styles.dot}>
          <VisuallyHidden>{label}</VisuallyHidden>
        </span>
      ) : (
        <Count value={count} label={label} kind={isMuted ? 'muted' : 'unread'} />
      )}
    </span>
  );
}

function PolicyMark({ policy }: { policy: TopicPolicy }): ReactNode {
  if (policy === 'inherit') return null;
  const [Icon, label] = {
    followed: [FollowIcon, t('followed')] as const,
    muted: [MuteIcon, t('muted')] as const,
    unmuted: [NotifyIcon, t('unmuted')] as const,
  }[policy];
  return (
    <>
      <Icon aria-hidden="true" className={styles.policy} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  );
}
