import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useRef } from 'react';
import { openMenuBeside } from '../../actions/menu-store.ts';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';
import { IconButton, IconToggle } from '../../design/icon-button.tsx';
import { EditIcon, MoreIcon, QuoteIcon, ReactIcon, StarIcon } from '../../design/icons.ts';
import { editStore } from '../edit/edit-store.ts';
import { openReactionPicker } from '../reactions/picker-store.ts';
import { QuickReactions } from '../reactions/quick-reactions.tsx';
import { toggleStar } from './flags.ts';
import styles from './message-actions.module.css';
import { messageShortcuts as keys } from './message-shortcuts.ts';
import { quote } from './quoting.ts';

interface Props {
  readonly record: MessageRecord;
}

/** The bar with the most frequent actions, in the corner of a message. The last button opens the menu of all. */
export function MessageActions({ record }: Props): ReactNode {
  const app = useApp();
  const { model } = app;
  const react = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const facts = factsOf(record);
  const { isSpectator } = model.account;
  const mayReact = model.permissions.messages.react(facts).allowed;
  const mayEdit =
    record.submessages.length === 0 && model.permissions.messages.editContent(facts, nowSeconds()).allowed;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('Message actions')}>
      {mayReact && <QuickReactions record={record} />}
      {mayReact && (
        <IconButton
          ref={react}
          icon={ReactIcon}
          label={t('Add a reaction')}
          shortcut={keys.react}
          size="small"
          onPress={() => openReactionPicker(record.id, react.current)}
        />
      )}
      {mayEdit && (
        <IconButton
          icon={EditIcon}
          label={t('Edit')}
          shortcut={keys.edit}
          size="small"
          onPress={() => void editStore.open(app, record.id)}
        />
      )}
      {!isSpectator && !mayEdit && (
        <IconButton
          icon={QuoteIcon}
          label={t('Quote and reply')}
          shortcut={keys.quote}
          size="small"
          onPress={() => void quote(app, record)}
        />
      )}
      {!isSpectator && (
        <IconToggle
          icon={StarIcon}
          label={record.isStarred ? t('Remove the star') : t('Star')}
          shortcut={keys.star}
          size="small"
          isSelected={record.isStarred}
          onChange={() => void toggleStar(app, record)}
        />
      )}
      <IconButton
        ref={more}
        icon={MoreIcon}
        label={t('More actions')}
        shortcut={keys.menu}
        size="small"
        aria-haspopup="menu"
        onPress={() => more.current !== null && openMenuBeside({ kind: 'message', messageId: record.id }, more.current)}
      />
    </div>
  );
}
