/**
 * Examples of operations that bots need, by the name of the function. They become part of its comment. A test executes them with the values
 * of `client/src/examples.test.ts`, such as `connection` and `messageId`.
 */
export const EXAMPLES: Readonly<Record<string, string>> = {
  updateBotStorage: 'await updateBotStorage(connection, { storage: { lastRun: new Date().toISOString() } });',
  getBotStorage: 'const { storage } = await getBotStorage(connection);',
  createBot: "const { api_key } = await createBot(connection, { full_name: 'Echo', short_name: 'echo' });",
  getChannels: 'const { streams } = await getChannels(connection);',
  getChannelId: "const { stream_id } = await getChannelId(connection, { stream: 'general' });",
  getTopics: 'const { topics } = await getTopics(connection, { stream_id: channelId });',
  getSubscriptions: 'const { subscriptions } = await getSubscriptions(connection);',
  subscribe: "await subscribe(connection, { subscriptions: [{ name: 'general' }] });",
  unsubscribe: "await unsubscribe(connection, { subscriptions: ['general'] });",
  sendMessage: `await sendMessage(connection, { type: 'channel', to: 'general', topic: 'lunch', content: 'Pizza?' });
await sendMessage(connection, { type: 'direct', to: [userId], content: 'Are you there?' });`,
  updateMessage: `const { id } = await sendMessage(connection, { type: 'direct', to: [userId], content: 'Building …' });
await updateMessage(connection, { message_id: id, content: 'Built.' });`,
  getMessage: 'const { message } = await getMessage(connection, { message_id: messageId, apply_markdown: false });',
  getMessages: `const narrow = [{ operator: 'channel', operand: 'general' }];
const { messages } = await getMessages(connection, { anchor: 'newest', num_before: 20, num_after: 0, narrow });`,
  updateMessageFlags: "await updateMessageFlags(connection, { messages: [messageId], op: 'add', flag: 'read' });",
  addReaction: "await addReaction(connection, { message_id: messageId, emoji_name: 'tada' });",
  removeReaction: `await addReaction(connection, { message_id: messageId, emoji_name: 'hourglass' });
await removeReaction(connection, { message_id: messageId, emoji_name: 'hourglass' });`,
  setTyping: "await setTyping(connection, { op: 'start', type: 'channel', stream_id: channelId, topic: 'lunch' });",
  getUsers: 'const { members } = await getUsers(connection);',
  getUser: 'const { user } = await getUser(connection, { user_id: userId });',
  getOwnUser: 'const { user_id, full_name } = await getOwnUser(connection);',
  registerQueue: "const { queue_id, last_event_id } = await registerQueue(connection, { event_types: ['message'] });",
  getEvents: `const { queue_id, last_event_id = -1 } = await registerQueue(connection, { event_types: ['message'] });
await sendMessage(connection, { type: 'channel', to: 'general', topic: 'lunch', content: 'Pasta?' });
if (queue_id !== null) {
  const { events } = await getEvents(connection, { queue_id, last_event_id });
}`,
};
