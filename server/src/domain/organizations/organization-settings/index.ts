import type { Feature } from '../../../extension/feature.ts';
import { organizationPresenter } from '../organizations/events.ts';
import { fullMemberJobs } from './jobs.ts';
import { organizationRoutes } from './routes.ts';
import { organizationState } from './state.ts';

export const organizations: Feature = {
  routes: organizationRoutes,
  state: organizationState,
  presenters: { realm: organizationPresenter },
  jobs: fullMemberJobs,
  exports: [
    {
      table: 'organizations',
      fields: [
        'id',
        'subdomain',
        'name',
        'description',
        'settings',
        'created_at',
        'deactivated_at',
        'full_members_joined_through',
        'retention_changed_at',
        'direct_expired_through',
        'user_settings_defaults',
        'pictures',
        'linkifiers',
        'last_linkifier_id',
        'playgrounds',
        'last_playground_id',
      ],
      withheld: { told_server: 'the version of this server', digest_due_at: 'when this server looks next' },
    },
  ],
};
