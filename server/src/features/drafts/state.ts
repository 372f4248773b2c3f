import { statePart } from '../../extension/initial-state.ts';
import { presentDraft } from './present.ts';
import { type Draft, selectDrafts } from './queries.ts';

export const draftsState = statePart<readonly Draft[]>({
  types: ['drafts'],
  select: ({ organizationId, userId }) => selectDrafts(organizationId, userId),
  build: ({ settings }, drafts) => ({
    drafts: drafts.map((draft) => presentDraft(draft, settings.capabilities.emptyTopicName)),
  }),
  spectators: { build: () => ({ drafts: [] }) },
});
