import type { ReactNode } from 'react';
import { FormSection } from '../../design/form.tsx';
import { t } from '../../shell/i18n.ts';
import { OwnSelect, OwnSwitch } from './own-setting.tsx';

/** How the app looks and behaves. Each setting applies at once. */
export function PreferencesPage(): ReactNode {
  return (
    <>
      <FormSection title={t('Appearance')}>
        <OwnSelect
          name="color_scheme"
          label={t('Theme')}
          choices={[
            [1, t('Like the system')],
            [3, t('Light')],
            [2, t('Dark')],
          ]}
        />
        <OwnSelect
          name="default_language"
          label={t('Language')}
          choices={[
            ['en', 'English'],
            ['de', 'Deutsch'],
          ]}
        />
        <OwnSelect
          name="web_font_size_px"
          label={t('Text size')}
          choices={[12, 14, 15, 16, 17, 18, 20].map((size) => [size, t('{size} pixels', { size })])}
        />
        <OwnSelect
          name="web_line_height_percent"
          label={t('Line height')}
          choices={[115, 122, 130, 140, 145, 155].map((percent) => [percent, t('{percent} %', { percent })])}
        />
        <OwnSwitch name="twenty_four_hour_time" label={t('24-hour clock')} />
      </FormSection>
      <Navigation />
      <ReadingAndWriting />
    </>
  );
}

function Navigation(): ReactNode {
  return (
    <FormSection title={t('Navigation')}>
      <OwnSelect
        name="web_home_view"
        label={t('Home view')}
        choices={[
          ['inbox', t('Inbox')],
          ['recent_topics', t('Recent conversations')],
          ['all_messages', t('Combined feed')],
        ]}
      />
      <OwnSwitch name="web_escape_navigates_to_home_view" label={t('Escape leads to the home view')} />
      <OwnSelect
        name="web_channel_default_view"
        label={t('A click on a channel opens')}
        choices={[
          [1, t('The newest topic')],
          [2, t('All messages')],
          [3, t('The list of topics')],
          [4, t('The first unread topic')],
        ]}
      />
      <OwnSelect
        name="demote_inactive_streams"
        label={t('Move inactive channels to the end')}
        choices={[
          [1, t('If there are many')],
          [2, t('Always')],
          [3, t('Never')],
        ]}
      />
      <OwnSelect
        name="web_stream_unreads_count_display_policy"
        label={t('Count unread messages of')}
        choices={[
          [1, t('All channels')],
          [2, t('Channels that are not muted')],
          [3, t('No channels')],
        ]}
      />
      <OwnSwitch name="web_left_sidebar_unreads_count_summary" label={t('Count unread messages in headings')} />
      <OwnSwitch name="web_left_sidebar_show_channel_folders" label={t('Show folders in the channel list')} />
      <OwnSwitch name="web_inbox_show_channel_folders" label={t('Show folders in the inbox')} />
      <OwnSwitch name="starred_message_counts" label={t('Count starred messages')} />
    </FormSection>
  );
}

function ReadingAndWriting(): ReactNode {
  return (
    <FormSection title={t('Reading and writing')}>
      <OwnSelect
        name="web_mark_read_on_scroll_policy"
        label={t('Mark messages as read while scrolling')}
        choices={[
          [1, t('Always')],
          [2, t('In conversations')],
          [3, t('Never')],
        ]}
      />
      <OwnSwitch name="display_emoji_reaction_users" label={t('Show who reacted, if only a few did')} />
      <OwnSwitch name="enter_sends" label={t('Enter sends the message')} />
      <OwnSwitch name="web_navigate_to_sent_message" label={t('Go to the conversation after sending')} />
      <OwnSwitch name="enable_drafts_synchronization" label={t('Show drafts on all devices')} />
    </FormSection>
  );
}
