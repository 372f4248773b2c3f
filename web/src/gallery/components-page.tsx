import type { ReactNode } from 'react';
import { useState } from 'react';
import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { Avatar } from '../design/avatar.tsx';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Calendar } from '../design/calendar.tsx';
import { Checkbox } from '../design/checkbox.tsx';
import { ComboBox } from '../design/combo-box.tsx';
import { ContextMenu } from '../design/context-menu.tsx';
import { Count } from '../design/count.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { FormActions, FormSection, SettingRow } from '../design/form.tsx';
import { IconButton, IconToggle } from '../design/icon-button.tsx';
import {
  AddIcon,
  DeleteIcon,
  EditIcon,
  InboxIcon,
  LinkIcon,
  ReactIcon,
  ReplyIcon,
  SendIcon,
  StarIcon,
} from '../design/icons.ts';
import type { Option } from '../design/list-box.tsx';
import { MenuItem } from '../design/menu.tsx';
import { MultiPicker } from '../design/multi-picker.tsx';
import { PictureGrid } from '../design/picture-grid.tsx';
import { RadioGroup } from '../design/radio-group.tsx';
import { SearchField } from '../design/search-field.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/select.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Spinner } from '../design/spinner.tsx';
import { Switch } from '../design/switch.tsx';
import { Tabs } from '../design/tabs.tsx';
import { TextArea, TextField } from '../design/text-field.tsx';
import { VirtualList } from '../design/virtual-list.tsx';
import { frameShortcuts } from '../frame/frame-shortcuts.ts';
import { KeyboardHelp } from '../help/keyboard-help.tsx';
import styles from './gallery.module.css';
import { Overlays } from './overlays.tsx';
import { PEOPLE, PICTURES, searchPeople } from './samples.ts';

const reply = defineShortcut({
  id: 'gallery.reply',
  keys: ['r'],
  label: msg('Reply'),
  group: 'message',
  scope: 'feed',
});
const star = defineShortcut({ id: 'gallery.star', keys: ['Mod+S'], label: msg('Star'), group: 'message' });

/** Every component in every state. */
export function ComponentsPage(): ReactNode {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [log, setLog] = useState('');
  useShortcut(frameShortcuts.help, () => setHelpOpen(true));
  useShortcut(reply, () => setLog('reply'));
  useShortcut(star, () => setLog('star'));
  return (
    <div className={styles.scroll}>
      <main className={styles.page}>
        <h1 className={styles.title}>Components</h1>
        <p data-testid="log">{log}</p>
        <Buttons />
        <Fields />
        <Choices />
        <Overlays reply={reply} />
        <Content />
        <Lists />
      </main>
      <KeyboardHelp isOpen={isHelpOpen} onOpenChange={setHelpOpen} />
    </div>
  );
}

function Buttons(): ReactNode {
  const [isStarred, setStarred] = useState(true);
  return (
    <FormSection title="Buttons" description="One primary action per view. The others are quiet.">
      <div className={styles.row}>
        <Button kind="primary">Save changes</Button>
        <Button icon={AddIcon}>New channel</Button>
        <Button kind="quiet">Cancel</Button>
        <Button kind="danger" icon={DeleteIcon}>
          Delete
        </Button>
      </div>
      <div className={styles.row}>
        <Button kind="primary" isDisabled>
          Save changes
        </Button>
        <Button isDisabled>New channel</Button>
        <Button kind="primary" isPending>
          Save changes
        </Button>
        <Button isPending>Save</Button>
        <Button size="small">Small</Button>
      </div>
      <div className={styles.row}>
        <IconButton icon={ReplyIcon} label="Reply" shortcut={reply} />
        <IconButton icon={ReactIcon} label="React" />
        <IconToggle icon={StarIcon} label="Star" shortcut={star} isSelected={isStarred} onChange={setStarred} />
        <IconButton icon={EditIcon} label="Edit" isDisabled />
        <IconButton icon={SendIcon} label="Send" isPrimary />
        <IconButton icon={LinkIcon} label="Copy link" size="small" />
        <Spinner />
      </div>
    </FormSection>
  );
}

function Fields(): ReactNode {
  const [name, setName] = useState('engineering');
  const [text, setText] = useState('');
  const [size, setSize] = useState<'s' | 'm' | 'l'>('m');
  const [person, setPerson] = useState<Option | null>(null);
  const [people, setPeople] = useState<readonly Option[]>(searchPeople('').slice(0, 3));
  return (
    <FormSection title="Fields">
      <TextField
        label="Channel name"
        value={name}
        onChange={setName}
        limit={60}
        description="People see it in the list of channels."
      />
      <TextField label="Topic" placeholder="What is it about?" error="A topic is required in this channel." />
      <TextField label="Server" value="chat.example.com" isDisabled />
      <SearchField label="Search people" />
      <TextArea label="Description" value={text} onChange={setText} limit={20} placeholder="Markdown works here" />
      <Calendar label="Day" onChange={() => undefined} />
      <Calendar label="Day in the past" onChange={() => undefined} isPast />
      <Select
        label="Text size"
        options={[
          { key: 's', label: 'Small' },
          { key: 'm', label: 'Medium' },
          { key: 'l', label: 'Large' },
        ]}
        value={size}
        onChange={setSize}
      />
      <ComboBox
        label="Owner"
        placeholder="Search"
        search={searchPeople}
        value={person}
        onChange={(key) => setPerson(searchPeople('').find((each) => each.key === key) ?? null)}
      />
      <MultiPicker
        label="Add people"
        placeholder="Search people"
        value={people}
        onChange={setPeople}
        search={(query) =>
          searchPeople(query).map((each) => ({
            ...each,
            icon: <Avatar name={each.label} id={Number(each.key)} size="xs" />,
          }))
        }
      />
      <FormActions>
        <Button kind="quiet">Cancel</Button>
        <Button kind="primary">Create channel</Button>
      </FormActions>
    </FormSection>
  );
}

function Choices(): ReactNode {
  const [privacy, setPrivacy] = useState<'public' | 'private'>('public');
  const [sort, setSort] = useState<'all' | 'unread' | 'followed'>('all');
  return (
    <FormSection title="Choices">
      <Checkbox defaultSelected>Send a message to everybody in the channel</Checkbox>
      <Checkbox description="They see all messages from now on.">New people see the history</Checkbox>
      <Checkbox isIndeterminate>All channels</Checkbox>
      <Checkbox isDisabled>Not possible</Checkbox>
      <Switch defaultSelected description="Also when the app is in the background.">
        Desktop notifications
      </Switch>
      <Switch>Play a sound</Switch>
      <Switch isDisabled defaultSelected>
        Required by the organization
      </Switch>
      <RadioGroup
        label="Who can see it"
        value={privacy}
        onChange={setPrivacy}
        options={[
          { value: 'public', label: 'Public', description: 'Everybody in the organization can join.' },
          { value: 'private', label: 'Private', description: 'People join by invitation.' },
        ]}
      />
      <Segmented
        label="Filter"
        value={sort}
        onChange={setSort}
        options={[
          { key: 'all', label: 'All' },
          { key: 'unread', label: 'Unread' },
          { key: 'followed', label: 'Followed' },
        ]}
      />
      <SettingRow label="Your sessions" description="3 browsers are logged in.">
        <Button size="small">Log out all</Button>
      </SettingRow>
    </FormSection>
  );
}

function Content(): ReactNode {
  const [tab, setTab] = useState<'members' | 'files'>('members');
  return (
    <FormSection title="Content">
      <Banner action={<Button size="small">Reload</Button>}>A new version is available.</Banner>
      <Banner kind="warning">You are offline. Messages are sent when you are back.</Banner>
      <Banner kind="error">You have no permission to post in this channel. Ask an administrator.</Banner>
      <Banner kind="success" onDismiss={() => {}}>
        Your profile is saved.
      </Banner>
      <div className={styles.row}>
        <Avatar name="Ada Lovelace" id={1} presence="active" />
        <Avatar name="Grace Hopper" id={2} presence="idle" />
        <Avatar name="Alan Turing" id={3} presence="offline" />
        <Avatar name="Edsger" id={4} size="xs" />
        <Avatar name="Barbara Liskov" id={5} size="s" />
        <Avatar name="Donald Knuth" id={6} size="l" />
        <Avatar name="Радья Перлман" id={7} size="xl" />
      </div>
      <div className={styles.row}>
        <Count value={3} label="3 unread messages" />
        <Count value={12} label="12 mentions" kind="mention" />
        <Count value={7} label="7 unread messages" kind="muted" />
        <Count value={12345} label="12345 unread messages" />
      </div>
      <Tabs
        label="Channel"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            key: 'members',
            label: 'Members',
            mark: <Count value={42} label="42 members" kind="muted" />,
            content: <p>Ada, Grace, Alan</p>,
          },
          { key: 'files', label: 'Files', content: <p>No files yet</p> },
        ]}
      />
      <EmptyState icon={InboxIcon} title="You are up to date" action={<Button>Browse channels</Button>}>
        New messages appear here.
      </EmptyState>
      <div className={styles.frame}>
        <Skeleton kind="message" count={3} />
        <Skeleton kind="row" count={2} />
      </div>
    </FormSection>
  );
}

function Lists(): ReactNode {
  const [selected, setSelected] = useState<string | number>();
  const [people, setPeople] = useState(PEOPLE);
  const [menu, setMenu] = useState<{ readonly name: string; readonly x: number; readonly y: number }>();
  return (
    <FormSection title="Lists">
      <p data-testid="selected">{selected}</p>
      <div className={styles.list}>
        <VirtualList
          label="People"
          kind="grid"
          count={people.length}
          keyOf={(index) => people[index]?.id ?? index}
          rowHeight={36}
          onAction={(index) => setSelected(people[index]?.name)}
          renderRow={({ index }) => {
            const person = people[index];
            if (person === undefined) return null;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the row of the list has the role.
              <div
                className={styles.person}
                onContextMenu={(event) => {
                  event.preventDefault();
                  setMenu({ name: person.name, x: event.clientX, y: event.clientY });
                }}
              >
                <Avatar name={person.name} id={person.id} size="s" />
                <span className={styles.name}>{person.name}</span>
                <IconButton
                  icon={DeleteIcon}
                  label={`Remove ${person.name}`}
                  size="small"
                  onPress={() => setPeople(people.filter((each) => each !== person))}
                  excludeFromTabOrder
                />
              </div>
            );
          }}
        />
      </div>
      <PictureGrid
        label="Pictures"
        pictures={PICTURES}
        onChoose={(key) => setSelected(key)}
        isStill
        pending={selected === 'third' ? 'third' : undefined}
      />
      {menu && (
        <ContextMenu label="Person" at={menu} onClose={() => setMenu(undefined)}>
          <MenuItem onAction={() => setSelected(`profile of ${menu.name}`)}>View profile</MenuItem>
        </ContextMenu>
      )}
    </FormSection>
  );
}
