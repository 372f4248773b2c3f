import * as endpoints from '@heddle/api/endpoints/bots.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, member, publicChannel, privateChannel, secret }) => {
  const theirs = { full_name: secret('bot'), short_name: 'victims', default_sending_stream: privateChannel.name };
  const { user_id: bot } = await owner.ok('POST', '/bots', theirs);
  const ids = [bot, owner.userId, member.userId].map((bot_id) => ({ bot_id }));
  const channels = [publicChannel.name, privateChannel.name];
  const settings = ['default_all_public_streams', 'config_data'] as const;
  const services = ['payload_url', 'service_name', 'interface_type'] as const;
  const newBot = (short_name: string) => ({ full_name: `Bot ${short_name}`, short_name });
  return [
    probesOf(endpoints.createBot, {
      contained: [newBot('attackers')],
      refused: channels.flatMap((name, index) => [
        { ...newBot(`of-channel-${index}`), default_sending_stream: name },
        { ...newBot(`of-events-${index}`), default_events_register_stream: name },
      ]),
      harmless: [...settings, ...services, 'bot_type'],
    }),
    probesOf(endpoints.getBots, { contained: [{}] }),
    probesOf(endpoints.updateBot, {
      refused: [
        ...ids,
        ...ids.map((id) => ({ ...id, full_name: 'Mine' })),
        ...ids.map((id) => ({ ...id, role: 200 })),
        ...ids.map((id) => ({ ...id, bot_owner_id: member.userId })),
        ...ids.map((id) => ({ ...id, service_payload_url: 'https://attackers.example', service_interface: 2 })),
        ...ids.map((id) => ({ ...id, default_sending_stream: publicChannel.name })),
        ...ids.map((id) => ({ ...id, default_events_register_stream: privateChannel.name })),
      ],
      harmless: settings,
    }),
    probesOf(endpoints.deactivateBot, { refused: ids }),
    probesOf(endpoints.getBotApiKey, { refused: ids }),
    probesOf(endpoints.regenerateBotApiKey, { refused: ids }),
  ];
};
