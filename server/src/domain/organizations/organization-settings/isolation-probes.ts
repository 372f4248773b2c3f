import { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { checkCompatibility, getServerSettings } from '@heddle/api/endpoints/server.ts';
import { ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

const CHANNELS = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
];
const permissions = Object.keys(ORGANIZATION_PERMISSIONS);
const parameters = Object.keys(updateOrganization.parameters) as (keyof typeof updateOrganization.parameters)[];

export const isolationProbes: IsolationProbes = ({ member, groupId, publicChannel, privateChannel }) => [
  probesOf(getServerSettings, { contained: [{}] }),
  probesOf(checkCompatibility, { contained: [{}] }),
  probesOf(updateOrganization, {
    refused: [
      ...CHANNELS.flatMap((name) => [{ [name]: publicChannel.id }, { [name]: privateChannel.id }]),
      ...permissions.flatMap((name) => [
        { [name]: { new: groupId } },
        { [name]: { new: { direct_members: [member.userId], direct_subgroups: [] } } },
        { [name]: { new: { direct_members: [], direct_subgroups: [groupId] } } },
      ]),
    ],
    // All other parameters are values of the caller's own organization.
    harmless: parameters.filter((name) => !CHANNELS.includes(name) && !permissions.includes(name)),
  }),
];
