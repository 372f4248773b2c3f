import { accessMessages } from '../../access/message-door.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { editContent } from './content.ts';
import { checkRequest, type EditRequest } from './request.ts';

/**
 * Changes a message.
 * @throws ApiError for what forbids it, and for what would move it: that is not there yet
 */
export async function editMessage(
  rooms: Pick<Rooms, 'address'>,
  organization: Organization,
  caller: UserRecord,
  request: EditRequest,
): Promise<void> {
  const { content } = request;
  if (content !== undefined) {
    const url = rooms.address.of(organization.directory.organization.subdomain);
    return editContent(organization, caller, { ...request, content }, url);
  }
  await organization.readBy(caller, async ({ db, directory, caller: user }) => {
    const [message] = await accessMessages(db, directory, user, [request.messageId], 'react', 'look');
    if (message !== undefined) checkRequest(directory, user, message, request);
  });
}
