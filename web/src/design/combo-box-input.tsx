import { type KeyboardEvent, type ReactNode, useContext } from 'react';
import { ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Input, type InputProps } from 'react-aria-components/Input';

interface ComboBoxInputProps extends InputProps {
  /** Whether Enter keeps a text that is not an option. */
  readonly keepsText?: boolean | undefined;
  /** Hears Enter after the field has handled it, and before the user's next key. Gets the text from before. */
  readonly onEnter?: ((text: string) => void) | undefined;
}

/** The text field of a combo box. After typing, Enter chooses the first option, unless the user moved to another one. */
export function ComboBoxInput({ keepsText = false, onEnter, onKeyDown, ...props }: ComboBoxInputProps): ReactNode {
  const state = useContext(ComboBoxStateContext);
  const focusFirst = ({ key, nativeEvent }: KeyboardEvent): void => {
    if (key !== 'Enter' || nativeEvent.isComposing || keepsText || state === null || !state.isOpen) return;
    const { inputValue, selectedItem, selectionManager, collection } = state;
    const hasTyped = inputValue.trim() !== '' && inputValue !== selectedItem?.textValue;
    // The combo box handles the key next, and chooses the focused option.
    if (hasTyped && selectionManager.focusedKey === null) selectionManager.setFocusedKey(collection.getFirstKey());
  };
  const tellEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
    onKeyDown?.(event);
    const { key, nativeEvent, currentTarget } = event;
    if (key !== 'Enter' || nativeEvent.isComposing || onEnter === undefined) return;
    const text = currentTarget.value;
    // The first task runs before React renders what the combo box changes in this event, the second one after it. A timer would be late:
    // the browser can deliver further keys before it.
    queueMicrotask(() =>
      queueMicrotask(() => {
        // The focus can be in a textarea now, which would get a new line.
        nativeEvent.preventDefault();
        onEnter(text);
      }),
    );
  };
  return <Input {...props} onKeyDown={tellEnter} onKeyDownCapture={focusFirst} />;
}
