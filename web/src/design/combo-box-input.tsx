import { type KeyboardEvent, type ReactNode, useContext } from 'react';
import { ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Input, type InputProps } from 'react-aria-components/Input';

interface ComboBoxInputProps extends InputProps {
  /** Whether Enter keeps a text that is not an option. */
  readonly keepsText?: boolean | undefined;
}

/** The text field of a combo box. After typing, Enter chooses the first option, unless the user moved to another one. */
export function ComboBoxInput({ keepsText = false, ...props }: ComboBoxInputProps): ReactNode {
  const state = useContext(ComboBoxStateContext);
  const focusFirst = ({ key, nativeEvent }: KeyboardEvent): void => {
    if (key !== 'Enter' || nativeEvent.isComposing || keepsText || state === null || !state.isOpen) return;
    const { inputValue, selectedItem, selectionManager, collection } = state;
    const hasTyped = inputValue.trim() !== '' && inputValue !== selectedItem?.textValue;
    // The combo box handles the key next, and chooses the focused option.
    if (hasTyped && selectionManager.focusedKey === null) selectionManager.setFocusedKey(collection.getFirstKey());
  };
  return <Input {...props} onKeyDownCapture={focusFirst} />;
}
