import { type ReactNode, useState } from 'react';
import { formatDay, formatTime } from '../base/i18n-formats.ts';
import { Avatar } from '../design/avatar.tsx';
import { Banner } from '../design/banner.tsx';
import { classes } from '../design/classes.ts';
import { Count } from '../design/count.tsx';
import { IconButton } from '../design/icon-button.tsx';
import {
  ChannelIcon,
  ClockIcon,
  DirectMessagesIcon,
  type Icon,
  InboxIcon,
  MentionIcon,
  MenuIcon,
  NewMessageIcon,
  PrivateIcon,
  SearchIcon,
  StarIcon,
} from '../design/icons.ts';
import { SearchField } from '../design/search-field.tsx';
import { TextArea } from '../design/text-field.tsx';
import { Frame } from '../frame/frame.tsx';
import { BottomBar } from '../frame/frame-bottom-bar.tsx';
import { useFrame } from '../frame/frame-context.ts';
import { ColumnHeader } from '../frame/frame-header.tsx';
import styles from './gallery.module.css';
import { CHANNELS, PEOPLE } from './samples.ts';

/** The frame with invented content. */
export function FramePage(): ReactNode {
  return (
    <Frame
      leftLabel="Conversations"
      left={<Left />}
      mainLabel="engineering, release plan"
      main={<Main />}
      rightLabel="Members"
      right={<Right />}
      bottom={<Bottom />}
      top={
        new URLSearchParams(location.search).has('offline') && (
          <Banner isBar kind="warning">
            You are offline. Messages are sent when you are back.
          </Banner>
        )
      }
    />
  );
}

function Item({
  icon: Icon,
  label,
  unread = 0,
  mentions = 0,
  isCurrent = false,
}: {
  icon: Icon;
  label: string;
  unread?: number;
  mentions?: number;
  isCurrent?: boolean;
}): ReactNode {
  return (
    <a
      className={styles.item}
      href={`#${label}`}
      data-unread={unread > 0 || undefined}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      <Count value={mentions} label={`${mentions} mentions`} kind="mention" />
      <Count value={unread} label={`${unread} unread messages`} />
    </a>
  );
}

function Left(): ReactNode {
  return (
    <>
      <ColumnHeader
        column="left"
        title="Analytical Engines"
        actions={<IconButton icon={NewMessageIcon} label="New message" placement="bottom" />}
      />
      <div className={styles.scroller}>
        <div className={styles.nav}>
          <SearchField label="Search" />
          <Item icon={InboxIcon} label="Inbox" unread={24} />
          <Item icon={ClockIcon} label="Recent conversations" />
          <Item icon={MentionIcon} label="Mentions" mentions={2} />
          <Item icon={StarIcon} label="Starred" />
          <section aria-label="Channels">
            {CHANNELS.map((name, index) => (
              <Item
                key={name}
                icon={index === 4 ? PrivateIcon : ChannelIcon}
                label={name}
                unread={index % 3 === 1 ? index * 4 : 0}
                isCurrent={index === 2}
              />
            ))}
          </section>
          <section aria-label="Direct messages">
            {PEOPLE.slice(0, 5).map(({ id, name }, index) => (
              <a key={id} className={styles.item} href={`#${id}`} data-unread={index === 1 || undefined}>
                <Avatar name={name} id={id} size="xs" presence={(['active', 'idle', 'offline'] as const)[index % 3]} />
                <span className={styles.label}>{name}</span>
                <Count value={index === 1 ? 3 : 0} label="3 unread messages" />
              </a>
            ))}
          </section>
        </div>
      </div>
    </>
  );
}

const LINES = [
  'The release is planned for Thursday. Please add what is missing to the list.',
  'I have two fixes for the parser that should be in it.',
  'Also the new icons, if somebody reviews them today.',
  'Looks good to me. I will cut the branch at noon and run the long tests over night.',
];

function Main(): ReactNode {
  const [text, setText] = useState('');
  const now = new Date('2026-03-05T14:05:00Z');
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ChannelIcon aria-hidden="true" />}
        title="engineering"
        subtitle="release plan"
        hasDetails
        actions={<IconButton icon={SearchIcon} label="Search" placement="bottom" />}
      />
      <div className={styles.scroller}>
        {[1, 0].map((day) => (
          <section key={day}>
            <div className={styles.day}>{formatDay(new Date(now.getTime() - day * 86_400_000), now)}</div>
            {LINES.map((line, index) => {
              const person = PEOPLE[index < 1 ? 0 : index < 3 ? 11 : 22];
              const isFirst = index !== 2;
              return (
                <article key={line} className={classes(styles.message, isFirst && styles.first)}>
                  {isFirst ? <Avatar name={person?.name ?? ''} id={person?.id ?? 0} size="l" /> : <span />}
                  <div>
                    {isFirst && (
                      <div className={styles.meta}>
                        <span className={styles.sender}>{person?.name}</span>
                        <span className={styles.time}>
                          {formatTime(new Date(now.getTime() - (5 - index) * 600_000))}
                        </span>
                      </div>
                    )}
                    <div className="message-html">
                      <p>{line}</p>
                    </div>
                  </div>
                </article>
              );
            })}
          </section>
        ))}
      </div>
      <div className={styles.compose}>
        <TextArea
          label="Message"
          isLabelHidden
          placeholder="Message engineering, release plan"
          rows={2}
          value={text}
          onChange={setText}
        />
      </div>
    </>
  );
}

function Right(): ReactNode {
  return (
    <>
      <ColumnHeader column="right" title="Members" />
      <div className={styles.scroller}>
        <div className={styles.members}>
          {PEOPLE.slice(0, 12).map(({ id, name }, index) => (
            <a key={id} className={styles.item} href={`#${id}`}>
              <Avatar name={name} id={id} size="s" presence={index < 4 ? 'active' : index < 7 ? 'idle' : 'offline'} />
              <span className={styles.label}>{name}</span>
            </a>
          ))}
        </div>
      </div>
    </>
  );
}

function Bottom(): ReactNode {
  const frame = useFrame();
  const isMenuOpen = frame.isOpen('left');
  return (
    <BottomBar
      items={[
        {
          key: 'inbox',
          label: 'Inbox',
          icon: InboxIcon,
          href: '#inbox',
          isCurrent: !isMenuOpen,
          unread: { value: 24, label: '24 unread messages' },
        },
        { key: 'recent', label: 'Recent', icon: ClockIcon, href: '#recent' },
        { key: 'direct', label: 'Direct', icon: DirectMessagesIcon, href: '#direct' },
        { key: 'search', label: 'Search', icon: SearchIcon, onPress: () => {} },
        { key: 'menu', label: 'Menu', icon: MenuIcon, onPress: () => frame.toggle('left'), isCurrent: isMenuOpen },
      ]}
    />
  );
}
