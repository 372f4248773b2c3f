import { has24HourClock } from '@heddle/api/languages.ts';
import { updateSettings } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type ReactNode, useContext, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { hasSingleKeys } from '../../base/keyboard.ts';
import { storeSingleKeys } from '../../base/single-keys.ts';
import { useChanges } from '../../base/use-changes.ts';
import { FormSection } from '../../design/form.tsx';
import { Switch } from '../../design/switch.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import { SelectSetting, SwitchSetting } from '../controls.tsx';
import { languageHint, languageOptions } from '../languages.ts';
import { LookSection } from './look-section.tsx';
import { UserSelect, UserSwitch } from './own-setting.tsx';
import { SettingsOf, useSettingsTarget } from './settings-target.ts';

/** How the app looks and behaves. Each setting applies at once. */
export function PreferencesPage(): ReactNode {
  const isAccount = useContext(SettingsOf) === 'account';
  return (
    <>
      <FormSection title={t('Appearance')}>
        <UserSelect
          name="color_scheme"
          label={t('Theme')}
          choices={[
            [1, t('Like the system')],
            [3, t('Light')],
            [2, t('Dark')],
          ]}
        />
        {isAccount && <Language />}
        <UserSelect
          name="web_font_size_px"
          label={t('Text size')}
          choices={[12, 14, 15, 16, 17, 18, 20].map((size) => [size, t('{size} pixels', { size })])}
        />
        <UserSelect
          name="web_line_height_percent"
          label={t('Line height')}
          choices={[115, 122, 130, 140, 145, 155].map((percent) => [percent, t('{percent} %', { percent })])}
        />
        <UserSwitch name="twenty_four_hour_time" label={t('24-hour clock')} />
      </FormSection>
      {isAccount && <LookSection />}
      <Navigation />
      <ReadingAndWriting />
      {isAccount && <KeyboardSection />}
    </>
  );
}

function Language(): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.account.changes);
  return (
    <SelectSetting
      label={t('Language')}
      description={languageHint()}
      options={languageOptions()}
      value={model.account.settings.default_language}
      save={(language) => updateSettings(connection, settingsWith(language, model.account.settings))}
    />
  );
}

/** A clock that is usual in the language goes with it. Another one is a choice of the user, and stays. */
function settingsWith(language: string, before: Model['account']['settings']) {
  const isUsual = before.twenty_four_hour_time === has24HourClock(before.default_language);
  return { default_language: language, ...(isUsual && { twenty_four_hour_time: has24HourClock(language) }) };
}

function Navigation(): ReactNode {
  return (
    <FormSection title={t('Navigation')}>
      <UserSelect
        name="web_home_view"
        label={t('Home view')}
        choices={[
          ['inbox', t('Inbox')],
          ['recent_topics', t('Recent conversations')],
          ['all_messages', t('Combined feed')],
        ]}
      />
      <UserSwitch name="web_escape_navigates_to_home_view" label={t('Escape leads to the home view')} />
      <UserSelect
        name="web_channel_default_view"
        label={t('A click on a channel opens')}
        choices={[
          [1, t('The newest topic')],
          [2, t('All messages')],
          [3, t('The list of topics')],
          [4, t('The first unread topic')],
        ]}
      />
      <UserSelect
        name="demote_inactive_streams"
        label={t('Move inactive channels to the end')}
        choices={[
          [1, t('If there are many')],
          [2, t('Always')],
          [3, t('Never')],
        ]}
      />
      <UserSelect
        name="web_stream_unreads_count_display_policy"
        label={t('Count unread messages of')}
        choices={[
          [1, t('All channels')],
          [2, t('Channels that are not muted')],
          [3, t('No channels')],
        ]}
      />
      <UserSwitch name="web_left_sidebar_unreads_count_summary" label={t('Count unread messages in headings')} />
      <UserSwitch name="web_left_sidebar_show_channel_folders" label={t('Show folders in the channel list')} />
      <UserSwitch name="web_inbox_show_channel_folders" label={t('Show folders in the inbox')} />
      <UserSwitch name="starred_message_counts" label={t('Count starred messages')} />
    </FormSection>
  );
}

function ReadingAndWriting(): ReactNode {
  return (
    <FormSection title={t('Reading and writing')}>
      <UserSelect
        name="web_mark_read_on_scroll_policy"
        label={t('Mark messages as read while scrolling')}
        choices={[
          [1, t('Always')],
          [2, t('In conversations')],
          [3, t('Never')],
        ]}
      />
      <UserSelect
        name="resolved_topic_notice_auto_read_policy"
        label={t('Mark notices about resolved topics as read')}
        choices={[
          ['always', t('Always')],
          ['except_followed', t('Except in topics that I follow')],
          ['never', t('Never')],
        ]}
      />
      <UserSelect
        name="web_animate_image_previews"
        label={t('Play animated images')}
        choices={[
          ['always', t('Always')],
          ['on_hover', t('Under the pointer')],
          ['never', t('Only when I open them')],
        ]}
      />
      <EmojiAsText />
      <UserSwitch name="translate_emoticons" label={t('Replace emoticons by emoji')} description=":) → 🙂" />
      <UserSwitch name="receives_typing_notifications" label={t('Show when others write')} />
      <UserSwitch name="display_emoji_reaction_users" label={t('Show who reacted, if only a few did')} />
      <UserSwitch name="enter_sends" label={t('Enter sends the message')} />
      <UserSwitch name="web_navigate_to_sent_message" label={t('Go to the conversation after sending')} />
      <UserSwitch name="enable_drafts_synchronization" label={t('Show drafts on all devices')} />
    </FormSection>
  );
}

/** Other clients also know sets of pictures. This app shows the pictures of the system, or names. */
function EmojiAsText(): ReactNode {
  const { settings, save, refusal } = useSettingsTarget();
  return (
    <SwitchSetting
      label={t('Show emoji as text')}
      // not translated: an emoji as text
      description=":smile:"
      value={settings.emojiset === 'text'}
      refusal={refusal}
      save={(isText) => save({ emojiset: isText ? 'text' : 'google' })}
    />
  );
}

/** This browser only: the keys depend on the keyboard and on the person's devices. */
function KeyboardSection(): ReactNode {
  const { model } = useApp();
  const [isOn, setOn] = useState(hasSingleKeys());
  const change = (next: boolean) => {
    setOn(next);
    storeSingleKeys(model.ownId, next);
  };
  return (
    <FormSection title={t('Keyboard')}>
      <Switch
        isSelected={isOn}
        onChange={change}
        description={t('In this browser. Switch them off if you use speech input.')}
      >
        {t('Shortcuts of one character')}
      </Switch>
      <RouteLink to={{ view: 'keyboard-shortcuts' }}>{t('Show all shortcuts')}</RouteLink>
    </FormSection>
  );
}
