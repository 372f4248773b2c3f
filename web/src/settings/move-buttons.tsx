import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { IconButton } from '../design/icon-button.tsx';
import { ArrowDownIcon, ArrowUpIcon } from '../design/icons.ts';

interface MoveButtonsProps {
  /** What moves. */
  readonly name: string;
  readonly index: number;
  /** The ids of the list in their order. */
  readonly order: readonly number[];
  readonly onReorder: (order: readonly number[]) => void;
}

/** Moves a row of a list up or down. */
export function MoveButtons({ name, index, order, onReorder }: MoveButtonsProps): ReactNode {
  const move = (step: 1 | -1) => {
    const moved = order.slice();
    const [id] = moved.splice(index, 1);
    if (id !== undefined) onReorder(moved.toSpliced(index + step, 0, id));
  };
  return (
    <>
      <IconButton
        icon={ArrowUpIcon}
        label={t('Move {name} up', { name })}
        isDisabled={index === 0}
        onPress={() => move(-1)}
      />
      <IconButton
        icon={ArrowDownIcon}
        label={t('Move {name} down', { name })}
        isDisabled={index === order.length - 1}
        onPress={() => move(1)}
      />
    </>
  );
}
