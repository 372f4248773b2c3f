import type { MouseEvent } from 'react';

/**
 * Calls the handler only if the pointer moved. Browsers also send a movement when the page moves under a pointer that rests, for example when a
 * list gets other rows. That must not choose another row.
 */
export function ifPointerMoved(handle: () => void): (event: MouseEvent) => void {
  return ({ movementX, movementY }) => {
    if (movementX !== 0 || movementY !== 0) handle();
  };
}
