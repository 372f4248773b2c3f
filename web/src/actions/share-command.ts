import { t } from '../base/i18n.ts';
import { ShareIcon } from '../design/icons.ts';
import { canShare, share } from '../shown/sharing.ts';
import type { Command } from './command.ts';

/** Shares the link to a conversation. Empty where the system cannot share. */
export function shareCommand(url: string, title: string): readonly Command[] {
  if (!canShare()) return [];
  const run = () => void share({ title, url });
  return [{ id: 'share', group: 'inspect', label: t('Share…'), icon: ShareIcon, run }];
}
