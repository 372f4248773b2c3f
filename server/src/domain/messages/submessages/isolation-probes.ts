import { addSubmessage } from '@heddle/api/endpoints/submessages.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ messageId }) => [
  probesOf(addSubmessage, { refused: [{ message_id: messageId, msg_type: 'widget', content: '{}' }] }),
];
