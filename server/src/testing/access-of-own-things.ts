/** Who may call what about the things that everybody keeps for themselves: drafts, settings, snippets, navigation views, alert words, mutes. */
import * as alertWords from '@heddle/api/endpoints/alert-words.ts';
import * as drafts from '@heddle/api/endpoints/drafts.ts';
import * as exports from '@heddle/api/endpoints/exports.ts';
import * as mutes from '@heddle/api/endpoints/muted-users.ts';
import * as views from '@heddle/api/endpoints/navigation-views.ts';
import * as onboarding from '@heddle/api/endpoints/onboarding-steps.ts';
import * as snippets from '@heddle/api/endpoints/saved-snippets.ts';
import * as settings from '@heddle/api/endpoints/user-settings.ts';
import * as statuses from '@heddle/api/endpoints/user-status.ts';
import * as calls from '@heddle/api/endpoints/video-calls.ts';
import { type AccessRow, inClosed, inCommon, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';
import type { Fields } from './client.ts';

/** A server of video calls that does not respond. */
export const ABSENT_VIDEO_SERVER = {
  HEDDLE_BIG_BLUE_BUTTON_URL: 'http://127.0.0.1:9/',
  HEDDLE_BIG_BLUE_BUTTON_SECRET: 'nothing',
};

export const OF_OWN_THINGS: readonly AccessRow[] = [
  row(calls.createBigBlueButtonCall, 'always', '++++++ uuxu', () => ({ meeting_name: 'x' })),
  row(calls.joinBigBlueButtonCall, 'by a link that nobody signed', 'bbbbbb bbxu', () => ({ bigbluebutton: 'a.b' })),
  row(snippets.getSavedSnippets, 'always', '++++++ uuxu'),
  row(snippets.createSavedSnippet, 'always', '++++++ uuxu', () => ({ title: 'title', content: 'content' })),
  row(snippets.editSavedSnippet, 'an own one', '++++++ uuxu', async ({ self }) => ({
    ...(await snippetOf(self)),
    title: 'new',
  })),
  row(snippets.editSavedSnippet, "somebody else's", 'nnnnnn uuxu', async ({ colleague }) => ({
    ...(await snippetOf(colleague)),
    title: 'new',
  })),
  row(snippets.deleteSavedSnippet, 'an own one', '++++++ uuxu', ({ self }) => snippetOf(self)),
  row(snippets.deleteSavedSnippet, "somebody else's", 'nnnnnn uuxu', ({ colleague }) => snippetOf(colleague)),
  row(alertWords.getAlertWords, 'always', '++++++ uuxu'),
  row(alertWords.addAlertWords, 'always', '++++++ uuxu', () => ({ alert_words: ['loom'] })),
  row(alertWords.removeAlertWords, 'always', '++++++ uuxu', () => ({ alert_words: ['loom'] })),
  row(mutes.muteUser, 'another', '++++++ uuxu', async (scene) => ({ muted_user_id: (await scene.person()).userId })),
  row(mutes.unmuteUser, 'who is not muted', 'bbbbbb uuxu', ({ owner, colleague, self }) => ({
    muted_user_id: (self === colleague ? owner : colleague).userId,
  })),
  row(onboarding.markOnboardingStepAsRead, 'always', '+++++b uuxu', () => ({ onboarding_step: 'intro_resolve_topic' })),
  row(drafts.getDrafts, 'always', '++++++ uuxu'),
  row(drafts.createDrafts, 'where they are subscribed', '++++++ uuxu', (scene) => ({
    drafts: [draft(inCommon(scene).stream_id)],
  })),
  row(drafts.createDrafts, 'in a private channel of others', 'bbbbbb uuxu', (scene) => ({
    drafts: [draft(inClosed(scene).stream_id)],
  })),
  row(drafts.editDraft, 'an own one', '++++++ uuxu', async ({ self }) => ({
    ...(await draftOf(self)),
    draft: draft(),
  })),
  row(drafts.editDraft, "somebody else's", 'nnnnnn uuxu', async ({ colleague }) => ({
    ...(await draftOf(colleague)),
    draft: draft(),
  })),
  row(drafts.deleteDraft, 'an own one', '++++++ uuxu', ({ self }) => draftOf(self)),
  row(drafts.deleteDraft, "somebody else's", 'nnnnnn uuxu', ({ colleague }) => draftOf(colleague)),
  row(statuses.updateOwnStatus, 'always', '+++++b uuxu', () => ({ status_text: 'here' })),
  row(statuses.getUserStatus, 'of another', '++++++ uuxu', ({ colleague }) => ({ user_id: colleague.userId })),
  row(statuses.updateStatusOfUser, 'of another', '++bbbb uuxu', ({ colleague }) => ({
    ...{ user_id: colleague.userId, status_text: 'there' },
  })),
  row(settings.updateSettings, 'always', '+++++b uuxu', () => ({ enter_sends: true })),
  row(settings.updateDisplaySettings, 'always', '+++++b uuxu', () => ({ timezone: 'UTC' })),
  row(settings.updateNotificationSettings, 'always', '+++++b uuxu', () => ({ enable_sounds: false })),
  row(settings.updateSettingsDefaults, 'always', '++pppp uuxu', () => ({ enter_sends: true })),
  row(exports.getExportConsents, 'always', '++pppp uuxu'),
  row(views.getNavigationViews, 'always', '++++++ uuxu'),
  row(views.addNavigationView, 'always', '++++++ uuxu', (scene) => view(scene)),
  row(views.editNavigationView, 'an own one', '++++++ uuxu', async (scene) => ({
    ...(await viewOf(scene, scene.self)),
    is_pinned: false,
  })),
  row(views.editNavigationView, "somebody else's", 'ffffff uuxu', async (scene) => ({
    ...(await viewOf(scene, scene.colleague)),
    is_pinned: false,
  })),
  row(views.removeNavigationView, 'an own one', '++++++ uuxu', (scene) => viewOf(scene, scene.self)),
  row(views.removeNavigationView, "somebody else's", 'ffffff uuxu', (scene) => viewOf(scene, scene.colleague)),
];

async function snippetOf(user: Scene['self']): Promise<Fields> {
  const { saved_snippet_id } = await user.ok('POST', '/saved_snippets', { title: 'title', content: 'content' });
  return { saved_snippet_id };
}

/** @param channel without one it is not addressed */
function draft(channel?: unknown): Fields {
  const address = channel === undefined ? { type: '', to: [] } : { type: 'stream', to: [channel] };
  return { ...address, topic: 'topic', content: 'content' };
}

async function draftOf(user: Scene['self']): Promise<Fields> {
  const { ids } = await user.ok('POST', '/drafts', { drafts: [draft()] });
  return { draft_id: ids[0] };
}

function view(scene: Scene): Fields {
  const name = scene.name();
  return { fragment: `narrow/${name}`, is_pinned: true, name };
}

async function viewOf(scene: Scene, user: Scene['self']): Promise<Fields> {
  const added = view(scene);
  await user.ok('POST', '/navigation_views', added);
  return { fragment: added.fragment };
}
