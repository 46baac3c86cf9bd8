import type { PasswordInputProps } from '@mantine/core';
import { RequiredPasswordInput } from '../parts/form';
import { usePeopleWords } from './words';

/** The first field of a dialog that changes how its user logs in. */
export function CurrentPasswordField(props: PasswordInputProps) {
  const { account: w } = usePeopleWords();
  return <RequiredPasswordInput label={w.currentPassword} autoComplete="current-password" data-autofocus {...props} />;
}
