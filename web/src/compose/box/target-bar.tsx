import { type ReactNode, useEffect, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { Avatar } from '../../design/avatar.tsx';
import { ComboBox } from '../../design/combo-box.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { ChannelIcon, CloseIcon, PrivateIcon } from '../../design/icons.ts';
import type { Option } from '../../design/list-box.tsx';
import { MultiPicker } from '../../design/multi-picker.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { pictureOf } from '../../shown/picture.ts';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { composeShortcuts } from '../shortcuts.ts';
import { channelsMatching, peopleMatching, topicsMatching } from '../target/place-search.ts';
import type { ComposeTarget } from '../target/target.ts';
import styles from './target-bar.module.css';

/** Chooses where the message goes. */
export function TargetBar({ session }: { readonly session: ComposeSession }): ReactNode {
  useChanges(session.changes);
  const { target } = session;
  // The code of this bar can arrive when the user writes already. So a place that is known leaves the focus in the text.
  const [given] = useState(() => (composeStore.request?.place === undefined ? undefined : target));
  const takesFocus = target !== given;
  const change = (kind: string): void => {
    if (kind === target.kind) return;
    session.setTarget(kind === 'direct' ? { kind, userIds: [] } : { kind: 'topic', channelId: undefined, topic: '' });
  };
  return (
    <div className={styles.bar}>
      <Segmented
        label={t('Kind of message')}
        value={target.kind}
        onChange={change}
        options={[
          { key: 'topic', label: t('Channel') },
          { key: 'direct', label: t('Direct') },
        ]}
      />
      {target.kind === 'topic' ? (
        <TopicPicker target={target} session={session} takesFocus={takesFocus} />
      ) : (
        <PeoplePicker target={target} session={session} takesFocus={takesFocus} />
      )}
      <div className={styles.close}>
        <IconButton
          icon={CloseIcon}
          label={t('Close')}
          shortcut={composeShortcuts.close}
          onPress={() => composeStore.close()}
        />
      </div>
    </div>
  );
}

interface PickerProps<Kind extends ComposeTarget['kind']> {
  readonly target: Extract<ComposeTarget, { kind: Kind }>;
  readonly session: ComposeSession;
  /** Whether the first empty field takes the focus. */
  readonly takesFocus: boolean;
}

function TopicPicker({ target, session, takesFocus }: PickerProps<'topic'>): ReactNode {
  const model = useModel();
  useChanges(model.channels.orderChanges);
  const { channelId, topic } = target;
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  const value = channel === undefined ? null : channelOption(channel);
  return (
    <div className={styles.fields}>
      <ComboBox
        label={t('Channel')}
        isLabelHidden
        placeholder={t('Channel')}
        value={value}
        onChange={(key) => {
          session.setTarget({ kind: 'topic', channelId: key === null ? undefined : Number(key), topic });
        }}
        search={(text) => channelsMatching(model, text).map(channelOption)}
        autoFocus={takesFocus && channel === undefined}
        listSide="top"
      />
      <TopicField key={channelId} target={target} session={session} takesFocus={takesFocus && channel !== undefined} />
    </div>
  );
}

function TopicField({ target, session, takesFocus }: PickerProps<'topic'>): ReactNode {
  const model = useModel();
  const { channelId, topic } = target;
  const { topics } = model.cache;
  useChangesOf(topics.changesOf, channelId ?? 0);
  useEffect(() => (channelId === undefined ? undefined : topics.observe(channelId)), [topics, channelId]);
  const policy = channelId === undefined ? undefined : model.channels.get(channelId)?.topicsPolicy;
  const canBeEmpty = policy !== undefined && model.organization.topicsPolicy(policy) !== 'disable_empty_topic';
  const emptyName = model.organization.settings.empty_topic_display_name;
  // The field holds the text, and the target follows it. So the value is only what the field begins with.
  const [initial] = useState(() => (topic === '' ? null : { key: topic, label: topic }));
  const choose = (text: string): void => {
    if (text !== topic) session.setTarget({ kind: 'topic', channelId, topic: text });
  };
  return (
    <ComboBox
      label={t('Topic')}
      isLabelHidden
      placeholder={canBeEmpty ? emptyName : t('Topic')}
      value={initial}
      onChange={(key) => choose(key ?? '')}
      onInputChange={choose}
      onEnter={() => session.text.focus()}
      search={(text) => topicsMatching(model, channelId, text).map((name) => ({ key: name, label: name }))}
      allowsCustomValue
      autoFocus={takesFocus}
      listSide="top"
    />
  );
}

function PeoplePicker({ target, session, takesFocus }: PickerProps<'direct'>): ReactNode {
  const model = useModel();
  useChanges(model.users.changes);
  const value = target.userIds.flatMap((id) => {
    const user = model.users.get(id);
    return user === undefined ? [] : [personOption(user)];
  });
  return (
    <div className={styles.fields}>
      <MultiPicker
        label={t('People')}
        isLabelHidden
        placeholder={t('Choose people')}
        value={value}
        onChange={(options) => session.setTarget({ kind: 'direct', userIds: options.map(({ key }) => Number(key)) })}
        search={(text) => peopleMatching(model, text).map(personOption)}
        onEnterEmpty={() => session.text.focus()}
        autoFocus={takesFocus}
        listSide="top"
      />
    </div>
  );
}

type Channel = ReturnType<typeof channelsMatching>[number];
type Person = ReturnType<typeof peopleMatching>[number];

function channelOption({ id, name, isPrivate }: Channel): Option {
  const Icon = isPrivate ? PrivateIcon : ChannelIcon;
  return { key: String(id), label: name, icon: <Icon aria-hidden="true" /> };
}

function personOption(user: Person): Option {
  const { id, name, deliveryEmail } = user;
  const icon = <Avatar name={name} src={pictureOf(user)} id={id} size="s" />;
  return { key: String(id), label: name, icon, ...(deliveryEmail !== null && { detail: deliveryEmail }) };
}
