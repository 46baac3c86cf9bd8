import {
  PasswordInput,
  Textarea,
  TextInput,
  type PasswordInputProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import {
  createContext,
  use,
  useId,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type ComponentType,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { useWords } from '../text/language';

/** The id of the first field that was empty when the form was submitted. */
const EmptyField = createContext<string | undefined>(undefined);

interface FormProps extends Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit'> {
  /** Starts the request, if the fields permit one. The page shows its failure. */
  readonly onSubmit: () => Promise<unknown> | undefined;
}

/** A form that is submitted when its required fields are filled in, and not again while its request is running. */
export function Form({ onSubmit, ...props }: FormProps) {
  const [emptyField, setEmptyField] = useState<string>();
  // A second submit in the same moment comes before its button is drawn as disabled.
  const isRunning = useRef(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning.current) return;
    const fields = event.currentTarget.querySelectorAll<HTMLInputElement>('[required]');
    const empty = [...fields].find(({ value }) => value.trim() === '');
    setEmptyField(empty?.id);
    empty?.focus();
    const request = empty === undefined ? onSubmit() : undefined;
    if (request === undefined) return;
    isRunning.current = true;
    const end = () => {
      isRunning.current = false;
    };
    request.then(end, end);
  };
  return (
    <EmptyField value={emptyField}>
      <form {...props} onSubmit={submit} noValidate />
    </EmptyField>
  );
}

interface Change {
  readonly currentTarget: { readonly value: string };
}

/** The props of a controlled field. The options of a select must be values of its type. */
export function controlled<Value extends string>(value: Value, setValue: (value: Value) => void) {
  return { value, onChange: ({ currentTarget }: Change) => setValue(currentTarget.value as Value) };
}

/** The options of a select, from the text of each value. */
export function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** A field that explains, in the language of the user, that its form was submitted without it. */
function required<Props extends { readonly value?: unknown; readonly error?: ReactNode }>(Field: ComponentType<Props>) {
  return function Required(props: Props) {
    const { t } = useWords();
    const id = useId();
    const isMissing = use(EmptyField) === id && String(props.value).trim() === '';
    return <Field {...props} id={id} required error={props.error ?? (isMissing ? t.states.fillIn : null)} />;
  };
}

export const RequiredTextInput = required<TextInputProps>(TextInput);
export const RequiredTextarea = required<TextareaProps>(Textarea);
/** Why a person does something; it is stored in the audit log. */
export function ReasonField(props: TextareaProps) {
  const { t } = useWords();
  const { reason, reasonHint } = t.exceptions;
  return <RequiredTextarea label={reason} description={reasonHint} maxLength={500} rows={2} {...props} />;
}
export const RequiredPasswordInput = required<PasswordInputProps>((props) => {
  const { t } = useWords();
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }} />;
});
