import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect } from 'react';
import type { Command } from '../../actions/command.ts';
import { commandItems } from '../../actions/command-items.tsx';
import { menuStore, type OpenedMenu } from '../../actions/menu-store.ts';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { factsOf } from '../../content/message-facts.ts';
import { classes } from '../../design/classes.ts';
import { ContextMenu } from '../../design/context-menu.tsx';
import { Sheet } from '../../design/sheet.tsx';
import { keyOfEmoji } from '../../emoji/emoji.ts';
import { EmojiGlyph } from '../../emoji/emoji-glyph.tsx';
import { frequentEmoji } from '../../emoji/recent-emoji.ts';
import { channelName, topicLabel } from '../../shown/names.ts';
import { useChannelMenu } from '../../topic-actions/channel-menu.ts';
import { useTopicMenu } from '../../topic-actions/topic-menu.ts';
import { toggleReaction } from '../reactions/toggle-reaction.ts';
import { messageCommands } from './commands.ts';
import styles from './message-actions.module.css';

/** The menu of the message, topic or channel that the user asked for, or its sheet. */
export function ActionMenu(): ReactNode {
  useChanges(menuStore.changes);
  const { opened } = menuStore;
  if (opened === undefined) return null;
  const { subject, at } = opened;
  switch (subject.kind) {
    case 'message':
      return <MessageMenu messageId={subject.messageId} at={at} />;
    case 'topic':
      return <TopicMenu place={subject.place} at={at} />;
    case 'channel':
      return <ChannelMenu channelId={subject.channelId} at={at} />;
  }
}

const close = () => menuStore.set(undefined);

type At = Pick<OpenedMenu, 'at'>;

function MessageMenu({ messageId, at }: At & { readonly messageId: number }): ReactNode {
  const app = useApp();
  const { messages } = app.model.cache;
  useChangesOf(messages.changesOf, messageId);
  const record = messages.get(messageId);
  usePins(record);
  if (record === undefined) return null;
  return (
    <CommandMenu label={t('Message actions')} commands={messageCommands(app, record)} at={at}>
      <QuickReactions record={record} />
    </CommandMenu>
  );
}

/** Loads whether the message is pinned. */
function usePins(record: MessageRecord | undefined): void {
  const { account, cache } = useApp().model;
  const { pinned } = cache;
  const channelId = record?.place.kind === 'topic' && !account.isSpectator ? record.place.channelId : 0;
  useChangesOf(pinned.changesOf, channelId);
  useEffect(() => (channelId === 0 ? undefined : pinned.observe(channelId)), [pinned, channelId]);
}

function TopicMenu({ place, at }: At & { readonly place: TopicPlace }): ReactNode {
  const { text } = topicLabel(useApp().model, place.topic);
  return <CommandMenu label={text} commands={useTopicMenu(place)} at={at} />;
}

function ChannelMenu({ channelId, at }: At & { readonly channelId: number }): ReactNode {
  const name = channelName(useApp().model, channelId);
  return <CommandMenu label={name} commands={useChannelMenu(channelId)} at={at} />;
}

interface CommandMenuProps extends At {
  readonly label: string;
  readonly commands: readonly Command[];
  /** What stands above the commands of the sheet. */
  readonly children?: ReactNode;
}

function CommandMenu({ label, commands, at, children }: CommandMenuProps): ReactNode {
  if (at === 'sheet') {
    return (
      <Sheet title={label} isOpen onOpenChange={close}>
        {children}
        <SheetList commands={commands} />
      </Sheet>
    );
  }
  return (
    <ContextMenu label={label} at={at} onClose={close}>
      {commandItems(commands)}
    </ContextMenu>
  );
}

const MAX_QUICK_REACTIONS = 6;

function QuickReactions({ record }: { readonly record: MessageRecord }): ReactNode {
  const app = useApp();
  const { model } = app;
  if (!model.permissions.messages.react(factsOf(record)).allowed) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div className={styles.quick} role="group" aria-label={t('Frequent reactions')}>
      {frequentEmoji(model.ownId, MAX_QUICK_REACTIONS).map((emoji) => (
        <button
          key={keyOfEmoji(emoji)}
          type="button"
          className={styles.quickReaction}
          aria-label={t('React with :{emoji}:', { emoji: emoji.name })}
          onClick={() => {
            close();
            void toggleReaction(app, record.id, emoji);
          }}
        >
          <EmojiGlyph emoji={emoji} />
        </button>
      ))}
    </div>
  );
}

function SheetList({ commands }: { readonly commands: readonly Command[] }): ReactNode {
  return (
    <ul className={styles.list}>
      {commands.map(({ id, label, icon: Icon, group, refusal, isDanger, run }, index) => (
        <li key={id}>
          <button
            type="button"
            className={classes(styles.item, isDanger && refusal === undefined && styles.danger)}
            disabled={refusal !== undefined}
            data-first={index > 0 && commands[index - 1]?.group !== group ? '' : undefined}
            onClick={() => {
              close();
              run();
            }}
          >
            <Icon aria-hidden="true" />
            <span className={styles.texts}>
              <span>{label}</span>
              {refusal !== undefined && <span className={styles.detail}>{refusal}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
