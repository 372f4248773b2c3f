import type { CompiledMessage } from '@lingui/message-utils/compileMessage';

/** Compiles a message that has no syntax besides `{name}`. The catalog of English leaves out what this compiles correctly. */
export function compileSimple(message: string): CompiledMessage {
  if (!message.includes('{')) return [message];
  const parts = message.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : ([part] as [string])));
  return parts.filter((part) => part !== '');
}
