import type { Narrow, Term } from './narrow.ts';

/** Whether some conditions ask for channel messages and others for direct ones. No message meets both, and the server refuses them. */
export function isContradictory(narrow: Narrow): boolean {
  const kinds = new Set(narrow.map(kindOf));
  return kinds.has('channel') && kinds.has('direct');
}

/** The kind of messages for which a condition asks. The negation of a place asks for neither. */
function kindOf({ operator, operand, negated = false }: Term): 'channel' | 'direct' | undefined {
  switch (operator) {
    case 'channel':
    case 'channels':
    case 'topic':
      return negated ? undefined : 'channel';
    case 'dm':
    case 'dm-including':
      return negated ? undefined : 'direct';
    case 'is':
      if (operand !== 'dm') return undefined;
      return negated ? 'channel' : 'direct';
    default:
      return undefined;
  }
}
